"""The report: one file, nothing outside it, every claim and lab in it, and loud about what is wrong."""

import re
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

from plots import csv_strict, fixture_claims, fixture_project, fixture_run
from plots.draw_test import ROOT, child


class Page(HTMLParser):
    """Tags, attributes and text of a page; void and SVG leaf tags need no end tag."""

    VOID = {"meta", "br", "img", "link", "input", "hr"}

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.references, self.stack, self.text = [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in self.VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            self.ids += [value] if name == "id" else []
            if name in ("src", "href", "xlink:href", "srcset", "data", "action", "poster"):
                self.references.append(value)
            self.references += re.findall(r"url\(([^)]*)\)", value or "")

    def handle_endtag(self, tag):
        assert self.stack and self.stack[-1] == tag, (tag, self.stack[-3:], self.getpos())
        self.stack.pop()

    def handle_data(self, data):
        if self.stack and self.stack[-1] != "style":
            self.text.append(data)


class Report(unittest.TestCase):
    def setUp(self):
        base = Path(self.enterContext(tempfile.TemporaryDirectory())) / "mein Ordner ü"
        self.folder = fixture_run.build(base / "run", blocks=6)
        self.project = fixture_project.project(base / "project", fixture_project.PLOT)

    def report(self, code=0):
        done = child("plots.report", self.folder, LC_ALL="C")
        self.assertEqual(done.returncode, code, done.stderr)
        self.said = done.stderr
        return (self.folder / "report.html").read_text(encoding="utf-8")

    def words(self, text):
        return " ".join(" ".join(Page(text).text).split())

    def test_is_one_file_without_script_or_address_and_with_unique_ids(self):
        child("plots.draw", self.folder, "--project", self.project)
        text = self.report()
        page = Page(text)
        self.assertEqual(page.stack, [])
        self.assertNotIn("script", page.tags)
        self.assertFalse({"link", "iframe", "object", "embed"} & set(page.tags))
        self.assertNotRegex(text, r"https?://|@import|\bon\w+=")
        for reference in page.references:
            self.assertRegex(reference, r"^(#|data:image/png;base64,)")
        inside = {reference[1:] for reference in page.references if reference.startswith("#")}
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertLessEqual(inside, set(page.ids))
        self.assertEqual(text.count('class="chart wide"'), 6)
        self.assertLess(len(text), 3_000_000)

    def test_shows_every_claim_with_its_word_and_every_lab_with_its_numbers(self):
        text = self.report()
        words = self.words(text)
        for lab in ("04_hardware", "90_second"):
            self.assertIn(f'id="lab-{lab}"', text)
            for row in fixture_claims.claims(lab):
                self.assertIn(f'id="claim-{row["claim_id"]}"', text)
                for column in ("statement", "truth", "holds_when", "do_instead", "verdict", "text"):
                    self.assertIn(" ".join(row[column].split()), words)
        self.assertIn("10 claims", words)
        for expected in (
            "2 holds",
            "2 holds only when",
            "1 does not hold",
            "5 cannot tell here",
            "because it needs a GPU",
            "because it needs 2 GPUs",
            "20–25 GB/s",
            "11.4\u00a0GB/s",
            "differences above 2.1\u202f%",
            "--seed 7",
            "--out 'mein Ordner'",
            "No charts were drawn",
            "What does a byte cost on this machine?",
        ):
            self.assertTrue(" ".join(expected.split()) in words, expected)

    def test_an_undecided_claim_says_what_would_decide_it(self):
        from plots import words

        self.assertEqual(words.next_step("run on a machine with gpu:2")[1], "run on a machine with 2 GPUs")
        self.assertEqual(
            words.next_step("./perflab run 04 --profile article on an idle machine"),
            ("./perflab run 04 --profile article", "on an idle machine"),
        )
        self.assertIn("To find out:", self.words(self.report()))

    def test_every_precondition_that_measuring_names_has_words(self):
        from plots import words

        text = (ROOT / "docs" / "measuring.md").read_text(encoding="utf-8")
        table = text[text.index("P3 asks, in this order:"): text.index("A claim of type bound, count or analytic")]
        codes = re.findall(r"^\| ([a-z]+(?:_[a-z]+)*) \|", table, re.MULTILINE)[1:]
        self.assertGreater(len(codes), 4)
        for code in [*codes, "case_not_run", "clock_unstable", "wrong_memory_level"]:
            self.assertNotIn(words.reason(code), (code, code.replace("_", " ")), code)

    def test_numbers_of_a_card_may_wrap_on_a_phone(self):
        rule = re.search(r"\.numbers small \{[^}]*\}", (ROOT / "plots/templates/report.css").read_text(encoding="utf-8"))
        self.assertNotIn("nowrap", rule.group())

    def test_orders_claims_by_surprise_and_puts_undecided_ones_last(self):
        text = self.report()
        places = [
            text.index(f'id="claim-{name}"')
            for name in (
                "04-memory-20-25",
                "04-streaming-stores",
                "04-scattered-reads",
                "04-roofline-bounds-all",
                "04-two-cores-double",
            )
        ]
        self.assertEqual(places, sorted(places))

    def test_the_interval_graphic_puts_ours_and_the_band_on_one_scale(self):
        from plots import interval_graphic

        row = next(
            row for row in fixture_claims.claims("04_hardware") if row["claim_id"].endswith("memory-20-25")
        )
        svg = interval_graphic.draw(row)
        left, width = map(
            float, re.search(r'class="band" x="([\d.]+)%" y="24" width="([\d.]+)%"', svg).groups()
        )
        dot = float(re.search(r'class="dot" cx="([\d.]+)%"', svg).group(1))
        self.assertLess(dot, left)
        self.assertLess(left + width, 100)
        self.assertIn('aria-label="Article: 20\u00a0GB/s to 25\u00a0GB/s. Here: 11.4\u00a0GB/s', svg)
        self.assertEqual(interval_graphic.draw(row | {"observed": None}), "")

    def test_two_groups_of_times_are_named_beside_the_median_and_its_interval(self):
        path = self.folder / "04_hardware" / "summary.csv"
        header, rows, _ = csv_strict.read(path)
        fields = next(row for _, row in rows if row[header.index("status")] == "ok")
        for column, value in (("bimodal", "1"), ("status", "noisy"), ("status_reason", "bimodal")):
            fields[header.index(column)] = value
        path.write_text("".join(",".join(row) + "\n" for row in [header, *(row for _, row in rows)]), encoding="utf-8")
        fixture_run.write_manifest(self.folder)
        text = self.report()
        row = next(row for row in re.findall(r"<tr.*?</tr>", text, re.DOTALL) if "two groups of times" in row)
        self.assertIn("noisy: two groups of times", self.words(row))
        self.assertRegex(self.words(row), r"\d to [\d.\u2009]+")  # an interval and not a number alone

    def test_text_from_files_is_escaped(self):
        path = self.folder / "04_hardware" / "verdicts.csv"
        path.write_text(
            path.read_text(encoding="utf-8").replace("One DDR4 channel.", "<script>alert(1)</script>&"),
            encoding="utf-8",
        )
        fixture_run.write_manifest(self.folder)
        text = self.report()
        self.assertNotIn("script", Page(text).tags)
        self.assertIn("&lt;script&gt;", text)

    def test_without_claims_the_section_is_absent(self):
        for path in self.folder.rglob("verdicts.csv"):
            path.unlink()
        fixture_run.write_manifest(self.folder)
        text = self.report()
        self.assertNotIn('id="claims"', text)
        self.assertIn('id="lab-04_hardware"', text)

    def test_a_cut_file_is_shown_as_partial_and_named(self):
        path = self.folder / "04_hardware" / "samples.csv"
        path.write_bytes(path.read_bytes()[:-7])
        fixture_run.write_manifest(self.folder)
        words = self.words(self.report())
        self.assertIn("PARTIAL", words)
        self.assertIn("04_hardware/samples.csv: cut inside its last line", words)

    def test_a_broken_file_is_refused_by_name_and_the_other_lab_is_shown(self):
        path = self.folder / "04_hardware" / "summary.csv"
        path.write_bytes(path.read_bytes().replace(b"\n", b"\n1,2\n", 1))
        fixture_run.write_manifest(self.folder)
        words = self.words(self.report(code=4))
        self.assertIn("DATA REFUSED", words)
        self.assertIn("04_hardware/summary.csv:2: 2 fields", words)
        self.assertIn("04_hardware/summary.csv:2: 2 fields", self.said)
        self.assertIn("90 second", words)

    def test_a_file_that_was_changed_after_the_run_is_named(self):
        path = self.folder / "90_second" / "cases.csv"
        path.write_bytes(path.read_bytes().replace(b"passed", b"failed", 1))
        self.assertIn("cases.csv: is not the file", self.words(self.report(code=4)))
        path.unlink()
        self.assertIn("cases.csv: listed in manifest.json but missing", self.words(self.report(code=4)))

    def test_interruption_fault_and_smoke_are_loud(self):
        for status, fault, expected in (
            ("interrupted", 0, "INTERRUPTED, PARTIAL"),
            ("partial", 0, "PARTIAL"),
            ("failed", 0, "FAILED"),
            ("complete", 3, "FAULT PLANTED"),
            ("running", 0, "INTERRUPTED, PARTIAL"),
        ):
            fixture_run.write_manifest(self.folder, status, fault)
            self.assertIn(expected, self.words(self.report()), status)
        fixture_run.write_manifest(self.folder, "interrupted", 2)
        self.assertIn("FAULT PLANTED · INTERRUPTED, PARTIAL", self.words(self.report()))
        fixture_run.write_manifest(self.folder)
        self.assertNotIn('role="alert"', self.report())

    def test_a_failed_plot_is_mentioned_where_its_chart_would_be(self):
        (self.project / "labs" / "04_hardware" / "plot.py").write_text(
            "def draw(table, out):\n    raise KeyError('axis')\n", encoding="utf-8"
        )
        self.assertEqual(child("plots.draw", self.folder, "--project", self.project).returncode, 1)
        text = self.report()
        self.assertIn("A chart is missing. 04_hardware: KeyError", self.words(text))
        self.assertEqual(text.count('class="chart wide"'), 3)

    def test_the_same_run_gives_the_same_bytes(self):
        child("plots.draw", self.folder, "--project", self.project)
        self.assertEqual(self.report(), self.report())

    def test_a_run_with_nothing_but_a_manifest_has_a_report(self):
        for path in list(self.folder.rglob("*.csv")) + list(self.folder.rglob("schema.json")):
            path.unlink()
        fixture_run.write_manifest(self.folder, "failed")
        self.assertIn("FAILED", self.words(self.report()))


if __name__ == "__main__":
    unittest.main()
