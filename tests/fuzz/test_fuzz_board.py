"""The board's API, fuzzed from its own schema: whatever is sent, the answer is one that the schema describes."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("schemathesis")
pytest.importorskip("fastapi")

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from starlette.testclient import TestClient

from tactician.arena.store.boards import BoardStore
from tactician.arena.store.store import open_store
from tactician.web.app import make_app
from tactician.web.catalog import Catalog
from tactician.web.pool import SearchPool
from tactician.web.security import LOOPBACK
from tactician.web.service import Service
from tactician.web.study import Study

SERVICE = Service(Catalog(longest_ms=1000.0), SearchPool(1, 1.0), BoardStore(None), open_store(None))
APP = make_app(SERVICE, [*LOOPBACK, "testserver"], study=Study("oep", "1s"))
SCHEMA = schemathesis.openapi.from_asgi("/api/openapi.json", APP)
# A schema can't say which names and texts a catalog knows, nor that other methods need no list of allowed ones.
EXCLUDED: list[Any] = [
    schemathesis.checks.CHECKS.get_one(name) for name in ("unsupported_method", "positive_data_acceptance")
]


@pytest.fixture(scope="module")
def board() -> tuple[str, str]:
    """A board that exists, so that requests get past the door."""
    wish = {"game": "amazons", "parameters": {"size": 4}, "seats": ["person", "person"]}
    made = TestClient(APP, base_url="http://localhost").post("/api/boards", json=wish)
    return made.json()["id"], made.json()["token"]


@SCHEMA.parametrize()
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_one_that_the_schema_describes(case: Any, board: tuple[str, str]) -> None:
    id, token = board
    # Half of the requests are about a board that is there.
    if case.path_parameters and "id" in case.path_parameters and len(str(case.path_parameters["id"])) % 2:
        case.path_parameters["id"] = id
        case.headers = {**(case.headers or {}), "X-Board-Token": token}
    case.call_and_validate(excluded_checks=EXCLUDED)
