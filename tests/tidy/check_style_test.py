#!/usr/bin/env python3
"""Shows that each check of conventions sees what it is there for, in a small tree made for it."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).with_name("check_style.py")


class CheckStyle(unittest.TestCase):
    def run_on(self, files, *options):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, CHECKER, *options, folder], capture_output=True, text=True)
            return done.returncode, done.stdout

    def refused(self, check, path, text, why, line=1, **others):
        code, output = self.run_on({path: text, **others}, "--only", check)
        self.assertEqual(code, 1, output)
        self.assertIn(f"{path}:{line}:", output)
        self.assertIn(why, output)

    def test_a_clean_tree_passes(self):
        code, output = self.run_on({
            ".clang-format": "BasedOnStyle: Google\n",
            "core/a.cpp": "int f() {\n  f();\n  return 1;\n}\n",
            "README.md": "# A tree\n\nSee [below](#below-it) and [a](core/README.md#a-1).\n\n## Below it\n",
            "core/README.md": "# A\n\n# A\n",
        })
        self.assertEqual(code, 0, output)

    def test_an_empty_tree_is_not_a_pass(self):
        self.assertEqual(self.run_on({})[0], 1)

    def test_lines_have_120_columns(self):
        self.refused("lines", "core/a.cpp", "// " + "x" * 118 + "\n", "121 columns")
        self.assertEqual(self.run_on({"core/a.cpp": "// " + "x" * 117 + "\n"}, "--only", "lines")[0], 0)

    def test_files_have_500_lines(self):
        self.refused("files", "core/a.cpp", "\n" * 501, "501 lines", line=500)

    def test_functions_have_70_lines(self):
        body = "  f();\n" * 69
        self.refused("functions", "core/a.cpp", "void f() {\n" + body + "}\n", "71 lines")
        self.refused("functions", "core/a.cpp", "void f(int a,\n       int b) {\n" + body + "}\n", "72 lines")
        self.assertEqual(self.run_on({"core/a.cpp": "struct F {\n" + body + "};\nnamespace n {\n" + body + "}\n"}, "--only", "functions")[0], 0)

    @unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
    def test_sources_are_formatted(self):
        self.refused("format", "core/a.cpp", "int  a;\n", "not formatted", **{".clang-format": "BasedOnStyle: Google\n"})

    @unittest.skipUnless(shutil.which("luacheck"), "luacheck is not installed")
    def test_rules_pass_luacheck(self):
        self.refused("lua", "rules/a.lua", "local unused = 1\n", "unused variable")

    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed")
    def test_scripts_pass_shellcheck(self):
        self.refused("shell", "packaging/a", "#!/bin/sh\ncd $1\nrm -r $DIR/\n", "SC2164", line=2)

    def test_private_words_are_refused_and_may_be_allowed(self):
        self.refused("words", "core/a.cpp", "// Whoever asks.\n", "'Whoever' is no term of the field")
        allowed = {"core/a.cpp": "// whoever\n", "tests/tidy/words_allowed.txt": "core/a.cpp whoever  # a quotation\n"}
        self.assertEqual(self.run_on(allowed, "--only", "words")[0], 0)

    def test_links_lead_somewhere(self):
        self.refused("links", "README.md", "[a](b.md)\n", "leads nowhere")
        self.refused("links", "README.md", "[a](#c)\n", "there is no such heading")
        self.refused("links", "README.md", "[a](b.md#c)\n", "there is no such heading", **{"core/x.md": "", "b.md": "# D\n"})

    def test_what_is_pending_passes_until_it_is_gone(self):
        files = {"core/a.cpp": "\n" * 501, "tests/tidy/pending.txt": "# old\nfiles core/a.cpp\n"}
        self.assertEqual(self.run_on(files, "--only", "files")[0], 0)
        code, output = self.run_on({**files, "core/a.cpp": "\n"}, "--only", "files")
        self.assertEqual(code, 1, output)
        self.assertIn("nothing is left of 'files core/a.cpp'", output)


if __name__ == "__main__":
    unittest.main()
