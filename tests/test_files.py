"""What commands write."""

from __future__ import annotations

import json
import math

from tactician.files import json_text


def test_json_has_null_where_a_number_is_not_finite() -> None:
    document = {"a": [1.5, math.nan, (math.inf, -math.inf)], "b": {"c": math.nan, "d": "NaN"}, "e": None, "f": 2**70}
    text = json_text(document)

    def refuse(name: str) -> None:
        raise AssertionError(name)

    found = json.loads(text, parse_constant=refuse)
    assert found == {"a": [1.5, None, [None, None]], "b": {"c": None, "d": "NaN"}, "e": None, "f": 2**70}
