"""A small tree with labs/ for the tests: two labs with good plot scripts for the run of fixture_run."""

PLOT = '''"""How fast is memory, level by level? For the tests."""
from plots.style import article_band, figure, repetitions_and_median

def draw(table, out):
    part = table.where(experiment="stream", threads=1)
    levels = part.unique("level")
    chart, axes = figure(columns=levels, title="How fast does one core move bytes?", run=table.run)
    for ax, level in zip(axes, levels):
        repetitions_and_median(ax, part.where(level=level), metric="bandwidth")
    article_band(axes[-1], 20, 25, "article: 20-25 GB/s")
    chart.save(out / "LAB.svg", caption="Bandwidth of each pattern at each memory level on one core.")

    part = table.where(experiment="chase")
    chart, axes = figure(title="How long does one dependent read take?", run=table.run)
    repetitions_and_median(axes[0], part, x="working_set_bytes", metric="finish")
    chart.save(out / "LAB_chase.svg")

    part = table.where(experiment="stream", level="DRAM")
    chart, axes = figure(title="Do streaming stores help?", run=table.run)
    repetitions_and_median(axes[0], part, x="threads", metric="finish", value="ratio")
    chart.save(out / "LAB_ratio.svg")
'''

# The same with its first chart alone, for tests that need a chart but not its variety.
ONE_CHART = PLOT.split('\n    part = table.where(experiment="chase")')[0]


def project(folder, plot=None):
    """A tree with labs/NN_name/plot.py for both labs of the constructed run; returns it."""
    for lab in ("04_hardware", "90_second"):
        (folder / "labs" / lab).mkdir(parents=True)
        text = (plot or ONE_CHART).replace("LAB", lab)
        (folder / "labs" / lab / "plot.py").write_text(text, encoding="utf-8")
    return folder
