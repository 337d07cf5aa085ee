#!/usr/bin/env python3
"""Runs packaging/release in a small repository made for it."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()
CHANGELOG = "# Changelog\n\nText.\n\n## 0.1.0 (2026-01-02)\n\n### API\n\n- Begin.\n"


class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("packaging/release", "tests/tidy/check_migrations.py"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        self.write("packaging/test", "#!/bin/sh\ngrep -o 'VERSION [0-9.]*' CMakeLists.txt >tested\n")
        (self.root / "packaging/test").chmod(0o755)
        self.write(".gitignore", "/tested\n")
        self.write("CMakeLists.txt", 'project(tideover VERSION 0.1.0 DESCRIPTION "x" LANGUAGES CXX)\n')
        self.write("CHANGELOG.md", CHANGELOG)
        self.write("core/store/migrations/0001_a.sql", "CREATE TABLE a (x INT);\n")
        self.write("packaging/changes/README.md", "How to write one.\n")
        self.write("packaging/changes/rules-tables.md", "Read tables\nof two columns.\n")
        self.write("packaging/changes/api-refunds.md", "Show refunds.\n")
        self.git("init", "-q")
        self.git("config", "user.name", "tests")
        self.git("config", "user.email", "tests@example.invalid")
        self.commit("feat: begin")
        self.git("tag", "v0.1.0")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def git(self, *arguments):
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True, check=True)
        return done.stdout

    def commit(self, subject):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", subject)

    def release(self, *arguments):
        command = [self.root / "packaging/release", *arguments]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def refused(self, *arguments, why, code=1):
        before = self.git("rev-parse", "HEAD")
        exit_code, output = self.release(*arguments)
        self.assertEqual(exit_code, code, output)
        self.assertIn(why, output)
        self.assertEqual(self.git("rev-parse", "HEAD"), before)
        self.assertEqual(self.git("tag"), "v0.1.0\n")

    def test_fragments_become_a_section_by_audience(self):
        code, output = self.release("0.2.0")
        self.assertEqual(code, 0, output)
        changelog = (self.root / "CHANGELOG.md").read_text()
        section = changelog.split("## 0.2.0 (")[1].split("## 0.1.0")[0]
        self.assertIn("\n### API\n\n- Show refunds.\n\n### Rules\n\n- Read tables of two columns.\n", section)
        self.assertTrue(changelog.startswith("# Changelog\n\nText.\n\n## 0.2.0 ("))
        self.assertTrue(changelog.endswith("## 0.1.0 (2026-01-02)\n\n### API\n\n- Begin.\n"))
        self.assertIn("project(tideover VERSION 0.2.0 DESCRIPTION", (self.root / "CMakeLists.txt").read_text())
        self.assertEqual([f.name for f in (self.root / "packaging/changes").iterdir()], ["README.md"])
        self.assertIn("0001_a.sql", (self.root / "core/store/migrations/frozen.sha256").read_text())
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("describe", "--tags").strip(), "v0.2.0")
        self.assertEqual((self.root / "tested").read_text(), "VERSION 0.2.0\n")

    def test_an_unreleased_section_is_released_as_it_stands(self):
        for name in ("rules-tables.md", "api-refunds.md"):
            (self.root / "packaging/changes" / name).unlink()
        self.write("CHANGELOG.md", CHANGELOG.replace("0.1.0 (2026-01-02)", "0.2.0 (unreleased)"))
        self.commit("docs: write the section")
        self.assertEqual(self.release("0.2.0")[0], 0)
        self.assertRegex((self.root / "CHANGELOG.md").read_text(), r"## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n### API")

    def test_fragments_join_the_audiences_of_an_unreleased_section(self):
        written = "## 0.2.0 (unreleased)\n\n### Rules\n\n- Read rules.\n\n### Known limits\n\n- None.\n\n## 0.1.0"
        self.write("CHANGELOG.md", CHANGELOG.replace("## 0.1.0", written))
        self.commit("docs: write the section")
        code, output = self.release("--skip-tests", "0.2.0")
        self.assertEqual(code, 0, output)
        changelog = (self.root / "CHANGELOG.md").read_text()
        self.assertIn(")\n\n### API\n\n- Show refunds.\n\n### Rules\n\n- Read rules.\n- Read tables of two columns.\n\n"
                      "### Known limits\n\n- None.\n\n## 0.1.0 (2026-01-02)\n", changelog)
        self.assertNotIn("unreleased", changelog)
        self.assertFalse((self.root / "tested").exists())

    def test_a_release_whose_tests_fail_leaves_the_tree_as_it_was(self):
        self.write("packaging/test", "#!/bin/sh\nexit 1\n")
        self.commit("test: fail")
        self.refused("0.2.0", why="packaging/test failed with version 0.2.0")
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertTrue((self.root / "packaging/changes/api-refunds.md").exists())
        self.assertFalse((self.root / "core/store/migrations/frozen.sha256").exists())

    def test_a_dry_run_changes_nothing(self):
        code, output = self.release("--dry-run", "0.2.0")
        self.assertEqual(code, 0, output)
        self.assertIn("- Show refunds.", output)
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("tag"), "v0.1.0\n")

    def test_what_is_not_committed_is_refused(self):
        self.write("CMakeLists.txt", "project(tideover VERSION 0.1.0 LANGUAGES C)\n")
        self.refused("0.2.0", why="not committed")

    def test_a_version_must_be_newer(self):
        self.refused("0.1.0", why="0.1.0 is not newer than the last release, 0.1.0")
        self.refused("0.0.9", why="is not newer")
        self.git("tag", "-d", "v0.1.0")
        self.assertIn("0.0.9 is older than the version of CMakeLists.txt, 0.1.0", self.release("0.0.9")[1])
        self.assertEqual(self.git("tag"), "")

    def test_a_version_is_three_numbers(self):
        self.refused("v0.2", why="three numbers", code=2)
        self.refused(why="three numbers", code=2)

    def test_a_fragment_names_its_audience(self):
        self.write("packaging/changes/refunds.md", "Show refunds.\n")
        self.commit("docs: add a fragment")
        self.refused("0.2.0", why="packaging/changes/refunds.md: the name starts with no audience")

    def test_an_empty_fragment_is_refused(self):
        self.write("packaging/changes/api-nothing.md", "\n")
        self.commit("docs: add a fragment")
        self.refused("0.2.0", why="packaging/changes/api-nothing.md: the fragment is empty")

    def test_a_changed_migration_is_refused(self):
        self.assertEqual(self.release("0.2.0")[0], 0)
        self.write("core/store/migrations/0001_a.sql", "CREATE TABLE a (y INT);\n")
        self.write("packaging/changes/api-more.md", "Show more.\n")
        self.commit("feat: change a migration")
        code, output = self.release("0.3.0")
        self.assertEqual(code, 1, output)
        self.assertIn("0001_a.sql:1: this migration was released and is changed", output)
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_nothing_to_release_is_refused(self):
        for name in ("rules-tables.md", "api-refunds.md"):
            (self.root / "packaging/changes" / name).unlink()
        self.commit("docs: remove the fragments")
        self.refused("0.2.0", why="nothing to release")


if __name__ == "__main__":
    unittest.main()
