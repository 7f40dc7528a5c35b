"""The rules that charts keep, as checks that can fail: of a plot.py's text, and of the chart that it drew.

After Hoefler and Belli: intervals always, raw points shown, ceilings in every chart of rates, units on the
axes, lines only between ordered numbers. docs/measuring.md section 15 says why.
"""

import ast

from plots.points import RATES


def source_problems(text, name):
    """What is wrong with a plot script, one sentence each; empty if nothing is."""
    tree = ast.parse(text, name)
    problems = []
    for node in ast.walk(tree):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            modules = [f"{node.module}.{alias.name}" for alias in node.names]
        problems += [
            f"{name}:{node.lineno}: imports {module}; want plots.style (pyplot has global state)"
            for module in modules
            if "pyplot" in module or "pylab" in module
        ]
        if isinstance(node, ast.Call) and _called(node) == "use":
            problems.append(f"{name}:{node.lineno}: chooses a backend; plots/backend.py has done so")
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("figure", "style.figure"):
            problems += _title_problems(node, name)
    return problems


def lab_script_problems(text, name):
    """source_problems, and what every lab's plot.py needs besides."""
    calls = {_called(node) for node in ast.walk(ast.parse(text, name)) if isinstance(node, ast.Call)}
    functions = {node.name for node in ast.parse(text, name).body if isinstance(node, ast.FunctionDef)}
    problems = source_problems(text, name)
    for needed in ("draw",):
        if needed not in functions:
            problems.append(f"{name}: no function {needed}(table, out)")
    for needed, why in (
        ("figure", "charts come from plots.style.figure"),
        ("save", "a chart that is not saved is lost"),
        ("repetitions_and_median", "repetitions and intervals are drawn by it"),
    ):
        if needed not in calls:
            problems.append(f"{name}: never calls {needed}: {why}")
    if ast.get_docstring(ast.parse(text, name)) is None:
        problems.append(f"{name}: no docstring that says what the charts show")
    return problems


def figure_problems(chart):
    """What is wrong with a drawn chart, one sentence each."""
    problems = []
    if not chart.question.strip().endswith("?"):
        problems.append(f"title {chart.question!r} is not a question")
    for index, ax in enumerate(chart.panels):
        problems += [f"panel {index + 1} of {chart.question!r}: {problem}" for problem in _panel_problems(ax)]
    return problems


def _panel_problems(ax):
    roles = _roles(ax)
    if not ax.perflab.y:  # says "no valid samples" instead
        return [] if ax.texts else ["is empty and says nothing"]
    problems = []
    if "[" not in ax.get_ylabel():
        problems.append(f"y label {ax.get_ylabel()!r} has no unit in brackets")
    if ax.perflab.numeric_x and not ax.get_xlabel():
        problems.append("x axis has no label")
    if "repetitions" not in roles:
        problems.append("repetitions are not drawn")
    if "interval" not in roles and ax.perflab.interval_known:
        problems.append("no interval is drawn")
    rates = ax.perflab.metric in RATES and not ax.perflab.ratio
    if rates and "ceiling" not in roles and ax.perflab.ceiling_known:
        problems.append("a chart of rates without the measured ceiling")
    joined = [
        line for line in ax.lines if len(line.get_xdata()) > 2 and line.get_linestyle() not in ("None", "")
    ]
    if joined and not ax.perflab.numeric_x:
        problems.append("a line joins values that have no order")
    return problems


def _roles(ax):
    return {artist.perflab_role for artist in ax.get_children() if hasattr(artist, "perflab_role")}


def _title_problems(call, name):
    title = next((keyword.value for keyword in call.keywords if keyword.arg == "title"), None)
    if title is None:
        return [f"{name}:{call.lineno}: figure() without title=; want the question that the chart answers"]
    last = title.values[-1] if isinstance(title, ast.JoinedStr) and title.values else title
    if isinstance(last, ast.Constant) and not str(last.value).rstrip().endswith("?"):
        return [f"{name}:{call.lineno}: title {str(last.value)!r} is not a question"]
    return []


def _called(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
