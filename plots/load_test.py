"""The loader: exact leading rows or a refusal that names file and line."""

import os
import tempfile
import unittest
from pathlib import Path

from plots import csv_strict, fixture_run
from plots.load import DataError, Table, environment_items, load_lab, load_run, machine_line, run_status


def parsed(text):
    return csv_strict.parse(text if isinstance(text, bytes) else text.encode("utf-8"), "x.csv")


class StrictCsv(unittest.TestCase):
    def test_reads_quotes_commas_and_line_ends_inside_quotes(self):
        header, records, partial = parsed('a,b\n"1,""2""","x\ny"\n3,\n')
        self.assertEqual(
            (header, [fields for _, fields in records]), (["a", "b"], [['1,"2"', "x\ny"], ["3", ""]])
        )
        self.assertEqual([line for line, _ in records], [2, 4])
        self.assertFalse(partial)

    def test_refuses_broken_files_with_file_and_line(self):
        cases = {
            "a,b\n1,2\n3\n": "x.csv:3: 1 fields; want 2",
            "a,b\r\n1,2\r\n": "x.csv:1:",
            "a,a\n": "twice",
            'a\nx"y\n"\n': "x.csv:2:",
            "\ufeffa\n1\n": "byte order mark",
            "": "header",
            "a": "header",
            'a,b\n"1"2,3\n': "x.csv:2:",
            "a\n1\x00\n": "x.csv:2:",
            "a\n1\n\n2,3\n": "x.csv:4:",
        }
        for text, expected in cases.items():
            with self.subTest(text=text), self.assertRaises(DataError) as caught:
                parsed(text)
            self.assertIn(expected, str(caught.exception))

    def test_refuses_latin_1(self):
        with self.assertRaisesRegex(DataError, "x.csv:2: .*not UTF-8"):
            parsed(b"a\n\xfc\n")

    def test_a_file_cut_at_any_byte_gives_exact_leading_rows_or_a_refusal(self):
        whole = 'name,text\nü,"a,b"\nn,"two\nlines"\nlast,1\n'.encode("utf-8")
        rows = [fields for _, fields in parsed(whole)[1]]
        for size in range(len(whole)):
            try:
                _, records, partial = parsed(whole[:size])
            except DataError:
                self.assertLess(size, len(b"name,text\n"))
                continue
            got = [fields for _, fields in records]
            self.assertEqual(got, rows[: len(got)])
            boundary = whole[:size].endswith(b"\n") and whole[:size].count(b'"') % 2 == 0
            self.assertEqual(partial, not boundary, size)

    def test_numbers_are_finite_and_keep_their_kind(self):
        self.assertEqual(
            [csv_strict.number(text, "x", 1, "c") for text in ("", "3", "-2.5e3")], [None, 3, -2500.0]
        )
        for text in ("nan", "inf", "1e999", "0x10", " 1", "1,0", "one"):
            with self.subTest(text=text), self.assertRaises(DataError):
                csv_strict.number(text, "x", 1, "c")


class Machine(unittest.TestCase):
    def test_the_machine_in_one_line_says_what_a_reader_must_know(self):
        def item(value):
            return {"value": value, "source": "somewhere", "status": "PASS"}

        env = {
            "cpu_model": item("Chip X"),
            "effective_cpus": item(2),
            "memory_bytes": item(8 << 30),
            "wsl": item(False),
        }
        env |= {"hypervisor": item(True), "container": item("docker"), "os": item("Debian 12")}
        line = machine_line({}, environment_items(env))
        self.assertEqual(line, "Chip X · 2 CPUs · 8 GiB · virtual machine · in docker · Debian 12")
        env |= {"hypervisor": item(False), "container": item("none found"), "effective_cpus": item(1)}
        self.assertEqual(machine_line({}, environment_items(env)), "Chip X · 1 CPU · 8 GiB · Debian 12")
        self.assertEqual(machine_line({}, []), "unknown machine")


class Loading(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())) / "Läufe von heute"
        fixture_run.build(self.folder, blocks=6)

    def table(self) -> Table:
        return load_lab(load_run(self.folder), "04_hardware")

    def test_types_axes_and_keeps_the_labs_order(self):
        table = self.table()
        self.assertEqual(list(table.unique("level")), ["L1", "L2", "DRAM"])
        self.assertEqual(list(table.unique("threads")), [1, 2])
        self.assertEqual(
            list(table.where(experiment="stream").unique("variant")), ["copy", "triad", "triad_nt"]
        )
        self.assertEqual(table.unique("working_set_bytes")[:2], [4096, 16384])
        self.assertEqual(table.run.machine, "Constructed CPU (a test fixture) · 2 cores · 8 GiB")

    def test_where_narrows_rows_and_leaves_claims_and_ceilings(self):
        table = self.table()
        part = table.where(experiment="stream", level="DRAM", threads=2, variant=["copy", "triad"])
        self.assertEqual((len(part.samples), len(part.cases)), (16, 2))
        self.assertEqual((len(part.verdicts), len(part.ceilings)), (8, 18))
        self.assertEqual(table.ceiling("DRAM", "copy", 1)[1], "GBps")
        self.assertIsNone(table.ceiling("L9"))
        with self.assertRaisesRegex(KeyError, "no axis or column 'colour'.*level, threads"):
            table.where(colour="red")

    def test_names_file_and_line_of_a_broken_row(self):
        path = self.folder / "04_hardware" / "samples.csv"
        lines = path.read_text(encoding="utf-8").split("\n")
        lines[4] += ",1"
        path.write_text("\n".join(lines), encoding="utf-8")
        with self.assertRaisesRegex(DataError, r"04_hardware/samples\.csv:5: 38 fields; want 37"):
            self.table()

    def test_refuses_a_missing_column_and_a_nan(self):
        path = self.folder / "04_hardware" / "summary.csv"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(",median,", ",middle,", 1), encoding="utf-8")
        with self.assertRaisesRegex(DataError, "no column 'median'"):
            self.table()
        path.write_text(text.replace(",0.979,", ",nan,", 1).replace(",0.959,", ",nan,", 1), encoding="utf-8")
        with self.assertRaisesRegex(DataError, r"summary\.csv:2: ci_level is 'nan'"):
            self.table()

    def test_a_cut_file_and_an_unfinished_one_are_partial(self):
        path = self.folder / "04_hardware" / "samples.csv"
        data = path.read_bytes()
        path.write_bytes(data[:-5])
        whole = data.count(b"\n") - 1
        table = self.table()
        self.assertEqual(len(table.samples), whole - 1)
        self.assertEqual(len(table.run.partial), 1)
        path.rename(path.with_name("samples.csv.part"))
        self.assertIn("samples.csv.part", self.table().run.partial[0])

    def test_a_run_that_still_says_running_was_interrupted_unless_its_process_lives(self):
        fixture_run.write_manifest(self.folder, "running")
        self.assertEqual(load_run(self.folder).status, "interrupted")
        ticks = int(Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19])
        process = {"pid": os.getpid(), "start_ticks": ticks}
        self.assertEqual(run_status({"status": "running", "process": process}), "running")
        self.assertEqual(
            run_status({"status": "running", "process": process | {"start_ticks": 1}}), "interrupted"
        )
        (self.folder / "manifest.json").write_text("{}", encoding="utf-8")
        self.assertEqual(load_run(self.folder).status, "failed")


if __name__ == "__main__":
    unittest.main()
