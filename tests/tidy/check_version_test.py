#!/usr/bin/env python3
"""Shows that versions that differ are refused."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).with_name("check_version.py")
AGREED = {
    "CMakeLists.txt": 'cmake_minimum_required(VERSION 3.25)\nproject(tideover VERSION 1.2.3 LANGUAGES CXX)\n',
    "CHANGELOG.md": "# Changelog\n\n## 1.2.3 (2026-01-02)\n\n## 1.2.2 (2026-01-01)\n",
    "core/main/main.cpp": 'print(TIDEOVER_VERSION);  // "1.2.3"\n',
    "core/domain/basics/api_version.hpp": 'constexpr std::string_view kApiVersion = "2026-11-20";\n',
    "api/rest/openapi.yaml": 'openapi: 3.1.0\ninfo:\n  title: T\n  version: "2026-11-20"\npaths:\n  version: 1\n',
}


class CheckVersion(unittest.TestCase):
    def run_on(self, **changed):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**AGREED, **changed}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, CHECKER, folder], capture_output=True, text=True)
            return done.returncode, done.stdout

    def refused(self, name, text, why):
        code, output = self.run_on(**{name: text})
        self.assertEqual(code, 1, output)
        self.assertIn(why, output)

    def test_agreeing_versions_pass(self):
        self.assertEqual(self.run_on(), (0, ""))
        self.assertEqual(self.run_on(**{"CHANGELOG.md": "## 1.2.3 (unreleased)\n"}), (0, ""))

    def test_the_changelog_has_the_version(self):
        self.refused("CHANGELOG.md", "# C\n\n## 1.2.2 (2026-01-01)\n", "CHANGELOG.md:3: the newest section is 1.2.2")
        self.refused("CHANGELOG.md", "# C\n", "CHANGELOG.md:1: the newest section is None")

    def test_no_source_writes_the_version_down(self):
        self.refused("core/main/main.cpp", 'f();\nprint("tideover 1.2.3");\n',
                     "core/main/main.cpp:2: the version is written down")

    def test_cmake_has_a_version(self):
        self.refused("CMakeLists.txt", "project(tideover)\n", "CMakeLists.txt:1: there is no")

    def test_the_contract_has_the_version_of_the_api(self):
        text = AGREED["api/rest/openapi.yaml"].replace("11-20", "11-21")
        self.refused("api/rest/openapi.yaml", text, "api/rest/openapi.yaml:4: info.version is 2026-11-21")
        self.refused("api/rest/openapi.yaml", "paths:\n  version: 1\n", "info.version is None")


if __name__ == "__main__":
    unittest.main()
