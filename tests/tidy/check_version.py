#!/usr/bin/env python3
"""Checks that the version of the product has one source, and that code and contract have one version of the API.

  check_version.py [ROOT]

- CMakeLists.txt has the version; the newest section of CHANGELOG.md has the same.
- No source of the product writes the version down; CMake passes it on as TIDEOVER_VERSION.
- info.version of openapi.yaml is kApiVersion.
"""
import pathlib
import re
import sys

OPENAPI = "api/rest/openapi.yaml"
API_VERSION = "core/domain/basics/api_version.hpp"


def first_of(pattern, root, name):
    """The first match of the pattern in a file, and its line."""
    file = root / name
    text = file.read_text() if file.is_file() else ""
    match = re.search(pattern, text, re.M)
    return (match[1], text.count("\n", 0, match.start(1)) + 1) if match else (None, 1)


def problems(root):
    version, line = first_of(r"^project\(tideover VERSION (\d+\.\d+\.\d+) ", root, "CMakeLists.txt")
    if version is None:
        yield f"CMakeLists.txt:{line}: there is no 'project(tideover VERSION x.y.z ...'"
        return
    section, line = first_of(r"^## (\d+\.\d+\.\d+) \(", root, "CHANGELOG.md")
    if section != version:
        yield f"CHANGELOG.md:{line}: the newest section is {section}, the version of CMakeLists.txt {version}"

    written = re.compile(r'"[^"\n]*\b' + re.escape(version) + r'\b[^"\n]*"')
    for file in sorted((root / "core").rglob("*")):
        if file.suffix not in {".cpp", ".hpp", ".txt", ".cmake"}:
            continue
        for number, text in enumerate(file.read_text(errors="replace").splitlines(), 1):
            if written.search(text.split("//")[0]):
                yield f"{file.relative_to(root)}:{number}: the version is written down; use TIDEOVER_VERSION"

    in_code, _ = first_of(r'kApiVersion = "([^"]+)"', root, API_VERSION)
    in_contract, line = first_of(r'^info:\n(?:  .*\n)*?  version: "?([^"\n]+)"?$', root, OPENAPI)
    if in_code is None or in_code != in_contract:
        yield f"{OPENAPI}:{line}: info.version is {in_contract}, kApiVersion in {API_VERSION} {in_code}"


def main(arguments):
    found = list(problems(pathlib.Path(arguments[0] if arguments else ".").resolve()))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
