"""Words that are no terms of payments, healthcare billing or software, in pages, comments and messages.

words_allowed.txt lists where such a word is meant as it stands: "PATH WORD  # reason". A path that ends in / is a
folder.
"""
import io
import pathlib
import re
import tokenize

# Pattern, and the term to use. "place", "notice" and "gives up" are refused in their private meanings only. Words with
# a common second meaning, such as "word", "recall" and "floor", are left to reviewers.
TERMS = [
    (r"whoever|whomever", "worker, client, operator or reviewer"),
    (r"somebody|someone|nobody|anybody", "the client, operator or reviewer, or a passive sentence"),
    (r"(?:a|another|one|two|second) persons?", "operator or reviewer"),
    (r"houses?|rooms?", "project, module, layer; capacity, memory"),
    (r"purses?", "funds pool"),
    (r"desks?", "admin context"),
    (r"courts?", "backtest runner"),
    (r"lessons?", "model snapshot"),
    (r"students?", "tenant model"),
    (r"shelf|shelves", "store"),
    (r"sights?", "snapshot"),
    (r"passages?", "request state"),
    (r"told", "estimated, predicted; said"),
    (r"heard", "observed"),
    (r"(?:remittance|payment|payer|payer's|payers') notices?|notices? of (?:a )?(?:payment|remittance)s?",
     "remittance, remittance advice"),
    (r"(?:a|the|this|that|each|every|its|one|first|second|same|other|later|earlier) notices?|notices",
     "remittance, remittance advice"),
    (r"places? of (?:the |its )?money", "allocation, allocation target"),
    (r"carried on|carries on|carry on", "forward balance"),
    (r"put(?:s|ting)? off", "overpayment recovery; postponed"),
    (r"(?:take|takes|taken|taking|took) up", "allocate"),
    (r"look(?:s|ed|ing)? again", "re-evaluate"),
    (r"(?:give|gives|given|giving|gave) up (?:a|an|the|its|each|every) (?:receivable|advance|rest|remainder)s?",
     "write off"),
    (r"what is out", "exposure"),
    (r"(?:un)?seal(?:s|ed|ing)?", "encrypt (columns), freeze (tables), sign (tokens)"),
]
# Parts of identifiers: `told_before` and `NoticeReader` have one each. Strings are left alone: names of the wire and of
# columns are published.
NAME_PARTS = {
    "purse": "funds pool", "student": "tenant model", "lesson": "model snapshot", "court": "backtest runner",
    "desk": "admin context", "passage": "request state", "shelf": "store", "sight": "snapshot", "notice": "remittance",
    "told": "estimated, predicted, said", "heard": "observed", "whoever": "worker, client or operator",
    "nobody": "none", "somebody": "another", "room": "space, capacity",
}
TERM_OF = [(re.compile(rf"(?:{pattern})\Z", re.IGNORECASE), term) for pattern, term in TERMS]
ANY = re.compile(r"(?<![\w./-])(?:" + "|".join(pattern for pattern, _ in TERMS) + r")(?![\w/-]|\.\w|\()", re.IGNORECASE)
# "notices" is a verb in "a change that a user notices".
VERB = re.compile(r"(?:user|client|reader|operator|worker|service|it|that|who|which) notices\Z", re.IGNORECASE)

CODE = re.compile(
    r"""\d'(?=\d)                                                # a digit separator opens no literal
      | (?P<comment> //[^\n]* | /\*.*?\*/ )
      | R"(?P<end>[^()\\\s]{0,16})\((?P<raw>.*?)\)(?P=end)"
      | "(?P<text>(?:\\.|[^"\\\n])*)"
      | '(?:\\.|[^'\\\n]){1,4}' """, re.VERBOSE | re.DOTALL)
LUA = re.compile(
    r"""(?P<comment> --\[\[.*?\]\] | --[^\n]* )
      | \[\[(?P<raw>.*?)\]\]
      | "(?P<text>(?:\\.|[^"\\\n])*)"
      | '(?P<other>(?:\\.|[^'\\\n])*)' """, re.VERBOSE | re.DOTALL)
# A name in quotes or backticks is a name, not a word of the sentence.
NAMES = re.compile(r"""`[^`\n]*`|\\?"[\w.:/-]+\\?"|'[\w.:/-]+'""")
CPP = {".cpp", ".hpp", ".h", ".c"}
PAGES = {".md", ".yaml", ".yml"}
SQL = re.compile(r"\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|FROM|WHERE|VALUES|AND|SET)\b")
SOURCES = CPP | {".lua", ".py", ".sh", ""}


def parts_of_code(text, pattern):
    """Comments, and literals that are sentences, which have a blank and are no SQL: (offset, text)."""
    for match in pattern.finditer(text):
        group = match.lastgroup if match.lastgroup != "end" else "raw"
        if group is None:
            continue
        part = match[group]
        if group == "comment" or re.search(r"\s", part) and not SQL.match(part):
            yield match.start(group), part


def parts_of_python(text):
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT or token.type == tokenize.STRING and " " in token.string:
                yield starts[token.start[0] - 1] + token.start[1], token.string
    except (tokenize.TokenError, SyntaxError):
        yield 0, text


def parts_of(name, text):
    suffix = pathlib.Path(name).suffix
    if suffix in CPP:
        yield from parts_of_code(text, CODE)
    elif suffix == ".lua":
        yield from parts_of_code(text, LUA)
    elif suffix == ".py":
        yield from parts_of_python(text)
    elif suffix == ".md":
        yield 0, re.sub(r"^ *```.*?^ *```", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S | re.M)
    else:
        yield 0, text


def words_in(name, text):
    """Each private word of a file: (line, word, term)."""
    for offset, part in parts_of(name, text):
        blanked = NAMES.sub(lambda match: " " * len(match[0]), part)
        for match in ANY.finditer(blanked):
            if match[0].lower() == "notices" and VERB.search(blanked, 0, match.end()):
                continue
            word = " ".join(match[0].split())
            term = next(term for pattern, term in TERM_OF if pattern.match(word))
            yield text.count("\n", 0, offset + match.start()) + 1, word, term


def allowed_of(root):
    file = root / "tests/tidy/words_allowed.txt"
    lines = file.read_text().splitlines() if file.is_file() else []
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        entry, _, reason = line.partition("#")
        path, _, word = entry.strip().partition(" ")
        yield number, path, word.strip().lower(), reason.strip()


def private_words(root, names):
    allowed = list(allowed_of(root))
    for number, path, word, reason in allowed:
        if not word or not reason:
            yield f"tests/tidy/words_allowed.txt:{number}: write PATH WORD  # reason"
    for name in names:
        path = pathlib.Path(name)
        if path.suffix not in PAGES | SOURCES or name.startswith(("tests/tidy/", ".")):
            continue
        text = (root / name).read_text(errors="replace")
        if path.suffix == "" and not text.startswith("#!"):
            continue
        here = {word for _, entry, word, _ in allowed
                if entry == name or entry.endswith("/") and name.startswith(entry)}
        for line, word, term in words_in(name, text):
            if word.lower() not in here:
                yield f"{name}:{line}: '{word}' is no term of the field; write {term}"


def names_in(text):
    """Each identifier with a private part: (line, identifier, term)."""
    blanked = CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]) if match.lastgroup else match[0], text)
    for number, line in enumerate(blanked.splitlines(), 1):
        if line.startswith("#include"):
            continue
        for match in re.finditer(r"[A-Za-z_]\w*", line):
            for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", match[0]):
                part = part.lower()
                term = NAME_PARTS.get(part) or part.endswith("s") and NAME_PARTS.get(part[:-1])
                if term:
                    yield number, match[0], term
                    break


def private_names(root, names):
    for name in names:
        if pathlib.Path(name).suffix not in CPP:
            continue
        for line, identifier, term in names_in((root / name).read_text(errors="replace")):
            yield f"{name}:{line}: the name '{identifier}' is no term of the field; write {term}"
