"""Lab handouts have the six headings and name their questions; commands and links in the documents lead somewhere."""

import csv
import re
import sys

from tree import files, main, read

HEADINGS = ["Question", "Predict", "Run", "Read the chart", "Change one thing", "Not measured here"]


def documents(root):
    top = [path.name for path in sorted(root.glob("*.md"))]
    return top + files(root, ("docs", "labs", "results", "plots", "experiments"), (".md",))


def split_fences(text):
    """([(line number, line)] outside fences, the same inside)."""
    outside, inside, fenced = [], [], False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        else:
            (inside if fenced else outside).append((number, line))
    return outside, inside


def commands(text):
    """[(line number, line without its comment)] of the code blocks, fenced or indented, that call perflab or a lab."""
    code = split_fences(text)[1] + [(n, line) for n, line in split_fences(text)[0] if line.startswith("    ")]
    return [(number, line.split(" #")[0].strip()) for number, line in sorted(code)
            if re.match(r"\s*(\./perflab|build/labs/)", line)]


def sections(text):
    """[(heading, body)] of the '## ' headings."""
    found = []
    for _, line in split_fences(text)[0]:
        if line.startswith("## "):
            found.append([line[3:].strip(), ""])
        elif found:
            found[-1][1] += line + "\n"
    return found


def lab_problems(root, name):
    text = read(root, name)
    got = sections(text)
    if not text.startswith("# "):
        yield f"{name}:1: starts without a '# Title' line"
    if [heading for heading, _ in got] != HEADINGS:
        yield f"{name}: headings are {[h for h, _ in got]}; want exactly {HEADINGS}"
    for heading, body in got:
        if heading in ("Question", "Not measured here") and not body.strip():
            yield f"{name}: '{heading}' is empty"


def question_problems(root, name):
    """What predict asks stands under Predict, in the handout's own words but by the same name."""
    table = (root / name).parent / "questions.csv"
    if not table.exists():
        return
    predict = dict(sections(read(root, name))).get("Predict", "")
    with open(table, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if f"`{row['question_id']}`" not in predict:
                yield f"{name}: 'Predict' does not name the question `{row['question_id']}` of questions.csv"


def known_verbs(root):
    """The verbs of the launcher's help, which is the list that users see."""
    return set(re.findall(r"^  \./perflab (-{0,2}[a-z]+)", read(root, "perflab"), re.MULTILINE)) | {"--help"}


def command_problems(root, name, number, line, verbs):
    words = line.split("#")[0].split()
    while "./perflab" in words:
        words = words[words.index("./perflab") + 1:]
        verb = next((word for word in words if word != "--yes"), "--help")
        if verb not in verbs:
            yield f"{name}:{number}: ./perflab has no verb '{verb}'; it has {', '.join(sorted(verbs))}"
    for profile in re.findall(r"--profile[ =]([a-z0-9_]+)(?=\s|$)", line):
        if not (root / "experiments" / (profile + ".toml")).exists():
            yield f"{name}:{number}: there is no experiments/{profile}.toml"
    for lab in re.findall(r"\./perflab run (\d\d)\b", line):
        if not list((root / "labs").glob(lab + "_*")):
            yield f"{name}:{number}: there is no lab {lab}"


def citation_problems(root):
    """The version that people cite is the one that is built; containers call verbs that exist."""
    built = re.search(r"^project\(perflab VERSION ([0-9.]+)", read(root, "CMakeLists.txt"), re.MULTILINE)
    cited = re.search(r"^version: (\S+)", read(root, "CITATION.cff"), re.MULTILINE)
    if not built or not cited or built.group(1) != cited.group(1):
        yield f"CITATION.cff: version {cited and cited.group(1)}; CMakeLists.txt has {built and built.group(1)}"
    for name in ("Containerfile", ".devcontainer/devcontainer.json"):
        called = re.findall(r"\./perflab (?:--yes )?([a-z]+)", read(root, name))
        if not called:
            yield f"{name}: calls no verb of ./perflab"
        yield from (f"{name}: ./perflab has no verb '{verb}'" for verb in called if verb not in known_verbs(root))


def reading_order_problems(root):
    """Every file of the reading order in docs/architecture.md is there; 'a/b.h, c.h' names a/b.h and a/c.h."""
    name = "docs/architecture.md"
    text = read(root, name) if (root / name).exists() else ""
    for number, line in enumerate(text.split("\n"), 1):
        row = re.match(r"\| ((?:core|plots)/\S+\.[a-z]+(?:, \S+)*) \|", line)
        files = row.group(1).split(", ") if row else []
        for file in files:
            path = file if file.startswith(("core/", "plots/")) else f"{files[0].rpartition('/')[0]}/{file}"
            if not (root / path).exists():
                yield f"{name}:{number}: there is no {path}"


def check(root):
    problems = [*citation_problems(root), *reading_order_problems(root)]
    names = documents(root)
    verbs = known_verbs(root)
    for name in names:
        if re.fullmatch(r"labs/\d\d_[^/]+/README\.md", name):
            problems += [*lab_problems(root, name), *question_problems(root, name)]
        text = read(root, name)
        outside, inside = split_fences(text)
        for number, line in sorted(set(inside) | set(commands(text))):
            problems += command_problems(root, name, number, line, verbs)
        for number, line in outside:
            for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", line):
                if not re.match(r"[a-z]+:", link) and not (root / name).parent.joinpath(link).exists():
                    problems.append(f"{name}:{number}: the link {link} leads nowhere")
    for folder in sorted((root / "labs").glob("[0-9][0-9]_*")):
        for needed in ("README.md", "lab.cpp", "claims.csv", "plot.py"):
            if not (folder / needed).exists():
                problems.append(f"labs/{folder.name} has no {needed}")
    return problems, len(names)


if __name__ == "__main__":
    sys.exit(main(check))
