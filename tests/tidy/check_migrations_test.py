#!/usr/bin/env python3
"""Shows that a changed, removed or late migration is refused."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).with_name("check_migrations.py")


class CheckMigrations(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.migrations = pathlib.Path(self.folder.name, "core/store/migrations")
        self.migrations.mkdir(parents=True)
        self.write("0001_a.sql", "CREATE TABLE a (x INT);")
        self.write("0003_c.sql", "CREATE TABLE c (x INT);")
        self.assertEqual(self.run_checker("--freeze")[0], 0)

    def write(self, name, text):
        (self.migrations / name).write_text(text)

    def run_checker(self, *options):
        done = subprocess.run([sys.executable, CHECKER, *options, self.folder.name], capture_output=True, text=True)
        return done.returncode, done.stdout

    def refused(self, why):
        code, output = self.run_checker()
        self.assertEqual(code, 1, output)
        self.assertIn(why, output)
        self.assertEqual(self.run_checker("--freeze")[0], 1, "a wrong state is not frozen")

    def test_a_new_migration_passes_and_is_frozen_by_the_next_release(self):
        self.write("0004_d.sql", "CREATE TABLE d (x INT);")
        self.assertEqual(self.run_checker()[0], 0)
        self.assertEqual(self.run_checker("--freeze")[0], 0)
        self.write("0004_d.sql", "CREATE TABLE d (y INT);")
        self.refused("0004_d.sql:1: this migration was released and is changed")

    def test_a_changed_migration_is_refused(self):
        self.write("0001_a.sql", "CREATE TABLE a (x INT, y INT);")
        self.refused("0001_a.sql:1: this migration was released and is changed")

    def test_a_removed_migration_is_refused(self):
        (self.migrations / "0003_c.sql").unlink()
        self.refused("0003_c.sql:1: this migration was released and is gone")

    def test_a_number_before_a_released_one_is_refused(self):
        self.write("0002_b.sql", "CREATE TABLE b (x INT);")
        self.refused("0002_b.sql:1: comes before the released 0003_c.sql")

    def test_a_virtual_column_on_mariadb_is_refused(self):
        self.write("0004_d.sql", "-- sqlite: ALTER TABLE a ADD COLUMN y INT AS (x) VIRTUAL;\n")
        self.assertEqual(self.run_checker()[0], 0)
        self.write("0004_d.sql", "\n-- mysql: ALTER TABLE a ADD COLUMN y INT AS (x) VIRTUAL;\n")
        self.refused("0004_d.sql:2: a VIRTUAL column on MariaDB; use STORED")

    def test_a_folder_without_migrations_is_refused(self):
        for file in self.migrations.iterdir():
            file.unlink()
        self.refused("there is no migration")


if __name__ == "__main__":
    unittest.main()
