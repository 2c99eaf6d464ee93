"""Elements of SVG documents: attributes, escaping, icons."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from tactician.drawing.svg import IconSet, document, element, group, label, rect

SVG = "{http://www.w3.org/2000/svg}"


def test_attributes_are_written_in_their_order_with_hyphens() -> None:
    assert (
        element("rect", width=2.5, stroke_width=2, class_="card") == '<rect width="2.5" stroke-width="2" class="card"/>'
    )


def test_an_attribute_without_a_value_is_left_out() -> None:
    assert rect(0, 1, 2, 3, "none", opacity=None, rx=4) == '<rect x="0" y="1" width="2" height="3" fill="none" rx="4"/>'


def test_text_of_labels_is_escaped_and_made_printable() -> None:
    drawn = label(1, 2, 10, 'a < b & "c"\x07', "#000", anchor="end", bold=True)
    text = ET.fromstring(drawn)
    assert text.text == 'a < b & "c"?'
    assert (text.get("text-anchor"), text.get("font-weight")) == ("end", "bold")


def test_a_group_moves_its_parts() -> None:
    assert group("card", 3, 0.5, ["<a/>", "<b/>"]) == '<g class="card" transform="translate(3 0.5)">\n<a/>\n<b/>\n</g>'


def test_a_document_defines_the_icons_that_it_uses() -> None:
    icons = IconSet("my", 10, {"dot": '<circle r="2"/>', "bar": '<rect width="9"/>'}, {"stroke": "#000"})
    parts = [icons.use("dot", 1, 2, 5)]
    root = ET.fromstring(document("Dots & bars", 30, 20, parts, definitions=icons.symbols({"dot"})))
    assert root.get("viewBox") == "0 0 30 20"
    assert root.findtext(f"{SVG}title") == "Dots & bars"
    defined = [symbol.get("id") for symbol in root.iter(f"{SVG}symbol")]
    assert defined == ["my-dot"]
    assert [use.get("href") for use in root.iter(f"{SVG}use")] == ["#my-dot"]
    assert root.find(f".//{SVG}symbol/{SVG}g[@stroke='#000']/{SVG}circle") is not None


def test_all_icons_are_defined_unless_some_are_named() -> None:
    icons = IconSet("my", 10, {"dot": "<a/>", "bar": "<b/>"})
    assert icons.symbols().splitlines() == [
        '<symbol id="my-dot" viewBox="0 0 10 10"><a/></symbol>',
        '<symbol id="my-bar" viewBox="0 0 10 10"><b/></symbol>',
    ]
