"""What ctest knows about the tests of a build folder."""

import json
import subprocess


def tests_of(build):
    """[{name, labels, serial, command}] in ctest's order."""
    shown = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"],
                           capture_output=True, text=True, encoding="utf-8", check=True).stdout
    return [entry(test) for test in json.loads(shown)["tests"]]


def entry(test):
    properties = {one["name"]: one["value"] for one in test.get("properties", [])}
    return {"name": test["name"], "labels": properties.get("LABELS", []), "serial": properties.get("RUN_SERIAL", False),
            "command": test.get("command", [])}
