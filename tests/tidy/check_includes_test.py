#!/usr/bin/env python3
"""Shows that the include checker sees each kind of violation, in a small tree made for it."""
import pathlib
import runpy
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

    def refused(self, path, text, why, file=None):
        code, output = self.run_on({file or path: text})
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
        later = "a later folder of core/"
        self.refused("core/domain/basics/a.hpp", '#include "core/domain/claims/claim.hpp"\n', later + "domain")
        self.refused("core/estimators/basics/a.hpp", '#include "core/estimators/state.hpp"\n', later + "estimators")
        self.refused("core/usecases/claims/a.cpp", '#include "core/usecases/funding/x.hpp"\n', later + "usecases")
        self.refused("core/http/wire/basics/a.hpp", '#include "core/http/handlers/paging.hpp"\n', later + "http")
        self.refused("core/http/server/a.hpp", '#include "core/http/pipeline.hpp"\n', later + "http")
        self.refused("core/admin/a.cpp", '#include "core/admin/commands/disk_file.hpp"\n', later + "admin")

    def test_the_program_is_built_in_one_order(self):
        self.refused("core/node/a.cpp", '#include "core/admin/admin.hpp"\n', "core/node may not include")
        self.refused("core/node/a.cpp", '#include "core/service/service.hpp"\n', "core/node may not include")
        self.refused("core/admin/a.cpp", '#include "core/service/service.hpp"\n', "core/admin may not include")

    def test_each_folder_has_a_place_in_a_table(self):
        self.refused("core/lua/new", "", "is not in the order of core/lua", file="core/lua/new/a.hpp")
        self.refused("core/domain", "", "is not in the order of core/domain", file="core/domain/a.hpp")
        self.refused("core/clock/new", "", "is not in the order of core/clock", file="core/clock/new/a.hpp")
        self.refused("core/new", "", "is not in MAY_INCLUDE", file="core/new/a.hpp")

    def test_the_tables_themselves_have_no_circle(self):
        tables = runpy.run_path(str(CHECKER))
        allowed = {one: {other.split("/")[0] for other in others} for one, others in tables["MAY_INCLUDE"].items()}
        self.assertEqual(tables["circle_in"](allowed), [])
        self.assertEqual(tables["circle_in"](allowed | {"domain": {"ports"}}), ["domain", "ports", "domain"])
        for ring, order in tables["ORDER"].items():
            self.assertEqual(len(order), len(set(order)), ring)

    def test_files_do_not_include_each_other(self):
        code, output = self.run_on({
            "core/domain/basics/a.hpp": '#include "core/domain/basics/b.hpp"\n',
            "core/domain/basics/b.hpp": '#include "core/domain/basics/c.hpp"\n',
            "core/domain/basics/c.hpp": '#include "core/domain/basics/b.hpp"\n',
        })
        self.assertEqual(code, 1, output)
        self.assertIn("files include each other in a circle: core/domain/basics/b.hpp -> core/domain/basics/c.hpp -> "
                      "core/domain/basics/b.hpp", output)
        self.assertNotIn("folders include each other", output)

    def test_folders_do_not_include_each_other(self):
        for one, other in [("tests/a", "tests/a/b"), ("plugins/a", "plugins/b")]:
            code, output = self.run_on({
                "core/domain/basics/a.hpp": "",
                f"{one}/x.hpp": f'#include "{other}/y.hpp"\n',
                f"{other}/y.hpp": "",
                f"{other}/z.hpp": f'#include "{one}/w.hpp"\n',
                f"{one}/w.hpp": "",
            })
            self.assertEqual(code, 1, output)
            self.assertIn(f"folders include each other in a circle: {one} -> {other} -> {one} "
                          f"({one}/x.hpp includes {other}/y.hpp; {other}/z.hpp includes {one}/w.hpp)", output)
            self.assertNotIn("files include each other", output)

    def test_includes_of_plugins_are_followed(self):
        code, output = self.run_on({
            "plugins/x12/a.hpp": '#include "claim_rows/b.hpp"\n',
            "plugins/import_format/claim_rows/b.hpp": '#include "c.hpp"\n',
            "plugins/import_format/claim_rows/c.hpp": '#include "x12/a.hpp"\n',
        })
        self.assertEqual(code, 1, output)
        self.assertIn("folders include each other in a circle: plugins/import_format/claim_rows -> plugins/x12", output)

    def test_a_folder_holds_so_many_sources(self):
        files = {f"tests/unit/{i}.cpp": "" for i in range(26)} | {"core/domain/basics/a.hpp": ""}
        code, output = self.run_on(files)
        self.assertEqual(code, 1, output)
        self.assertIn("tests/unit:1: 26 sources in one folder", output)
        self.assertEqual(self.run_on({f"core/domain/basics/{i}.hpp": "" for i in range(25)})[0], 0)
        files = {f"core/domain/basics/{i}{suffix}": "" for i in range(13) for suffix in (".hpp", ".cpp")}
        self.assertIn("core/domain/basics:1: 26 sources in one folder", self.run_on(files)[1])

    def test_plugins_see_the_api_only(self):
        self.refused("plugins/x/a.cpp", '#include "core/domain/basics/money.hpp"\n', "see api/ only")

    def test_the_product_sees_no_test(self):
        self.refused("core/main/a.cpp", '#include "tests/bench/claimsim/world/rows.hpp"\n', "includes tests/")
        self.refused("plugins/x/a.cpp", '#include "../../tests/fakes/fixed_clock.hpp"\n', "includes tests/")

    def test_a_library_stays_in_its_folder(self):
        self.refused("core/http/a.cpp", "#include <sqlite3.h>\n", "may be named only in core/store/sql/")
        self.refused("core/store/a.cpp", "#include <yaml-cpp/yaml.h>\n", "may be named only in core/settings/")

    def test_the_command_line_is_parsed_in_one_file(self):
        self.refused("core/main/main.cpp", "#include <CLI/CLI.hpp>\n", "only in core/admin/command_line.cpp")
        self.refused("core/admin/command_line.hpp", "#include <CLI/App.hpp>\n", "only in core/admin/command_line.cpp")
        self.refused("core/admin/commands/a.cpp", "#include <CLI/CLI.hpp>\n", "only in core/admin/command_line.cpp")
        self.assertEqual(self.run_on({"core/admin/command_line.cpp": "#include <CLI/CLI.hpp>\n"})[0], 0)

    def test_sql_stays_in_the_store(self):
        self.refused("core/http/a.cpp", 'auto q = "SELECT 1";\n', "SQL text belongs in core/store")

    def test_ranges_have_no_precondition(self):
        self.refused("core/usecases/a.cpp", "int a = std::clamp(b, 0, c);\n", "use domain::within")
        self.refused("plugins/x/a.cpp", "int a = std::ranges::clamp(b, 0, c);\n", "use domain::within")
        self.assertEqual(self.run_on({"core/domain/basics/a.hpp": "// unlike std::clamp\n"})[0], 0)

    def test_includes_are_written_from_the_root(self):
        self.refused("core/http/a.cpp", '#include "pipeline.hpp"\n', "from the repository root")


if __name__ == "__main__":
    unittest.main()
