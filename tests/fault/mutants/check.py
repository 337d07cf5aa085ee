#!/usr/bin/env python3
"""R3 in the real code: the kill sweep must catch every mutant of the funding protocol, and find nothing in the code
as it is.

    check.py BUILD_FOLDER     TIDEOVER_FAULT_DEEP=1: with ten seeds each
"""
import os
import pathlib
import subprocess
import sys

# The same sixteen as tests/fault/model/check.py: rail, mutants, whether the database falls back. The last two with a
# fallback.
MUTANTS = [
    ('dedup', 'fresh_key', False),
    ('dedup', 'send_first', False),
    ('query', 'send_first', False),
    ('query', 'resend_notfound+no_journal', False),
    ('query', 'resend_subm+no_journal', False),
    ('dedup', 'tout_fail', False),
    ('query', 'tout_fail+no_journal', False),
    ('blind', 'tout_fail+no_journal', False),
    ('dedup', 'no_fence_settle', False),
    ('dedup', 'split_tx', False),
    ('query', 'no_epoch+no_journal', False),
    ('fence', 'no_journal', True),
    ('query', 'no_journal', True),
    ('blind', 'no_journal', True),
]
MUTANTS_OF_FALLBACK = [
    ('dedup', 'no_follow_journal', True),
    ('query', 'fallback_after_unknown', False),
]
AS_IS = [(rail, 'as_is', True) for rail in ('dedup', 'fence', 'query', 'blind')]

build = pathlib.Path(sys.argv[1])
deep = os.environ.get('TIDEOVER_FAULT_DEEP') == '1'


def sweep(rail, mutant, forgetful, has_fallback, seed, step):
    """(whether a violation was found, what the sweep said)"""
    environment = dict(os.environ, LD_LIBRARY_PATH=str(build / mutant))
    room = pathlib.Path('/dev/shm')
    if room.is_dir() and os.statvfs(room).f_bavail * os.statvfs(room).f_frsize > 1 << 30:
        environment.setdefault('TMPDIR', str(room))
    command = [build / 'fault_mutant_sweep', rail, str(seed), str(step)]
    command += ['forgetful'] * forgetful + ['fallback'] * has_fallback
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f'{mutant} on the {rail} rail: the sweep did not run to its end ({done.returncode}), '
                 'which catches nothing')
    return done.returncode == 1, done.stdout.strip()


def hunt(rail, mutant, forgetful, has_fallback, seed):
    """Every fifth point first, which is enough for most; then all."""
    found, said = sweep(rail, mutant, forgetful, has_fallback, seed, 5)
    return (found, said) if found else sweep(rail, mutant, forgetful, has_fallback, seed, 1)


def main():
    seeds = range(1, 11) if deep else (1,)
    failures = 0
    for rail, mutant, forgetful in AS_IS:
        found, said = sweep(rail, mutant, forgetful, False, 1, 1 if deep else 8)
        print(f'{"as it is":<28} {rail:<6} {said}', flush=True)
        failures += found
    caught = 0
    mutated = [(*mutant, False) for mutant in MUTANTS] + [(*mutant, True) for mutant in MUTANTS_OF_FALLBACK]
    for rail, mutant, forgetful, has_fallback in mutated:
        said = [hunt(rail, mutant, forgetful, has_fallback, seed) for seed in seeds]
        print(f'{mutant:<28} {rail:<6} {said[0][1]}', flush=True)
        caught += all(found for found, _ in said)
    failures += caught != len(mutated)
    print(f'R3  mutants of the real code, {len(seeds)} seed(s) each: {caught}/{len(mutated)} caught by the kill sweep; '
          f'{len(AS_IS)} rail kinds as they are, on a database that falls back: '
          f'{"0 violations" if not failures else "VIOLATED"}')
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    main()
