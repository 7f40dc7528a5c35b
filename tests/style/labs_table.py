"""docs/labs.md from the labs' READMEs: `labs_table.py ROOT --check` fails if it is stale, `--write` writes it."""

import sys
from pathlib import Path

from readmes import sections
from tree import read

HEAD = """# The labs

This file is generated from the labs' READMEs by `python3 tests/style/labs_table.py . --write`.

| lab | question |
|---|---|
"""


def question(text):
    """The first paragraph of the section Question, on one line."""
    body = dict(map(tuple, sections(text))).get("Question", "")
    return " ".join(body.strip().split("\n\n")[0].split()).replace("|", "\\|")


def table(root):
    rows = ""
    for folder in sorted((root / "labs").glob("[0-9][0-9]_*")):
        readme = f"labs/{folder.name}/README.md"
        if (root / readme).exists():
            rows += f"| [{folder.name}](../{readme}) | {question(read(root, readme))} |\n"
    return HEAD + rows


def is_stale(root):
    path = root / "docs" / "labs.md"
    return not path.exists() or path.read_text(encoding="utf-8") != table(root)


def main():
    root = Path(sys.argv[1])
    if sys.argv[2:] == ["--write"]:
        (root / "docs").mkdir(exist_ok=True)
        (root / "docs" / "labs.md").write_text(table(root), encoding="utf-8")
        return 0
    if is_stale(root):
        print("docs/labs.md is not what the labs' READMEs say; run: python3 tests/style/labs_table.py . --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
