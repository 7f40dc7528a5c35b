"""Predictions in the report: only where something was asked, every outcome in words, marks on one scale."""

import json
import re
import tempfile
import unittest
from pathlib import Path

from plots import fixture_run, predictions
from plots.draw_test import child
from plots.report_test import Page

HEADER = (
    "lab_id question_id text kind unit predicted predicted_lo predicted_hi choice measured ci_lo ci_hi "
    "measured_choice hit factor_off interval_score reason reveal"
).split()
SCORE = (
    "lab_id questions_count answered_count measured_count intervals_count interval_hits_count "
    "asked_coverage_share mean_interval_score numbers_count number_hits_count choices_count "
    "choices_right_count text"
).split()
LAB = "04_hardware"


def row(question_id, kind, **fields):
    return {"lab_id": LAB, "question_id": question_id, "kind": kind, "unit": "ratio", "text": f"{question_id}?"} | fields


ROWS = [
    row("hit-range", "interval", predicted=30, predicted_lo=10, predicted_hi=90, measured=61, ci_lo=58.4, ci_hi=63.9,
        hit=1, factor_off=2.03, interval_score=3.17, reveal="It <b>holds</b> & how."),
    row("missed-range", "interval", predicted=3, predicted_lo=2, predicted_hi=4.5, measured=61, ci_lo=58.4, ci_hi=63.9,
        hit=0, factor_off=20.3, interval_score=38.8, reason="machine_busy", reveal="Why."),
    row("number", "number", predicted=20, predicted_lo=20, predicted_hi=20, measured=61, hit=0, factor_off=3.05,
        reveal="Why."),
    row("zero", "number", predicted=1, predicted_lo=1, predicted_hi=1, measured=0, ci_lo=0, ci_hi=0, hit=0,
        unit="count", reveal="Why."),
    row("chosen", "choice", choice="same", measured=1.02, measured_choice="same", hit=1, reveal="Why."),
    row("skipped", "number", measured=61, ci_lo=58.4, ci_hi=63.9, reveal="Shown all the same."),
    row("missing", "number", predicted=1, predicted_lo=1, predicted_hi=1, reason="needs_gpus:1",
        reveal="Not to be seen."),
]
TEXT = "1 of 2 ranges held what was measured; at 80 % sure, 1.6 would be expected."


class Predictions(unittest.TestCase):
    def setUp(self):
        base = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder = fixture_run.build(base / "run", blocks=6)

    def predict(self, rows=ROWS, **score):
        lab = self.folder / LAB
        fixture_run.write_csv(lab / "predictions.csv", HEADER, rows)
        counts = dict.fromkeys(SCORE, 0) | {"lab_id": LAB, "text": TEXT, "answered_count": 5} | score
        fixture_run.write_csv(lab / "calibration.csv", SCORE, [counts])
        schema = json.loads((lab / "schema.json").read_text(encoding="utf-8"))
        choices = [{"word": word, "text": f"it takes {word}"} for word in ("less", "same", "more")]
        schema["questions"] = [{"question_id": "chosen", "choices": choices}]
        (lab / "schema.json").write_text(json.dumps(schema), encoding="utf-8")
        fixture_run.write_manifest(self.folder)

    def report(self, code=0):
        done = child("plots.report", self.folder, LC_ALL="C")
        self.assertEqual(done.returncode, code, done.stderr)
        return (self.folder / "report.html").read_text(encoding="utf-8")

    def words(self, text):
        return " ".join(" ".join(Page(text).text).split())

    def test_without_predictions_there_is_no_word_of_them(self):
        self.assertNotIn("prediction", self.words(self.report()).lower())

    def test_every_question_is_shown_with_its_outcome_in_words(self):
        self.predict(intervals_count=2, interval_hits_count=1, choices_count=1, choices_right_count=1, numbers_count=2)
        text = self.report()
        words = self.words(text)
        self.assertEqual(Page(text).stack, [])
        for expected in (
            "Your predictions : 1 of 2 ranges hit, 0 of 2 numbers hit, 1 of 1 choice right",
            TEXT,
            *(f"{one['question_id']}?" for one in ROWS),
            "missed; the middle is off by a factor of 20.3",
            "off by a factor of 3.05",
            "busy machine",
            "not measured: it needs a GPU",
            "not predicted",
            "it takes same measured, you",
            "measured 61×",
            "you 2 to 4.50×",
            "It <b>holds</b> & how.",
            "Shown all the same.",
        ):
            self.assertIn(expected, words)
        self.assertNotIn("Not to be seen.", words)
        self.assertNotIn("prediction", self.words(text.split('id="lab-90_second"')[1].split("</section>")[0]).lower())
        self.assertLess(text.index("1 of 2 ranges hit"), text.index('id="claims"'))  # at the top

    def test_where_nothing_was_answered_the_questions_are_shown_without_a_score(self):
        self.predict([ROWS[5]], answered_count=0, text="Nothing was predicted.")
        words = self.words(self.report())
        self.assertIn("The questions, measured", words)
        self.assertIn("Shown all the same.", words)
        self.assertNotIn("Your predictions", words)
        self.assertNotIn("Nothing was predicted", words)

    def test_marks_lie_on_one_scale(self):
        def places(one):
            svg = predictions.draw(dict.fromkeys(HEADER) | one)
            edges = sorted({float(x) for x in re.findall(r'class="edge" x1="([\d.]+)%"', svg)})
            return edges, float(re.search(r'class="dot" cx="([\d.]+)%"', svg).group(1)), svg

        edges, dot, svg = places(ROWS[0])
        self.assertTrue(edges[0] < dot < edges[1])
        self.assertEqual(svg.count('class="rail"'), 2)
        edges, dot, svg = places(ROWS[1])
        self.assertTrue(edges[0] < edges[1] < dot)
        self.assertIn('aria-label="You: 2 to 4.50×. Measured: 61×."', svg)
        edges, dot, svg = places(ROWS[3])  # zero: no logarithm, still a picture
        self.assertTrue(dot < edges[0] and len(edges) == 1)
        self.assertEqual(predictions.draw(dict.fromkeys(HEADER) | ROWS[6]), "")
        for one in ROWS[:4]:
            for x in re.findall(r'(?:x|x1|x2|cx)="(-?[\d.]+)%"', places(one)[2]):
                self.assertTrue(0 <= float(x) <= 100, (one["question_id"], x))

    def test_a_logarithmic_scale_puts_equal_factors_at_equal_distances(self):
        one = ROWS[0] | {"predicted_lo": 1, "predicted_hi": 100, "measured": 10, "ci_lo": None, "ci_hi": None}
        svg = predictions.draw(dict.fromkeys(HEADER) | one)
        left, right = sorted({float(x) for x in re.findall(r'class="edge" x1="([\d.]+)%"', svg)})
        dot = float(re.search(r'class="dot" cx="([\d.]+)%"', svg).group(1))
        self.assertAlmostEqual(dot - left, right - dot, delta=0.02)

    def test_predictions_that_are_not_the_sealed_ones_are_named(self):
        self.predict()
        manifest = self.folder / "manifest.json"
        manifest.write_text(
            json.dumps(json.loads(manifest.read_text(encoding="utf-8")) | {"predictions_sha256": "0" * 64}),
            encoding="utf-8",
        )
        (self.folder / "predictions.json").write_text("{}\n", encoding="utf-8")
        words = self.words(self.report(code=4))
        self.assertIn("DATA REFUSED", words)
        self.assertIn("predictions.json: is not the file that was sealed", words)

    def test_a_broken_table_is_refused_by_name(self):
        self.predict()
        path = self.folder / LAB / "predictions.csv"
        path.write_text(path.read_text(encoding="utf-8").replace(",20.3,", ",much,"), encoding="utf-8")
        fixture_run.write_manifest(self.folder)
        self.assertIn("predictions.csv:3: factor_off is 'much'", self.words(self.report(code=4)))


if __name__ == "__main__":
    unittest.main()
