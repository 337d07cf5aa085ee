#!/usr/bin/env python3
"""Checks of style that a machine can make. README.md lists them.

  check_style.py [--changed] [--pending] [--only CHECK] [ROOT]

Prints path:line: message for each finding and exits with 1 when there is one. --changed looks at the files that differ
from HEAD, for the hook before a commit.

pending.txt lists what is not clean yet: a line "CHECK" or "CHECK PATH". Those findings are counted and do not fail;
--pending prints them. allowed.txt lists the files that a check does not apply to, each with the reason. A line of
either list without a finding fails.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

from functions import long_functions
from links import dead_links
from words import private_names, private_words

MOST_COLUMNS = 120
MOST_LINES = 500
CPP = {".cpp", ".hpp", ".h", ".c"}
PENDING = "tests/tidy/pending.txt"
ALLOWED = "tests/tidy/allowed.txt"
TOP_FOLDERS = ("api/", "config/", "core/", "packaging/", "plugins/", "rules/", "tests/", ".ci/", ".github/")
# Files that are data, or that a tool makes.
NOT_STYLED = re.compile(r"^(tests/data/|tests/fuzz/corpus/|tests/contract/npm/|rules/tables/|config/.*\.jsonl?$|"
                        r".*package-lock\.json$)")


def git_names(root, *command):
    done = subprocess.run(["git", *command], cwd=root, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else None


def files_of(root, changed):
    if changed:
        names = git_names(root, "diff", "--name-only", "--diff-filter=d", "HEAD") or []
    else:
        names = git_names(root, "ls-files")
        if names is None:  # an exported tree
            names = [p.relative_to(root).as_posix() for p in sorted(root.rglob("*")) if p.is_file()]
    return [n for n in names
            if (n.startswith(TOP_FOLDERS) or "/" not in n) and not NOT_STYLED.match(n) and (root / n).is_file()]


def lines_of(root, name):
    return (root / name).read_text(errors="replace").splitlines()


def is_script(root, name):
    if "." in pathlib.Path(name).name:
        return name.endswith(".sh")
    with open(root / name, "rb") as file:
        return re.match(rb"#!\s*/(usr/)?bin/(env )?(ba|da)?sh\b", file.readline(64)) is not None


def is_source(root, name):
    return (pathlib.Path(name).suffix in CPP | {".lua", ".py", ".cmake", ".mjs"} or name.endswith("CMakeLists.txt")
            or is_script(root, name))


def long_lines(root, names):
    """Pages are left out: a row of a Markdown table, and a line of YAML with a pattern, have no place to break."""
    for name in names:
        if is_source(root, name):
            for number, line in enumerate(lines_of(root, name), 1):
                if len(line) > MOST_COLUMNS:
                    yield f"{name}:{number}: {len(line)} columns; at most {MOST_COLUMNS}"


def long_files(root, names):
    for name in names:
        if is_source(root, name):
            count = len(lines_of(root, name))
            if count > MOST_LINES:
                yield f"{name}:{MOST_LINES}: {count} lines; at most {MOST_LINES} (split by what it does)"


def output_of(root, command, sources):
    """Lines that a tool prints about the sources; nothing where it is not installed, which main() says."""
    for at in range(0, len(sources) if shutil.which(command[0]) else 0, 200):
        done = subprocess.run([*command, *sources[at:at + 200]], cwd=root, capture_output=True, text=True)
        yield from (done.stdout + done.stderr).splitlines()


def unformatted(root, names):
    # The C header of the ABI is laid out by hand: its comments are tables.
    sources = [n for n in names if pathlib.Path(n).suffix in CPP and n != "api/plugin/tideover/plugin.h"]
    seen = set()
    for line in output_of(root, ["clang-format", "--dry-run"], sources):
        match = re.match(r"(.+?):(\d+):\d+: warning: code should be clang-formatted", line)
        if match and match[1] not in seen:
            seen.add(match[1])
            yield f"{match[1]}:{match[2]}: not formatted; run clang-format -i {match[1]}"


def lua_faults(root, names):
    sources = [n for n in names if n.endswith(".lua") and n.startswith("rules/")]
    for line in output_of(root, ["luacheck", "--no-color", "--formatter", "plain"], sources):
        if re.match(r"\S+:\d+:\d+: ", line):
            yield line


def shell_faults(root, names):
    scripts = [n for n in names if is_script(root, n)]
    yield from output_of(root, ["shellcheck", "-x", "-S", "warning", "-f", "gcc"], scripts)


CHECKS = {"lines": long_lines, "files": long_files, "functions": long_functions, "format": unformatted,
          "lua": lua_faults, "shell": shell_faults, "words": private_words, "names": private_names,
          "links": dead_links}
TOOLS = {"format": "clang-format", "lua": "luacheck", "shell": "shellcheck"}


def entries_of(root, name):
    """Entries of a list with their line and reason: ("words", "") for a check, ("files", PATH) for one file."""
    file = root / name
    lines = file.read_text().splitlines() if file.is_file() else []
    for number, line in enumerate(lines, 1):
        entry, _, reason = line.partition("#")
        check, _, path = entry.strip().partition(" ")
        if check:
            yield (check, path.strip()), number, reason.strip()


def without_allowed(root, found):
    """Findings that allowed.txt does not excuse, and its entries that were met."""
    allowed = {entry for entry, _, reason in entries_of(root, ALLOWED) if entry[1] and reason}
    entries = [(check, line.split(":")[0]) for check, line in found]
    left = [finding for finding, entry in zip(found, entries) if entry not in allowed]
    return left, allowed & set(entries)


def split(found, pending):
    """Findings that fail, those that are pending, and the entries that were met."""
    fresh, old, met = [], [], set()
    for check, line in found:
        entries = {(check, ""), (check, line.split(":")[0])} & pending.keys()
        met |= entries
        (old if entries else fresh).append(line)
    return fresh, old, met


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--changed", action="store_true", help="only files that differ from HEAD")
    parser.add_argument("--pending", action="store_true", help="print what is pending too")
    parser.add_argument("--only", choices=CHECKS, help="one check")
    parser.add_argument("root", nargs="?", default=".")
    options = parser.parse_args(arguments)
    root = pathlib.Path(options.root).resolve()
    names = files_of(root, options.changed)
    chosen = {check: function for check, function in CHECKS.items() if options.only in (None, check)}
    found = [(check, line) for check, function in chosen.items() for line in function(root, names)]
    found, excused = without_allowed(root, found)
    pending = {entry: number for entry, number, _ in entries_of(root, PENDING)}
    fresh, old, met = split(found, pending)
    for file in (PENDING, ALLOWED):
        for entry, number, reason in entries_of(root, file):
            if file == ALLOWED and not (entry[1] and reason):
                fresh.append(f"{file}:{number}: write CHECK PATH  # reason")
            elif entry[0] not in CHECKS:
                fresh.append(f"{file}:{number}: there is no check '{entry[0]}'; the checks are {', '.join(CHECKS)}")
            elif entry[0] in chosen and not options.changed and entry not in met | excused:
                fresh.append(f"{file}:{number}: nothing is left of '{' '.join(entry).strip()}'; remove the line")
    for line in fresh + (old if options.pending else []):
        print(line)
    for check in chosen:
        if check in TOOLS and not shutil.which(TOOLS[check]):
            print(f"{TOOLS[check]} is not installed; '{check}' is not checked")
    counts = ", ".join(f"{check} {sum(1 for c, _ in found if c == check)}" for check in chosen)
    print(f"{len(names)} files; findings: {counts}; pending: {len(old)}; failing: {len(fresh)}")
    return 1 if fresh or (not names and not options.changed) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
