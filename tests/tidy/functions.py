"""Lengths of functions. C++ is read by the layout of clang-format: a function opens and closes in one column."""
import ast
import pathlib
import re

MOST_LINES = 70
NO_FUNCTION = re.compile(r"(namespace|struct|class|enum|union|extern|using|typedef|BOOST_AUTO_TEST_SUITE)\b|.*=\s*\{?$")
TYPE = re.compile(r"(template ?<.*> ?)?(struct|class|union) ")
LABEL = re.compile(r"(public|private|protected|default|case .*):")


def blocks_of_cpp(lines, indent=""):
    """Blocks that are no type or namespace, by line: (first, last)."""
    start, first = 0, ""
    for number, line in lines:
        if not line.startswith(indent):
            continue
        line = line[len(indent):]
        if line in ("}", "};") and start:
            if line == "}" and not NO_FUNCTION.match(first):
                yield start, number
            start = 0
        elif line and line[0] not in " }/#)" and not LABEL.match(line):
            if start == 0 or first.endswith((";", "}")) or not first.startswith("template"):
                start, first = number, line


def functions_of_cpp(lines):
    numbered = list(enumerate(lines, 1))
    yield from blocks_of_cpp(numbered)
    opened = 0
    for number, line in numbered:
        if TYPE.match(line) and line.endswith("{"):
            opened = number
        elif line == "};" and opened:
            yield from blocks_of_cpp(numbered[opened:number - 1], "  ")
            opened = 0


def functions_of_python(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno


def long_functions(root, names):
    for name in names:
        suffix = pathlib.Path(name).suffix
        if suffix not in {".cpp", ".hpp", ".py"}:
            continue
        text = (root / name).read_text(errors="replace")
        for first, last in functions_of_python(text) if suffix == ".py" else functions_of_cpp(text.splitlines()):
            if last - first + 1 > MOST_LINES:
                yield f"{name}:{first}: a function of {last - first + 1} lines; at most {MOST_LINES}"
