"""Charts hold exactly what the files hold, and mixing cases is an error."""

import tempfile
import unittest
from pathlib import Path

from plots import fixture_run, words
from plots.load import load_lab, load_run
from plots.points import PlotError, groups, timed
from plots.units import axis_words, byte_scale, time_scale, value_text


class Points(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        folder = fixture_run.build(Path(cls.temporary.name) / "ü", blocks=10)
        cls.table = load_lab(load_run(folder), "90_second")
        cls.part = cls.table.where(experiment="stream", level="L1", threads=1)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_every_valid_repetition_is_there_and_the_copy_of_the_baseline_is_not(self):
        found = groups(self.part, None, "finish", "median", "variant")
        self.assertEqual(list(found), ["copy", "triad", "triad_nt"])
        samples = [
            row["finish_ns"]
            for row in self.table.samples
            if row["case_id"] == "stream/level=L1/threads=1" and row["variant"] == "triad"
            if row["valid"] == 1 and row["phase"] == "timed"
        ]
        self.assertEqual(found["triad"][""].repetitions, samples)
        self.assertEqual(len(samples), 10)
        self.assertEqual(
            len(self.part.where(variant="triad").samples), 12
        )  # and a warm-up, and one thrown out

    def test_the_median_is_the_summarys_and_a_rate_is_work_over_time(self):
        found = groups(self.part, None, "bandwidth", "median", "variant")["copy"][""]
        row = next(
            row for row in self.part.summary if row["metric"] == "bandwidth" and row["variant"] == "copy"
        )
        self.assertIs(found.row, row)
        case = next(row for row in self.part.cases if row["variant"] == "copy")
        sample = next(row for row in timed(self.part.samples) if row["variant"] == "copy")
        self.assertEqual(
            found.repetitions[0],
            (case["bytes_read_per_iter"] + case["bytes_written_per_iter"]) / sample["finish_ns"],
        )

    def test_ratios_pair_samples_of_the_same_block(self):
        found = groups(self.part, None, "finish", "ratio", "variant", "copy")
        times = {row["variant"]: row["finish_ns"] for row in timed(self.part.samples) if row["block"] == 3}
        self.assertEqual(found["triad"][""].repetitions[3], times["triad"] / times["copy"])

    def test_a_place_that_holds_two_cases_is_an_error_that_names_them(self):
        with self.assertRaisesRegex(PlotError, "level=L1/threads=1.*narrow the table with where"):
            groups(self.table.where(experiment="stream"), "threads", "finish", "median", "variant")

    def test_drawn_medians_and_intervals_are_the_summarys(self):
        from plots import style

        chart, axes = style.figure(title="Is it so?", run=self.table.run)
        style.repetitions_and_median(axes[0], self.part, metric="bandwidth")
        rows = {row["variant"]: row for row in self.part.summary if row["metric"] == "bandwidth"}
        bars = [container for container in axes[0].containers]
        self.assertEqual(len(bars), 3)
        for bar, variant in zip(bars, ("copy", "triad", "triad_nt")):
            ((low, high),) = [segment[:, 1] for segment in bar.lines[2][0].get_segments()]
            self.assertAlmostEqual(low, rows[variant]["ci_lo"], 9)
            self.assertAlmostEqual(high, rows[variant]["ci_hi"], 9)
        dots = sum(
            len(cloud.get_offsets())
            for cloud in axes[0].collections
            if getattr(cloud, "perflab_role", "") == "repetitions"
        )
        self.assertEqual(dots, 30)

    def test_panels_that_share_y_show_all_data_of_each(self):
        from plots import style

        with tempfile.TemporaryDirectory() as folder:
            part = self.table.where(experiment="stream", threads=1)
            chart, axes = style.figure(
                columns=part.unique("level"), title="Is it so?", run=self.table.run, share_y=True
            )
            for ax, level in zip(axes, part.unique("level")):
                style.repetitions_and_median(
                    ax, part.where(level=level), numbers=True, names={"copy": "copying"}
                )
            chart.save(Path(folder) / "x.svg")
            for ax in axes:
                low, high = ax.get_ylim()
                for cloud in ax.collections:
                    if getattr(cloud, "perflab_role", "") == "repetitions":
                        for _, y in cloud.get_offsets():
                            self.assertTrue(low < y < high)
                self.assertEqual(ax.perflab.time, axes[0].perflab.time)
            self.assertEqual([label.get_text() for label in axes[0].get_xticklabels()][0], "copying")

    def test_time_per_item_and_a_function_of_x(self):
        from plots import style

        part = self.table.where(experiment="stream", level="L1")
        (_, axes), (_, whole) = (style.figure(title="Is it so?", run=self.table.run) for _ in range(2))
        copy = part.where(variant="copy")
        style.repetitions_and_median(axes[0], copy, x="threads", x_value=lambda n: n / 2, per=(1000, "read"))
        style.repetitions_and_median(whole[0], copy, x="threads")
        self.assertIn("time per read [", axes[0].get_ylabel())
        self.assertEqual(axes[0].perflab.x_values, [n / 2 for n in whole[0].perflab.x_values])
        drawn, calls = (ax[0].perflab for ax in (axes, whole))
        self.assertAlmostEqual(drawn.y[0] * drawn.y_scale, calls.y[0] * calls.y_scale)
        self.assertEqual(drawn.y_scale, 1000 * drawn.time[0])

    def test_the_baseline_and_the_y_label_take_the_readers_names(self):
        from plots import style

        _, axes = style.figure(title="Is it so?", run=self.table.run)
        style.repetitions_and_median(axes[0], self.part, value="ratio", names={"copy": "plain copying"})
        self.assertIn("plain copying (baseline)", axes[0].perflab.legend)
        self.assertIn("over plain copying [ratio", axes[0].get_ylabel())

    def test_joined_series_stand_apart_where_asked(self):
        from plots import style

        part = self.table.where(experiment="stream", level="L1")
        places = {}
        for apart in (0.0, 0.5):
            _, axes = style.figure(title="Is it so?", run=self.table.run)
            style.repetitions_and_median(axes[0], part, x="threads", apart=apart)
            places[apart] = {tuple(line.get_xdata()) for line in axes[0].lines if len(line.get_xdata()) > 1}
        self.assertEqual(len(places[0.0]), 1)
        self.assertEqual(len(places[0.5]), 3)

    def test_derived_rows_are_the_summarys_with_a_dot_per_block_and_absent_ones_are_left_out(self):
        from plots import style

        row = {"metric": "triad_over_copy_ratio", "case_id": "", "unit": "ratio", "median": 1.5, "ci_lo": 1.25}
        row |= {"ci_hi": 2.0, "status": "ok", "experiment": "stream", "variant": ""}
        part = self.part.where()
        part.summary = [*part.summary, row]
        _, axes = style.figure(title="Is it so?", run=self.table.run)
        entries = [("one", row["metric"], ("triad", "copy", "finish")), ("two", "not_measured_ratio", None)]
        self.assertEqual(style.derived_rows(axes[0], part, entries), 1)
        self.assertEqual(axes[0].perflab.x_values, ["one"])
        ((low, high),) = [s[:, 1] for s in axes[0].containers[0].lines[2][0].get_segments()]
        self.assertEqual((low, high), (1.25, 2.0))
        times = {r["variant"]: r["finish_ns"] for r in timed(self.part.samples) if r["block"] == 3}
        dots = [y for _, y in axes[0].collections[0].get_offsets()]
        self.assertEqual((len(dots), dots[3]), (10, times["triad"] / times["copy"]))
        (number,) = [text for text in axes[0].texts if text.get_text().startswith("1.5")]
        self.assertGreaterEqual(number.xy[0], max(x for x, _ in axes[0].collections[0].get_offsets()))

    def test_a_fault_and_a_partial_run_stand_in_the_subtitle(self):
        from plots.style import subtitle

        run = self.table.run
        self.assertNotIn("PARTIAL", subtitle(run))
        run.fault, run.status = 2, "interrupted"
        self.addCleanup(lambda: (setattr(run, "fault", 0), setattr(run, "status", "complete")))
        self.assertIn("PARTIAL RUN · FAULT 2 PLANTED", subtitle(run))

    def test_units_read_well(self):
        self.assertEqual(
            [value_text(v, "working_set_bytes") for v in (64, 32768, 3 << 29)], ["64 B", "32 KiB", "1.5 GiB"]
        )
        self.assertEqual([value_text(v, "elements") for v in (1000, 65536)], ["1000", "64 Ki"])
        self.assertEqual(value_text("random_4KiB"), "random 4KiB")
        self.assertEqual(axis_words("stride_bytes"), ("stride", "bytes"))
        self.assertEqual(value_text(2262.3), "2\u2009262")
        self.assertEqual([byte_scale(v)[1] for v in (512, 1024, 3 << 20)], ["bytes", "KiB", "MiB"])
        self.assertEqual(words.figure(34226176, "bytes"), "32.6\u00a0MiB")
        self.assertEqual([time_scale(v)[1] for v in (0.5, 1e3, 5e6, 2e9)], ["ns", "µs", "ms", "s"])


if __name__ == "__main__":
    unittest.main()
