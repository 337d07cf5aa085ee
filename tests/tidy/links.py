"""Links between pages of the repository, and their anchors."""
import re


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
        for number, line in enumerate((root / name).read_text(errors="replace").splitlines(), 1):
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
