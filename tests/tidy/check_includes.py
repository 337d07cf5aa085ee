#!/usr/bin/env python3
"""Checks the directions of includes between folders, where each library may be used, and the size of folders.

Reads every source file below core, plugins and api as text. Prints one line per violation - file:line, what, why - and
exits with 1 when there is any.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
SUFFIXES = {".h", ".hpp", ".cpp"}

# A folder of the core -> the folders of the core that it may include. Adapters include the ports, the domain and the few
# neighbours named here; the four folders that build the program include every adapter and the folders before them.
ADAPTER = {"domain", "ports", "faults"}
PARTS = {"domain", "ports", "faults", "usecases", "estimators", "clock", "crypto", "events", "http", "jobs", "journal", "lua", "ops",
         "plugin_host", "settings", "store", "tables"}
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
    "node": PARTS,
    "admin": PARTS | {"node"},
    "service": PARTS | {"node", "admin"},
    "main": PARTS | {"node", "admin", "service"},
}

# The folders inside of these, from the inside out; "" is the folder itself. Each may include itself and those before it.
ORDER = {
    "core/domain": ["basics", "claims", "reviews", "funding", "reconciliation", "operations"],
    "core/usecases": ["request", "nodes", "claims", "learning", "matching", "reconciliation", "funding", "reviews",
                      "imports", "tasks", "rules", "audit", "access", "events"],
    "core/ports": ["plugins", "records", "rules", ""],
    "core/crypto": ["primitives", ""],
    "core/estimators": ["basics", "effects", ""],
    "core/http/wire": ["json", "basics", "reviews", "reconciliation", "operations"],
    "core/store": ["sql", "committer", "records/rows", "encryption", "integrity", "records/claims", "records/funding",
                   "records/reconciliation", "records/operations", ""],
    "core/lua": ["vm", "ruleset", "engine", "tools"],
    "core/plugin_host": ["calls", "adapters", ""],
    "core/admin": ["", "commands"],
}

# Sources and headers that one folder may hold, without those of its subfolders.
MOST_SOURCES = 25

# A library's headers -> where they may be named (prefixes of the path below the root).
LIBRARIES = [
    (r"Poco/", ["core/http/", "core/plugin_host/", "core/events/", "core/node/", "core/admin/", "core/service/", "core/main/", "core/ops/"]),
    (r"(lua|lauxlib|lualib|lua5\.4/\w+)\.h(pp)?", ["core/lua/"]),
    (r"(sqlite3\.h|cppconn/|mysql_)", ["core/store/sql/"]),
    (r"yaml-cpp/", ["core/settings/"]),
    (r"rapidjson/", ["core/http/wire/json/", "plugins/"]),
    (r"openssl/", ["core/crypto/", "core/clock/", "core/store/sql/"]),
    (r"curl/", ["core/events/"]),
    (r"zlib\.h", ["core/jobs/", "core/crypto/"]),
    (r"prometheus/", ["core/ops/"]),
    (r"date/", ["core/clock/"]),
    (r"CLI/", ["core/admin/", "core/main/"]),
    (r"fmt/", ["core/node/", "core/admin/", "core/service/", "core/main/", "core/store/", "core/settings/", "core/ops/"]),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SQL = re.compile(r'"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE TABLE)\s', re.IGNORECASE)
# Undefined where the upper end is below the lower one, which amounts from outside bring about.
CLAMP = re.compile(r'\bstd::(ranges::)?clamp\b')


def top_folder_of(path):
    """core/http/wire/json/x.hpp -> http; api/plugin/... -> api."""
    parts = path.split("/")
    return parts[1] if parts[0] == "core" and len(parts) > 2 else parts[0]


def place_in(ring, path):
    """core/lua, core/lua/vm/x.hpp -> its position in ORDER; None where the folder is not listed."""
    folder = path[len(ring) + 1:].rpartition("/")[0]
    return ORDER[ring].index(folder) if folder in ORDER[ring] else None


def complaints_about_order(path, included):
    for ring in ORDER:
        if not path.startswith(ring + "/"):
            continue
        own = place_in(ring, path)
        if own is None:
            yield f"this folder is not in the order of {ring} (tests/tidy/check_includes.py)"
        elif included.startswith(ring + "/"):
            other = place_in(ring, included)
            if other is not None and other > own:
                yield f"{included} is in a later folder of {ring}: the order is {', '.join(folder or '(itself)' for folder in ORDER[ring])}"


def crowded_folders(files):
    counts = collections.Counter(file.parent.relative_to(ROOT).as_posix() for file in files)
    for folder, count in sorted(counts.items()):
        if count > MOST_SOURCES:
            yield f"{folder}:1: {count} sources in one folder; at most {MOST_SOURCES} (make folders by noun)"


def complaints_about(path, number, bracket, included):
    top = top_folder_of(path)
    if bracket == '"' and included.startswith("core/"):
        if path.startswith(("plugins/", "api/")):
            yield "includes the core; plugins and api/ see api/ only"
        allowed = MAY_INCLUDE.get(top, set())
        other = top_folder_of(included)
        named = any(included.startswith(f"core/{folder}/") for folder in (allowed or ()))
        yield from complaints_about_order(path, included)
        if path.startswith("core/") and allowed is not None and other != top and not named:
            yield f"core/{top} may not include {included}; it may include {', '.join(sorted(allowed)) or 'nothing'} (see core/README.md)"
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
                problems.append(f"{path}:{number}: std::clamp is undefined for ends in the wrong order; use domain::within (core/domain/basics/within.hpp)")
    tests = [p for p in (ROOT / "tests").rglob("*") if p.suffix in SUFFIXES | {".c"}]
    problems += crowded_folders(files + tests)
    for problem in problems:
        print(problem)
    print(f"{len(files)} files read, {len(problems)} problems")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
