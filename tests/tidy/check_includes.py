#!/usr/bin/env python3
"""Checks the directions of includes between folders, where each library may be used, and the size of folders.

Reads every source file below core, plugins, api and tests as text. Prints one line per violation - file:line, what, why
- and exits with 1 when there is any. Circles and sizes are checked everywhere, directions and libraries where sources
are shipped.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
SUFFIXES = {".h", ".hpp", ".cpp"}

# A folder of the core -> the folders of the core that it may include. Adapters include the ports, the domain and the
# few neighbours named here; the four folders that build the program include every adapter and the folders before them.
ADAPTER = {"domain", "ports", "faults"}
PARTS = {"domain", "ports", "faults", "usecases", "estimators", "clock", "crypto", "events", "http", "jobs", "journal",
         "lua", "ops", "pickup", "plugin_host", "settings", "store", "tables"}
PROGRAM = ["core/node/", "core/admin/", "core/service/", "core/main/"]
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
    "pickup": ADAPTER | {"crypto"},
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

# The subfolders of each folder that has any, from the inside out; "" is the folder itself. Each may include itself and
# those before it.
ORDER = {
    "core/domain": ["basics", "claims", "reviews", "funding", "reconciliation", "payouts", "ledger", "banking",
                    "operations"],
    "core/usecases": ["request", "nodes", "claims", "learning", "ledger", "allocation", "matching", "banking",
                     "reconciliation", "rails", "funding", "quotes", "payouts", "reviews", "imports", "pickup",
                     "tasks", "rules", "audit", "access", "events", "sandbox"],
    "core/ports": ["plugins", "records/banking", "records/files", "records/payees", "records/postings", "records",
                   "records/recourse", "rules", ""],
    "core/crypto": ["primitives", ""],
    "core/estimators": ["basics", "amounts", "effects", ""],
    "core/http": ["server", "wire/json", "document", "wire/basics", "wire/reviews", "wire/reconciliation",
                  "wire/ledger", "wire/payouts", "wire/operations", "wire/access", "wire/sandbox", "rates", "keys",
                  "", "handlers", "handlers/files", "handlers/ledger", "handlers/reconciliation", "handlers/sandbox"],
    "core/store": ["sql", "committer", "records/rows", "encryption", "integrity", "records/claims", "records/funding",
                   "records/reconciliation", "records/operations", ""],
    "core/lua": ["vm", "facts", "ruleset", "engine", "tools"],
    "core/plugin_host": ["calls", "adapters", ""],
    "core/admin": ["", "commands"],
}

# Sources and headers that one folder may hold, without those of its subfolders.
MOST_SOURCES = 25

# Where plugins look for includes, besides their own folder (plugins/**/CMakeLists.txt).
PLUGIN_INCLUDES = ["plugins/", "plugins/deposit_format/", "plugins/funding_rail/", "plugins/import_format/",
                   "api/plugin/"]

# A library's headers -> where they may be named (folders, or single files, below the root).
LIBRARIES = [
    (r"Poco/", ["core/http/", "core/plugin_host/", "core/events/", "core/ops/", *PROGRAM]),
    (r"(lua|lauxlib|lualib|lua5\.4/\w+)\.h(pp)?", ["core/lua/"]),
    (r"(sqlite3\.h|cppconn/|mysql_)", ["core/store/sql/"]),
    (r"yaml-cpp/", ["core/settings/", "core/http/document/"]),
    (r"rapidjson/", ["core/http/wire/json/", "plugins/"]),
    (r"openssl/", ["core/crypto/", "core/clock/", "core/store/sql/"]),
    (r"curl/", ["core/events/"]),
    (r"expat\.h", ["plugins/deposit_format/camt053/"]),
    (r"hpdf\.h", ["core/http/wire/payouts/"]),
    (r"zlib\.h", ["core/jobs/", "core/crypto/"]),
    (r"prometheus/", ["core/ops/"]),
    (r"date/", ["core/clock/"]),
    (r"CLI/", ["core/admin/command_line.cpp"]),
    (r"fmt/", ["core/store/", "core/settings/", "core/ops/", *PROGRAM]),
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
    ring = "core/" + top_folder_of(path)
    if ring in ORDER and included.startswith(ring + "/"):
        own, other = place_in(ring, path), place_in(ring, included)
        if own is not None and other is not None and other > own:
            order = ", ".join(folder or "(itself)" for folder in ORDER[ring])
            yield f"{included} is in a later folder of {ring}: the order is {order}"


def undeclared_folders(folders):
    """Folders of the core that no table names: nothing would be checked in them."""
    for folder in sorted(folders):
        parts = folder.split("/")
        if parts[0] != "core" or len(parts) < 2:
            continue
        ring = "/".join(parts[:2])
        if parts[1] not in MAY_INCLUDE:
            yield f"{folder}:1: this folder is not in MAY_INCLUDE (tests/tidy/check_includes.py)"
        elif "/".join(parts[2:]) not in ORDER.get(ring, [""]):
            yield f"{folder}:1: this folder is not in the order of {ring} (tests/tidy/check_includes.py)"


def circle_in(edges):
    """One circle of a graph {node: nodes} as a list that begins and ends with one node; empty when there is none."""
    left = {node: set(others) for node, others in edges.items()}
    while ends := [node for node, others in left.items() if not others & left.keys()]:
        for node in ends:
            del left[node]
    trail, node = [], min(left, default=None)
    while node is not None and node not in trail:
        trail.append(node)
        node = min(left[node] & left.keys())
    return trail[trail.index(node):] + [node] if trail else []


def circles(includes):
    """`includes`: (file, included file) of all files. A circle of folders names one include of each step."""
    between_files, between_folders, example = collections.defaultdict(set), collections.defaultdict(set), {}
    for file, included in sorted(includes):
        between_files[file].add(included)
        edge = file.rpartition("/")[0], included.rpartition("/")[0]
        if edge[0] != edge[1]:
            between_folders[edge[0]].add(edge[1])
            example.setdefault(edge, f"{file} includes {included}")
    if circle := circle_in(between_files):
        yield f"{circle[0]}:1: files include each other in a circle: {' -> '.join(circle)}"
    if circle := circle_in(between_folders):
        steps = "; ".join(example[edge] for edge in zip(circle, circle[1:]))
        yield f"{circle[0]}:1: folders include each other in a circle: {' -> '.join(circle)} ({steps})"


def resolved(file, included, names):
    """The path of an included file from the root; None where it is no file of ours."""
    folders = ["", file.parent.relative_to(ROOT).as_posix() + "/"] + PLUGIN_INCLUDES
    return next((folder + included for folder in folders if folder + included in names), None)


def crowded_folders(files):
    counts = collections.Counter(file.parent.relative_to(ROOT).as_posix() for file in files)
    for folder, count in sorted(counts.items()):
        if count > MOST_SOURCES:
            yield f"{folder}:1: {count} sources in one folder; at most {MOST_SOURCES} (make folders by noun)"


def complaints_about(path, bracket, included):
    top = top_folder_of(path)
    if bracket == '"' and included.startswith("core/"):
        if path.startswith(("plugins/", "api/")):
            yield "includes the core; plugins and api/ see api/ only"
        allowed = MAY_INCLUDE.get(top, set())
        other = top_folder_of(included)
        named = any(included.startswith(f"core/{folder}/") for folder in (allowed or ()))
        yield from complaints_about_order(path, included)
        if path.startswith("core/") and allowed is not None and other != top and not named:
            known = ", ".join(sorted(allowed)) or "nothing"
            yield f"core/{top} may not include {included}; it may include {known} (see core/README.md)"
    if re.match(r"(.*/)?tests/", included):
        yield "includes tests/; what is shipped never sees what judges it"
    if bracket == '"' and not included.startswith(("core/", "api/", "tests/")) and path.startswith("core/"):
        yield "write includes from the repository root"
    for pattern, places in LIBRARIES:
        if re.match(pattern, included) and not path.startswith(tuple(places)):
            yield f"<{included}> may be named only in {', '.join(places)}"


def main():
    problems = []
    shipped = sorted(p for top in ("core", "plugins", "api") for p in (ROOT / top).rglob("*") if p.suffix in SUFFIXES)
    tests = sorted(p for p in (ROOT / "tests").rglob("*") if p.suffix in SUFFIXES | {".c"})
    names = {file.relative_to(ROOT).as_posix() for file in shipped + tests}
    includes = set()
    for file in shipped + tests:
        path = file.relative_to(ROOT).as_posix()
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                includes.update((path, found) for found in [resolved(file, match[2], names)] if found)
            if path.startswith("tests/"):
                continue
            if match:
                problems += [f"{path}:{number}: {what}" for what in complaints_about(path, *match.groups())]
            if SQL.search(line) and not path.startswith("core/store/"):
                problems.append(f"{path}:{number}: SQL text belongs in core/store")
            if CLAMP.search(line.split("//")[0]):
                problems.append(f"{path}:{number}: std::clamp is undefined for ends in the wrong order; "
                                "use domain::within (core/domain/basics/within.hpp)")
    problems += undeclared_folders({name.rpartition("/")[0] for name in names})
    problems += circles(includes)
    problems += crowded_folders(shipped + tests)
    for problem in problems:
        print(problem)
    print(f"{len(shipped)} files read, {len(problems)} problems")
    return 1 if problems or not shipped else 0


if __name__ == "__main__":
    sys.exit(main())
