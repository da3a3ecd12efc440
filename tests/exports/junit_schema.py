# SPDX-License-Identifier: Apache-2.0
"""The part of the schema of JUnit files that CI servers hold them against."""

# Of the schema that CI servers hold files against: children in this order, and these attributes.
JUNIT = {
    "testsuites": (["testsuite"], {"name", "time", "tests", "failures", "disabled", "errors"}),
    "testsuite": (["properties", "testcase", "system-out", "system-err"],
                  {"name", "tests", "failures", "errors", "time", "disabled", "skipped", "timestamp", "hostname", "id", "package"}),
    "properties": (["property"], set()),
    "property": ([], {"name", "value"}),
    "testcase": (["skipped", "error", "failure", "system-out", "system-err"], {"name", "assertions", "time", "classname", "status"}),
    "skipped": ([], {"message", "type"}),
    "error": ([], {"message", "type"}),
    "failure": ([], {"message", "type"}),
    "system-out": ([], set()),
    "system-err": ([], set()),
}


def hold_against(element):
    children, attributes = JUNIT[element.tag]
    assert set(element.attrib) <= attributes, element.attrib
    places = [children.index(child.tag) for child in element]
    assert places == sorted(places), f"{element.tag}: children out of order"
    assert element.tag not in ("testcase", "testsuite") or "name" in element.attrib
    for child in element:
        hold_against(child)
