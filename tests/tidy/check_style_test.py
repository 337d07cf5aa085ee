#!/usr/bin/env python3
"""Shows that each check of style finds what it is there for, in a small tree made for it."""
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
        types = "struct F {\n" + body + "};\nnamespace n {\n" + body + "}\n"
        self.assertEqual(self.run_on({"core/a.cpp": types}, "--only", "functions")[0], 0)
        members = "class F {\n public:\n  int a;\n  void f() {\n" + "    f();\n" * 69 + "  }\n};\n"
        self.refused("functions", "core/a.hpp", members, "71 lines", line=4)
        self.refused("functions", "core/a.py", "def f():\n" + "    f()\n" * 70, "71 lines")

    @unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
    def test_sources_are_formatted(self):
        style = {".clang-format": "BasedOnStyle: Google\n"}
        self.refused("format", "core/a.cpp", "int  a;\n", "not formatted", **style)

    @unittest.skipUnless(shutil.which("luacheck"), "luacheck is not installed")
    def test_rules_pass_luacheck(self):
        self.refused("lua", "rules/a.lua", "local unused = 1\n", "unused variable")

    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed")
    def test_scripts_pass_shellcheck(self):
        self.refused("shell", "packaging/a", "#!/bin/sh\ncd $1\nrm -r $DIR/\n", "SC2164", line=2)

    def words_of(self, path, text, allowed=""):
        files = {path: text, "tests/tidy/words_allowed.txt": allowed}
        _, output = self.run_on(files, "--only", "words")
        return [line.split(" is no term")[0] for line in output.splitlines()[:-1]]

    def test_private_words_are_refused_in_what_people_read(self):
        self.refused("words", "core/a.cpp", "// Whoever asks.\n", "'Whoever' is no term of the field; write worker")
        self.refused("words", "core/a.hpp", "/* a\n   lesson */\n", "'lesson' is no term", line=2)
        self.refused("words", "core/a.cpp", 'f("Nobody paid.");\n', "'Nobody' is no term")
        self.refused("words", "core/a.cpp", 'f(10\'000, R"(the\nother notice)");\n', "'other notice' is no", line=2)
        self.refused("words", "rules/a.lua", "local a = 1 -- put off\n", "'put off' is no term")
        self.refused("words", "tests/a.py", 'f()  # told\n', "'told' is no term")
        self.refused("words", "packaging/a", "#!/bin/sh\n# told\n", "'told' is no term", line=2)
        self.refused("words", "README.md", "A second person decides.\n", "'second person' is no term")
        self.refused("words", "api/a.yaml", "a: a lesson\n", "'lesson' is no term")

    def test_names_and_other_meanings_are_no_private_words(self):
        code = 'int told = lesson("told", "SELECT told FROM a");  // of `told` and "told"\n'
        self.assertEqual(self.words_of("core/a.cpp", code), [])
        page = "A change that a user notices. See [a](told/a.md).\n\n```\ntold\n```\n"
        self.assertEqual(self.words_of("README.md", page), [])

    def test_a_private_word_may_be_allowed_with_a_reason(self):
        self.assertEqual(self.words_of("core/a.cpp", "// whoever\n", "core/a.cpp whoever  # a quotation\n"), [])
        self.assertEqual(self.words_of("core/a.cpp", "// a person\n", "core/ a person  # X12 NM102\n"), [])
        self.assertEqual(self.words_of("api/a.hpp", "// told\n", "core/ told  # why\n"), ["api/a.hpp:1: 'told'"])
        self.refused("words", "tests/tidy/words_allowed.txt", "core/a.cpp whoever\n", "write PATH WORD  # reason")

    def test_identifiers_have_no_private_words(self):
        self.refused("names", "core/a.cpp", "\nint told_before;\n", "'told_before' is no term", line=2)
        self.refused("names", "core/a.cpp", "struct LateNotice;\n", "'LateNotice' is no term")
        self.refused("names", "core/a.cpp", "int kLessons;\n", "'kLessons' is no term")
        code = '#include "told/a.hpp"\nint untoldable = f("told");  // told\n'
        self.assertEqual(self.run_on({"core/a.cpp": code}, "--only", "names")[0], 0)

    def test_links_lead_somewhere(self):
        self.refused("links", "README.md", "[a](b.md)\n", "leads nowhere")
        self.refused("links", "README.md", "[a](#c)\n", "there is no such heading")
        other = {"core/x.md": "", "b.md": "# D\n"}
        self.refused("links", "README.md", "[a](b.md#c)\n", "there is no such heading", **other)

    def test_what_is_pending_passes_until_it_is_gone(self):
        for entry in ("files core/a.cpp", "files"):
            files = {"core/a.cpp": "\n" * 501, "tests/tidy/pending.txt": f"# old\n{entry}\n"}
            code, output = self.run_on(files, "--only", "files")
            self.assertEqual((code, output), (0, "2 files; findings: files 1; pending: 1; failing: 0\n"))
            self.assertIn("core/a.cpp:500: 501 lines", self.run_on(files, "--only", "files", "--pending")[1])
            code, output = self.run_on({**files, "core/a.cpp": "\n"}, "--only", "files")
            self.assertEqual(code, 1, output)
            self.assertIn(f"pending.txt:2: nothing is left of '{entry}'; remove the line", output)
        files = {"core/a.cpp": "\n" * 501, "core/b.cpp": "\n" * 501, "tests/tidy/pending.txt": "files core/a.cpp\n"}
        self.assertEqual(self.run_on(files, "--only", "files")[0], 1)
        code, output = self.run_on({"a.md": "", "tests/tidy/pending.txt": "sizes\n"})
        self.assertEqual(code, 1)
        self.assertIn("there is no check 'sizes'", output)

    def test_a_file_may_be_allowed_with_a_reason(self):
        files = {"core/a.cpp": "\n" * 501, "tests/tidy/allowed.txt": "files core/a.cpp  # one header on purpose\n"}
        code, output = self.run_on(files, "--only", "files")
        self.assertEqual((code, output), (0, "2 files; findings: files 0; pending: 0; failing: 0\n"))
        code, output = self.run_on({**files, "core/b.cpp": "\n" * 501}, "--only", "files")
        self.assertEqual(code, 1)
        self.assertNotIn("core/a.cpp", output)
        code, output = self.run_on({**files, "core/a.cpp": "\n"}, "--only", "files")
        self.assertEqual(code, 1)
        self.assertIn("allowed.txt:1: nothing is left of 'files core/a.cpp'; remove the line", output)
        for entry in ("files core/a.cpp", "files  # every file"):
            code, output = self.run_on({**files, "tests/tidy/allowed.txt": entry + "\n"}, "--only", "files")
            self.assertEqual(code, 1)
            self.assertIn("allowed.txt:1: write CHECK PATH  # reason", output)

    def test_only_changed_files_are_looked_at_before_a_commit(self):
        with tempfile.TemporaryDirectory() as folder:
            def git(*arguments):
                subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", *arguments],
                               cwd=folder, check=True, capture_output=True)
            git("init", "-q")
            pathlib.Path(folder, "old.py").write_text("\n" * 501)
            git("add", "-A")
            git("commit", "-q", "-m", "test: begin")
            pathlib.Path(folder, "new.py").write_text("\n" * 502)
            git("add", "-A")
            command = [sys.executable, CHECKER, "--changed", "--only", "files", folder]
            output = subprocess.run(command, capture_output=True, text=True).stdout
            self.assertIn("new.py:500: 502 lines", output)
            self.assertNotIn("old.py", output)


if __name__ == "__main__":
    unittest.main()
