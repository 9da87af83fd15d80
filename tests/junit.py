# SPDX-License-Identifier: MIT
"""junit.py FILE: prints "CASES FAILED SKIPPED" of a JUnit file that is as Jenkins and GitLab read it."""
import sys
import xml.etree.ElementTree as tree

(suite,) = tree.parse(sys.argv[1]).getroot()
cases = list(suite)
found = [len(cases)] + [sum(case.find(kind) is not None for case in cases) for kind in ("failure", "skipped")]
assert [int(suite.get(name)) for name in ("tests", "failures", "skipped", "errors")] == found + [0]
assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases)
assert all(case.tag == "testcase" and len(case) <= 1 and all(child.get("message") for child in case) for case in cases)
print(*found)
