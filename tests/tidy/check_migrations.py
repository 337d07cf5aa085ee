#!/usr/bin/env python3
"""Refuses changes of released migrations: a database that ran one must not meet another text under its number.
Refuses virtual columns on MariaDB: core/store/migrations/README.md has the reason.

  check_migrations.py ROOT            prints path:line: message; exits with 1 when anything is
  check_migrations.py --freeze ROOT   records the migrations that are not recorded yet

core/store/migrations/frozen.sha256 holds a line for each frozen migration, in the format of sha256sum.
"""
import hashlib
import pathlib
import re
import sys

FOLDER = pathlib.Path("core/store/migrations")
RECORD = FOLDER / "frozen.sha256"
VIRTUAL = re.compile(r"\bVIRTUAL\b", re.IGNORECASE)


def digests(root):
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted((root / FOLDER).glob("*.sql"))}


def recorded(root):
    lines = (root / RECORD).read_text().splitlines() if (root / RECORD).is_file() else []
    return {name: digest for digest, name in (line.split("  ", 1) for line in lines if line)}


def problems(root):
    now, frozen = digests(root), recorded(root)
    if not now:
        yield f"{FOLDER}:1: there is no migration"
    for name, digest in frozen.items():
        if name not in now:
            yield f"{FOLDER / name}:1: this migration was released and is gone; restore it"
        elif now[name] != digest:
            yield (f"{FOLDER / name}:1: this migration was released and is changed; "
                   "restore it and add a migration with the next number")
    for file in sorted((root / FOLDER).glob("*.sql")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if line.startswith("-- mysql:") and VIRTUAL.search(line):
                yield f"{FOLDER / file.name}:{number}: a VIRTUAL column on MariaDB; use STORED (see README.md there)"
    last = max(frozen, default="")
    for name in now:
        if name not in frozen and name < last:
            yield f"{FOLDER / name}:1: comes before the released {last}; give it the next number"


def main(arguments):
    freeze = "--freeze" in arguments
    root = pathlib.Path(next((a for a in arguments if not a.startswith("-")), ".")).resolve()
    found = list(problems(root))
    for problem in found:
        print(problem)
    if freeze and not found:
        (root / RECORD).write_text("".join(f"{digest}  {name}\n" for name, digest in sorted(digests(root).items())))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
