#!/usr/bin/env python3
"""Checks what machines can check of the project's conventions; CONTRIBUTING.md tells the reasons.

  check_style.py [--changed] [--only CHECK] [ROOT]

Prints path:line: message for each finding and exits with 1 when there is any. --changed looks at the files that differ from HEAD.
Checks: lines, files, functions, format, lua, shell, words, links.

tests/tidy/pending.txt lists findings that are older than their check, as "check path". They do not fail; an
entry without a finding does, so that the list only gets shorter.
"""
import pathlib
import re
import shutil
import subprocess
import sys

MOST_COLUMNS = 120
MOST_LINES = 500
MOST_FUNCTION_LINES = 70
CPP = {".cpp", ".hpp", ".h", ".c"}
TEXT = CPP | {".md", ".yaml", ".yml", ".lua", ".py", ".sh"}
TOP_FOLDERS = ("api/", "config/", "core/", "packaging/", "plugins/", "rules/", "tests/", ".github/")
# Files that are data, or that a tool makes.
NOT_STYLED = re.compile(r"^(tests/data/|tests/contract/npm/|rules/tables/|config/.*\.jsonl?$|.*package-lock\.json$)")

# Words that are no terms of the field, and the term to use. tests/tidy/words_allowed.txt lists where one is meant.
WORDS = {
    r"whoever|whomever": "the worker, client or operator",
    r"somebody|someone|nobody": "an operator, a client, or no one named",
    r"purse": "funds pool",
    r"notice of payment|payment notice": "remittance",
    r"passage": "request state",
    r"student": "tenant model",
    r"this house|the house": "the project",
    r"carried on": "forward balance",
    r"put off": "recovered or postponed",
}


def tracked(root, changed):
    command = ["git", "diff", "--name-only", "--diff-filter=d", "HEAD"] if changed else ["git", "ls-files"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    names = done.stdout.splitlines() if done.returncode == 0 else []
    if done.returncode != 0 and not changed:  # an exported tree
        names = [p.relative_to(root).as_posix() for p in sorted(root.rglob("*")) if p.is_file()]
    return [n for n in names if (n.startswith(TOP_FOLDERS) or "/" not in n) and not NOT_STYLED.match(n) and (root / n).is_file()]


def lines_of(root, name):
    return (root / name).read_text(errors="replace").splitlines()


def long_lines(root, names):
    for name in names:
        if pathlib.Path(name).suffix in CPP | {".lua", ".py"}:
            for number, line in enumerate(lines_of(root, name), 1):
                if len(line) > MOST_COLUMNS:
                    yield f"{name}:{number}: {len(line)} columns; at most {MOST_COLUMNS}"


def long_files(root, names):
    for name in names:
        if pathlib.Path(name).suffix in CPP:
            count = len(lines_of(root, name))
            if count > MOST_LINES:
                yield f"{name}:{MOST_LINES}: {count} lines; at most {MOST_LINES} (split by what it does)"


# clang-format starts a function at the first column and closes it there. Members that a class defines inside are short or are seen as files.
NOT_A_FUNCTION = re.compile(r"(namespace|struct|class|enum|union|extern|using|typedef|BOOST_AUTO_TEST_SUITE)\b|.*=\s*\{?$")


def long_functions(root, names):
    for name in names:
        if pathlib.Path(name).suffix not in {".cpp", ".hpp"}:
            continue
        start, first = 0, ""
        for number, line in enumerate(lines_of(root, name), 1):
            if line == "}" and start:
                count = number - start + 1
                if count > MOST_FUNCTION_LINES and not NOT_A_FUNCTION.match(first):
                    yield f"{name}:{start}: a function of {count} lines; at most {MOST_FUNCTION_LINES}"
                start = 0
            elif line and line[0] not in " }/#)" and not line.startswith(("public:", "private:", "protected:")):
                if start == 0 or first.endswith((";", "}")) or not first.startswith("template"):
                    start, first = number, line


def unformatted(root, names):
    if not shutil.which("clang-format"):
        return
    sources = [n for n in names if pathlib.Path(n).suffix in CPP and not n.startswith("api/plugin/tideover/plugin.h")]
    for at in range(0, len(sources), 200):
        done = subprocess.run(["clang-format", "--dry-run", *sources[at:at + 200]], cwd=root, capture_output=True, text=True)
        seen = set()
        for line in done.stderr.splitlines():
            match = re.match(r"(.+?):(\d+):\d+: warning: code should be clang-formatted", line)
            if match and match[1] not in seen:
                seen.add(match[1])
                yield f"{match[1]}:{match[2]}: not formatted; run clang-format -i {match[1]}"


def lua_faults(root, names):
    sources = [n for n in names if n.endswith(".lua") and n.startswith("rules/")]
    if sources and shutil.which("luacheck"):
        done = subprocess.run(["luacheck", "--no-color", "--formatter", "plain", *sources], cwd=root, capture_output=True, text=True)
        yield from (line for line in done.stdout.splitlines() if re.match(r"\S+:\d+:\d+: ", line))


def shell_faults(root, names):
    scripts = []
    for name in names:
        with open(root / name, "rb") as file:
            if name.endswith(".sh") or re.match(rb"#!\s*/(usr/)?bin/(env )?(ba)?sh\b", file.readline(64)):
                scripts.append(name)
    if scripts and shutil.which("shellcheck"):
        done = subprocess.run(["shellcheck", "-S", "warning", "-f", "gcc", *scripts], cwd=root, capture_output=True, text=True)
        yield from done.stdout.splitlines()


def allowed_words(root):
    file = root / "tests/tidy/words_allowed.txt"
    entries = [line.split("#")[0].split() for line in file.read_text().splitlines()] if file.is_file() else []
    return {(entry[0], entry[1]) for entry in entries if len(entry) == 2}


def private_words(root, names):
    allowed = allowed_words(root)
    pattern = re.compile(r"\b(" + "|".join(WORDS) + r")\b", re.IGNORECASE)
    for name in names:
        if pathlib.Path(name).suffix not in TEXT or name.startswith("tests/tidy/"):
            continue
        for number, line in enumerate(lines_of(root, name), 1):
            for match in pattern.finditer(line):
                word = match[1].lower()
                if (name, word.replace(" ", "_")) in allowed:
                    continue
                term = next(t for w, t in WORDS.items() if re.fullmatch(w, word))
                yield f"{name}:{number}: '{match[1]}' is no term of the field; write {term}"


def anchors_of(text):
    counts = {}
    for heading in re.findall(r"^#{1,6}\s+(.*?)\s*#*$", re.sub(r"```.*?```", "", text, flags=re.S), re.M):
        slug = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", slug).replace(" ", "-")
        count = counts.get(slug, 0)
        counts[slug] = count + 1
        yield f"{slug}-{count}" if count else slug


def dead_links(root, names):
    for name in names:
        if not name.endswith(".md"):
            continue
        inside_code = False
        for number, line in enumerate(lines_of(root, name), 1):
            if line.lstrip().startswith("```"):
                inside_code = not inside_code
            if inside_code:
                continue
            for target in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                file = (root / name).parent / path if path else root / name
                if not file.exists():
                    yield f"{name}:{number}: the link {target} leads nowhere"
                elif anchor and file.suffix == ".md" and anchor not in set(anchors_of(file.read_text())):
                    yield f"{name}:{number}: {target}: there is no such heading"


def pending_of(root):
    file = root / "tests/tidy/pending.txt"
    lines = file.read_text().splitlines() if file.is_file() else []
    return {tuple(line.split()) for line in lines if line and not line.startswith("#")}


CHECKS = {"lines": long_lines, "files": long_files, "functions": long_functions, "format": unformatted, "lua": lua_faults,
          "shell": shell_faults, "words": private_words, "links": dead_links}


def main(arguments):
    only = None
    if "--only" in arguments:
        at = arguments.index("--only")
        only = arguments[at + 1]
        del arguments[at:at + 2]
    root = pathlib.Path(next((a for a in arguments if not a.startswith("-")), ".")).resolve()
    names = tracked(root, "--changed" in arguments)
    chosen = {check: function for check, function in CHECKS.items() if only in (None, check)}
    pending = {entry for entry in pending_of(root) if entry[0] in chosen}
    found = [(check, line) for check, function in chosen.items() for line in function(root, names)]
    fresh = [line for check, line in found if (check, line.split(":")[0]) not in pending]
    if "--changed" not in arguments:
        met = {(check, line.split(":")[0]) for check, line in found}
        fresh += [f"tests/tidy/pending.txt:1: nothing is left of '{check} {path}'; remove the line" for check, path in sorted(pending - met)]
    for line in fresh:
        print(line)
    counts = ", ".join(f"{check} {sum(1 for c, _ in found if c == check)}" for check in chosen)
    print(f"{len(names)} files; findings: {counts}; not pending: {len(fresh)}")
    return 1 if fresh or (not names and "--changed" not in arguments) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
