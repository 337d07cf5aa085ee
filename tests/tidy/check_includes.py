#!/usr/bin/env python3
"""Keeps the directions of the house: who may include whom, and which library is known where.

Reads every source file below core, plugins and api as text. Prints one line per violation - file:line, what, why - and
exits with 1 when there is any.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
SUFFIXES = {".h", ".hpp", ".cpp"}

# A folder of the core -> the folders of the core that it may include. Adapters know the ports and the domain, and the
# few neighbours named here; core/main knows everybody.
ADAPTER = {"domain", "ports", "faults"}
MAY_INCLUDE = {
    "faults": set(),
    "domain": set(),
    "estimators": {"domain"},
    "ports": {"domain"},
    "usecases": {"domain", "ports", "faults", "estimators"},
    "crypto": ADAPTER,
    "clock": ADAPTER,
    "http": ADAPTER | {"usecases", "crypto"},
    "store": ADAPTER | {"crypto"},
    "journal": ADAPTER | {"crypto"},
    "tables": {"domain", "crypto"},
    "lua": ADAPTER | {"crypto", "tables"},
    "plugin_host": ADAPTER | {"crypto"},
    "events": ADAPTER | {"crypto", "http/wire/json"},
    "jobs": ADAPTER | {"usecases"},
    "settings": {"domain"},
    "ops": {"domain"},
    "main": None,
}

# A library's headers -> where they may be named (prefixes of the path below the root).
LIBRARIES = [
    (r"Poco/", ["core/http/", "core/plugin_host/", "core/events/", "core/main/", "core/ops/"]),
    (r"(lua|lauxlib|lualib|lua5\.4/\w+)\.h(pp)?", ["core/lua/"]),
    (r"(sqlite3\.h|cppconn/|mysql_)", ["core/store/sql/"]),
    (r"yaml-cpp/", ["core/settings/"]),
    (r"rapidjson/", ["core/http/wire/json/", "plugins/"]),
    (r"openssl/", ["core/crypto/", "core/clock/", "core/store/sql/"]),
    (r"curl/", ["core/events/"]),
    (r"zlib\.h", ["core/jobs/", "core/crypto/"]),
    (r"prometheus/", ["core/ops/"]),
    (r"date/", ["core/clock/"]),
    (r"CLI/", ["core/main/"]),
    (r"fmt/", ["core/main/", "core/store/", "core/settings/", "core/ops/"]),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SQL = re.compile(r'"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE TABLE)\s', re.IGNORECASE)
# Undefined where the upper end is below the lower one, which amounts from outside bring about.
CLAMP = re.compile(r'\bstd::(ranges::)?clamp\b')


def room_of(path):
    """core/http/wire/json/x.hpp -> http; api/plugin/... -> api."""
    parts = path.split("/")
    return parts[1] if parts[0] == "core" and len(parts) > 2 else parts[0]


def complaints_about(path, number, bracket, included):
    room = room_of(path)
    if bracket == '"' and included.startswith("core/"):
        if path.startswith(("plugins/", "api/")):
            yield "includes the core; plugins and api/ see api/ only"
        allowed = MAY_INCLUDE.get(room, set())
        other = room_of(included)
        named = any(included.startswith(f"core/{folder}/") for folder in (allowed or ()))
        if path.startswith("core/") and allowed is not None and other != room and not named:
            yield f"core/{room} may not include {included}; it may include {', '.join(sorted(allowed)) or 'nothing'} (see core/README.md)"
    if re.match(r"(.*/)?tests/", included):
        yield "includes tests/; what is shipped never sees what judges it"
    if bracket == '"' and not included.startswith(("core/", "api/", "tests/")) and path.startswith("core/"):
        yield "write includes from the repository root"
    for pattern, places in LIBRARIES:
        if re.match(pattern, included) and not path.startswith(tuple(places)):
            yield f"<{included}> may be named only in {', '.join(places)}"


def main():
    problems = []
    files = sorted(p for top in ("core", "plugins", "api") for p in (ROOT / top).rglob("*") if p.suffix in SUFFIXES)
    for file in files:
        path = file.relative_to(ROOT).as_posix()
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                problems += [f"{path}:{number}: {what}" for what in complaints_about(path, number, *match.groups())]
            if SQL.search(line) and not path.startswith("core/store/"):
                problems.append(f"{path}:{number}: SQL text belongs in core/store")
            if CLAMP.search(line.split("//")[0]):
                problems.append(f"{path}:{number}: std::clamp is undefined for ends in the wrong order; use domain::within (core/domain/within.hpp)")
    for problem in problems:
        print(problem)
    print(f"{len(files)} files read, {len(problems)} problems")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
