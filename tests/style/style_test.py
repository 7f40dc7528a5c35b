"""The style checks can fail: each is run on a small made-up tree with one fault, and on the same tree without it."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import clocks
import formatting
import includes
import labs_table
import numbers_in_c_locale
import readmes
import tree

SIX = "".join(f"## {heading}\n\nText.\n\n" for heading in readmes.HEADINGS)
LAUNCHER = "  ./perflab run [LAB ...]   measures\n  ./perflab test\n  ./perflab --version\n"


class InATree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def refuses(self, check, name, text, because):
        """check finds exactly one problem in the file, it names the file and the reason."""
        self.put(name, text)
        problems, _ = check(self.root)
        (self.root / name).unlink()
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(because, problems[0])
        self.assertIn(name.split("/README")[0], problems[0])

    def accepts(self, check, name, text):
        self.put(name, text)
        problems, seen = check(self.root)
        (self.root / name).unlink()
        self.assertEqual(problems, [])
        self.assertGreaterEqual(seen, 1)


class Includes(InATree):
    def test_layers(self):
        self.refuses(includes.check, "core/base/a.h", '#include "device/device.h"\n', "base must not include")
        self.refuses(includes.check, "core/bench/a.cpp", '#include "ops/op.h"\n', "bench must not include")
        self.refuses(includes.check, "core/graph/a.cpp", '#include "amp/autocast.h"\n', "graph must not include")
        self.refuses(includes.check, "core/new/a.cpp", '#include "base/a.h"\n',
                     "not in the table")
        self.refuses(includes.check, "core/bench/a.cpp", '#include "case.h"\n', "does not start with a layer")
        self.refuses(includes.check, "core/base/a.cpp", "#include <omp/x.h>\n", "base may include")
        self.accepts(includes.check, "core/driver/a.cpp", '#include "bench/run.h"\n#include "base/check.h"\n')
        self.accepts(includes.check, "core/base/a_test.cpp", '#include "bench/run.h"\n#include <gtest/gtest.h>\n')

    def test_labs(self):
        self.refuses(includes.check, "labs/04_x/a.cpp", '#include "../05_y/b.h"\n', "another lab")
        self.refuses(includes.check, "labs/04_x/a.cpp", '#include "cuda/cuda_device.h"\n', "loaded, not included")
        self.accepts(includes.check, "labs/04_x/a.cpp", '#include "kernels.h"\n#include "bench/case.h"\n')

    def test_outside_libraries(self):
        for header, name in [("benchmark/benchmark.h", "core/bench/a.cpp"), ("mpi.h", "core/comm/a.cpp"),
                             ("cuda_runtime.h", "labs/04_x/a.cpp"), ("nccl.h", "core/comm/a.cpp"),
                             ("openssl/evp.h", "core/bench/a.cpp"), ("nlohmann/json.hpp", "core/bench/a.cpp"),
                             ("toml++/toml.h", "core/driver/a.cpp"), ("CLI/CLI.hpp", "core/driver/a.h"),
                             ("immintrin.h", "labs/04_x/a.cpp"), ("gtest/gtest.h", "core/bench/a.cpp")]:
            self.refuses(includes.check, name, f"#include <{header}>\n", f"<{header}> belongs to")
        self.accepts(includes.check, "core/bench/sha256.cpp", "#include <openssl/evp.h>\n")
        self.accepts(includes.check, "core/driver/a.cpp", "#include <CLI/CLI.hpp>\n")

    def test_algorithms_are_included(self):
        uses = "void f(int* a) { std::sort(a, a + 2); }\n"
        self.refuses(includes.check, "core/bench/a.cpp", uses, "std::sort needs #include <algorithm>")
        self.accepts(includes.check, "core/bench/a.cpp", "#include <algorithm>\n" + uses)
        self.accepts(includes.check, "core/bench/a.cpp", "// std::sort(a) is not called\n")
        self.put("core/bench/b.h", "#include <algorithm>\n")
        self.accepts(includes.check, "core/bench/b.cpp", '#include "bench/b.h"\n' + uses)

    def test_no_feature_conditionals(self):
        self.refuses(includes.check, "core/comm/a.cpp", "  # ifdef HAVE_MPI\n", "CMake selects")
        self.refuses(includes.check, "labs/04_x/a.cpp", "#if defined(__AVX2__)\n", "CMake selects")
        self.accepts(includes.check, "core/base/simd.h", "#if defined(__AVX2__)\n#include <immintrin.h>\n")
        self.accepts(includes.check, "core/base/a.cpp", "// #if in a comment\n")


class Clocks(InATree):
    def test_sources(self):
        self.refuses(clocks.check, "core/bench/a.cpp", "auto t = std::chrono::high_resolution_clock::now();\n", "steps")
        self.refuses(clocks.check, "core/bench/a.cpp", "auto t = std::chrono::system_clock::now();\n", "utc_text")
        self.accepts(clocks.check, "core/base/clock.cpp", "auto t = std::chrono::system_clock::now();\n")

    def test_assertions(self):
        real = "auto t = steady_clock().now_ns();\n"
        for statement in ["EXPECT_LT(elapsed, 0.2);\n", "ASSERT_GE(elapsed_s(), 1.0);\n", "EXPECT_NEAR(seconds, 2, 1);\n",
                          "EXPECT_LE(\n    time_taken.elapsed_ms,\n    250);\n", "EXPECT_TRUE(elapsed < 3);\n",
                          real + "EXPECT_LT(finish_ns, 200);\n"]:
            self.refuses(clocks.check, "core/bench/a_test.cpp", statement, "measured time")
        self.put("core/bench/a.cpp", "int a;\n")
        for statement in ["self.assertLess(elapsed, 3)\n", "assert duration < 3\n",
                          "t = time.monotonic()\nself.assertLess(run_s, 3)\n"]:
            self.refuses(clocks.check, "tests/a_test.py", statement, "measured time")
        for statement in ["EXPECT_NEAR(summary.median_ns, 5, 1e-9);\n", real + "EXPECT_GT(sample.finish_ns, 0);\n",
                          "EXPECT_EQ(clock.now_ns(), 250);\n", '// EXPECT_LT(elapsed, 1);\n']:
            self.accepts(clocks.check, "core/bench/a_test.cpp", statement)


class Readmes(InATree):
    def setUp(self):
        super().setUp()
        self.put("perflab", LAUNCHER)
        self.put("CMakeLists.txt", "project(perflab VERSION 0.1.0 LANGUAGES CXX)\n")
        self.put("CITATION.cff", "version: 0.1.0\n")
        for name in ("Containerfile", ".devcontainer/devcontainer.json"):
            self.put(name, "./perflab --yes run\n")
        self.put("labs/04_x/README.md", "# Lab 04\n\n" + SIX)
        for name in ("lab.cpp", "claims.csv", "plot.py"):
            self.put("labs/04_x/" + name, "\n")

    def test_six_headings(self):
        good = "# Lab 05\n\n" + SIX
        for name in ("lab.cpp", "claims.csv", "plot.py"):
            self.put("labs/05_y/" + name, "\n")
        self.accepts(readmes.check, "labs/05_y/README.md", good)
        self.refuses(readmes.check, "labs/05_y/README.md", good.replace("## Predict", "## Guess"), "want exactly")
        self.refuses(readmes.check, "labs/05_y/README.md", good + "## More\n", "want exactly")
        self.refuses(readmes.check, "labs/05_y/README.md", good[:good.rindex("Text.")], "'Not measured here' is empty")
        self.refuses(readmes.check, "labs/05_y/README.md", good[2:], "Title")

    def test_questions_stand_under_predict(self):
        for name in ("lab.cpp", "claims.csv", "plot.py"):
            self.put("labs/05_y/" + name, "\n")
        self.put("labs/05_y/questions.csv", "question_id,text\nhow-fast,\"How\nfast?\"\n")
        good = "# Lab 05\n\n" + SIX.replace("## Predict\n\n", "## Predict\n\n1. `how-fast`: Guess.\n")
        self.accepts(readmes.check, "labs/05_y/README.md", good)
        self.refuses(readmes.check, "labs/05_y/README.md", good.replace("`how-fast`", "how-fast"), "`how-fast`")
        elsewhere = good.replace("`how-fast`", "It") + "`how-fast`\n"
        self.refuses(readmes.check, "labs/05_y/README.md", elsewhere, "'Predict' does not name")

    def test_a_lab_is_whole(self):
        self.put("labs/06_z/README.md", "# Lab 06\n\n" + SIX)
        self.put("labs/06_z/lab.cpp", "\n")
        self.put("labs/06_z/plot.py", "\n")
        self.assertEqual(readmes.check(self.root)[0], ["labs/06_z has no claims.csv"])

    def test_commands(self):
        fenced = "```\n{}\n```\n".format
        for line in ["./perflab run 04", "cd x && ./perflab test --all", "./perflab --yes run", "./perflab # help"]:
            self.accepts(readmes.check, "README.md", fenced(line))
        self.refuses(readmes.check, "README.md", fenced("./perflab measure"), "no verb 'measure'")
        self.refuses(readmes.check, "README.md", fenced("./perflab test && ./perflab tets"), "no verb 'tets'")
        self.refuses(readmes.check, "README.md", fenced("./perflab run 09"), "no lab 09")
        self.refuses(readmes.check, "README.md", fenced("./perflab run --profile fast"), "experiments/fast.toml")
        self.accepts(readmes.check, "README.md", fenced("./perflab run --profile my.toml"))

    def test_citation_and_containers(self):
        self.refuses(readmes.check, "CITATION.cff", "version: 0.2.0\n", "CMakeLists.txt has 0.1.0")
        self.put("CITATION.cff", "version: 0.1.0\n")
        self.refuses(readmes.check, "Containerfile", "./perflab --yes rum\n", "no verb 'rum'")
        self.put("Containerfile", "./perflab run\n")
        self.refuses(readmes.check, ".devcontainer/devcontainer.json", "{}\n", "calls no verb")

    def test_the_reading_order_names_files_that_exist(self):
        self.put("core/ops/op.h", "\n")
        self.put("core/ops/cpu/map.cpp", "\n")
        row = "| core/ops/op.h, {} | what it is |\n".format
        self.accepts(readmes.check, "docs/architecture.md", row("cpu/map.cpp"))
        self.refuses(readmes.check, "docs/architecture.md", row("cpu/gone.cpp"), "core/ops/cpu/gone.cpp")

    def test_links(self):
        self.refuses(readmes.check, "README.md", "See [it](docs/none.md#part).\n", "leads nowhere")
        self.accepts(readmes.check, "README.md", "See [it](labs/04_x/README.md#run), [web](https://example.org/a).\n")


    def test_commands_in_indented_blocks_are_looked_at_too(self):
        self.refuses(readmes.check, "README.md", "Run:\n\n    ./perflab measure   # all\n", "no verb 'measure'")
        self.accepts(readmes.check, "README.md", "- a list\n    with ./perflab measure in its text\n")


class Numbers(InATree):
    def test_conversions_that_ask_the_locale(self):
        for line in ["double x = std::stod(text);\n", "double x = strtod(text, nullptr);\n", "double x = atof(text);\n",
                     'std::setlocale(LC_ALL, "");\n', "std::locale::global(a);\n"]:
            self.refuses(numbers_in_c_locale.check, "core/bench/a.cpp", line, "locale")
        for line in ["double x = parse_number(text);\n", "// std::stod\n", "std::stringstream s;\n"]:
            self.accepts(numbers_in_c_locale.check, "core/bench/a.cpp", line)


class LabsTable(InATree):
    def run_tool(self, *arguments):
        with mock.patch.object(sys, "argv", ["labs_table.py", str(self.root), *arguments]):
            with contextlib.redirect_stdout(io.StringIO()):
                return labs_table.main()

    def test_stale_until_written_and_again_after_a_change(self):
        self.put("labs/04_x/README.md", "# Lab 04\n\n## Question\n\nWhat is\nfast?\n\nMore.\n")
        self.assertEqual(self.run_tool("--check"), 1)
        self.assertEqual(self.run_tool("--write"), 0)
        self.assertEqual(self.run_tool("--check"), 0)
        self.assertIn("| [04_x](../labs/04_x/README.md) | What is fast? |", (self.root / "docs/labs.md").read_text())
        self.put("labs/04_x/README.md", "# Lab 04\n\n## Question\n\nWhat is slow?\n")
        self.assertEqual(self.run_tool("--check"), 1)


class Formatting(InATree):
    def run_tool(self):
        with mock.patch.object(sys, "argv", ["formatting.py", str(self.root)]):
            with contextlib.redirect_stdout(io.StringIO()):
                return formatting.main()

    def test_judges_a_badly_and_a_well_formatted_file(self):
        self.put(".clang-format", "BasedOnStyle: Google\n")
        self.put("core/base/a.cpp", "int   a ;\n")
        bad = self.run_tool()
        if bad == formatting.SKIPPED:
            self.skipTest("no clang-format " + formatting.MAJOR)
        self.assertEqual(bad, 1)
        self.put("core/base/a.cpp", "int a;\n")
        self.assertEqual(self.run_tool(), 0)

    def test_is_skipped_without_the_tool(self):
        with mock.patch.object(formatting.shutil, "which", return_value=None):
            self.assertEqual(self.run_tool(), formatting.SKIPPED)


class Main(InATree):
    def test_an_empty_tree_is_a_failure(self):
        with mock.patch.object(sys, "argv", ["x", str(self.root)]), contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(tree.main(includes.check), 1)
            self.put("core/base/a.h", "int a;\n")
            self.assertEqual(tree.main(includes.check), 0)


if __name__ == "__main__":
    unittest.main()
