#!/usr/bin/env python3
"""Shows that the include checker sees each kind of violation, in a small tree made for it."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).with_name("check_includes.py")


class CheckIncludes(unittest.TestCase):
    def run_on(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, CHECKER, folder], capture_output=True, text=True)
            return done.returncode, done.stdout

    def refused(self, path, text, why):
        code, output = self.run_on({path: text})
        self.assertEqual(code, 1, output)
        self.assertIn(f"{path}:1: ", output)
        self.assertIn(why, output)

    def test_a_clean_tree_passes(self):
        code, output = self.run_on({
            "core/usecases/claims/a.cpp": '#include "core/ports/store.hpp"\n#include <vector>\n',
            "core/events/b.cpp": '#include "core/http/wire/json/writer.hpp"\n#include <curl/curl.h>\n',
            "core/main/c.cpp": '#include "core/lua/engine/engine.hpp"\n',
            "plugins/x/y.cpp": '#include "tideover/plugin.h"\n',
        })
        self.assertEqual(code, 0, output)

    def test_an_empty_tree_is_not_a_pass(self):
        self.assertEqual(self.run_on({"readme": ""})[0], 1)

    def test_the_domain_includes_no_other_folder(self):
        self.refused("core/domain/a.cpp", '#include "core/ports/clock.hpp"\n', "may not include core/ports/clock.hpp")

    def test_use_cases_know_no_adapter(self):
        self.refused("core/usecases/a.cpp", '#include "core/store/sql_store.hpp"\n', "core/usecases may not include")

    def test_adapters_do_not_know_each_other(self):
        self.refused("core/events/a.cpp", '#include "core/http/pipeline.hpp"\n', "core/events may not include")

    def test_folders_of_a_ring_have_an_order(self):
        self.refused("core/domain/basics/a.hpp", '#include "core/domain/claims/claim.hpp"\n', "is in a later folder of core/domain")
        self.refused("core/estimators/basics/a.hpp", '#include "core/estimators/state.hpp"\n', "is in a later folder")
        self.refused("core/lua/new/a.hpp", '#include "core/lua/vm/freeze.hpp"\n', "is not in the order of core/lua")
        self.refused("core/node/a.cpp", '#include "core/service/service.hpp"\n', "core/node may not include")
        self.refused("core/usecases/claims/a.cpp", '#include "core/usecases/funding/disburse.hpp"\n', "is in a later folder")

    def test_a_folder_holds_so_many_sources(self):
        files = {f"tests/unit/{i}.cpp": "" for i in range(26)} | {"core/domain/basics/a.hpp": ""}
        code, output = self.run_on(files)
        self.assertEqual(code, 1, output)
        self.assertIn("tests/unit:1: 26 sources in one folder", output)

    def test_plugins_see_the_api_only(self):
        self.refused("plugins/x/a.cpp", '#include "core/domain/basics/money.hpp"\n', "see api/ only")

    def test_the_product_sees_no_test(self):
        self.refused("core/main/a.cpp", '#include "tests/bench/claimsim/world/rows.hpp"\n', "includes tests/")
        self.refused("plugins/x/a.cpp", '#include "../../tests/fakes/fixed_clock.hpp"\n', "includes tests/")

    def test_a_library_stays_in_its_folder(self):
        self.refused("core/http/a.cpp", "#include <sqlite3.h>\n", "may be named only in core/store/sql/")
        self.refused("core/store/a.cpp", "#include <yaml-cpp/yaml.h>\n", "may be named only in core/settings/")

    def test_sql_stays_in_the_store(self):
        self.refused("core/http/a.cpp", 'auto q = "SELECT 1";\n', "SQL text belongs in core/store")

    def test_ranges_have_no_precondition(self):
        self.refused("core/usecases/a.cpp", "int a = std::clamp(b, 0, c);\n", "use domain::within")
        self.refused("plugins/x/a.cpp", "int a = std::ranges::clamp(b, 0, c);\n", "use domain::within")
        self.assertEqual(self.run_on({"core/domain/a.hpp": "// unlike std::clamp\n"})[0], 0)

    def test_includes_are_written_from_the_root(self):
        self.refused("core/http/a.cpp", '#include "pipeline.hpp"\n', "from the repository root")


if __name__ == "__main__":
    unittest.main()
