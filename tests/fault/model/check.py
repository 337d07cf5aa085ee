#!/usr/bin/env python3
"""Walks every interleaving of the funding protocol and of each of its mutants: R4, and the model's half of R3.

    tests/fault/model/check.py          the bounds of every landing (ctest fault_model)
    tests/fault/model/check.py --deep   wider bounds; TIDEOVER_FAULT_DEEP=1 does the same
"""
import os
import sys
from collections import deque

from protocol import BLIND, DEDUP, FENCE, QUERY, Budget, Protocol

# What is documented as unsafe, and must be seen to be: rails without dedup, two nodes that each send with a journal of
# their own, a database that lost a commit. The configuration refuses to start so. With a fallback every rail is unsafe
# there, because the rails do not know each other's keys.
UNSAFE = [(FENCE, 1, 'local'), (QUERY, 1, 'local'), (BLIND, 1, 'local')]
UNSAFE_WITH_FALLBACK = [(rail, 1, 'local') for rail in (DEDUP, FENCE, QUERY, BLIND)]

# (rail, mutants, losses of the database's last commits); the last two with a fallback
MUTANTS = [
    (DEDUP, ('fresh_key',), 0),
    (DEDUP, ('send_first',), 0),
    (QUERY, ('send_first',), 0),
    (QUERY, ('resend_notfound', 'no_journal'), 0),
    (QUERY, ('resend_subm', 'no_journal'), 0),
    (DEDUP, ('tout_fail',), 0),
    (QUERY, ('tout_fail', 'no_journal'), 0),
    (BLIND, ('tout_fail', 'no_journal'), 0),
    (DEDUP, ('no_fence_settle',), 0),
    (DEDUP, ('split_tx',), 0),
    (QUERY, ('no_epoch', 'no_journal'), 0),
    (FENCE, ('no_journal',), 1),
    (QUERY, ('no_journal',), 1),
    (BLIND, ('no_journal',), 1),
]
# Two rails and deeper losses: fewer other faults, also with wider bounds.
OF_FALLBACK = Budget(crashes=1, timeouts=1, refusals=1)
MUTANTS_OF_FALLBACK = [
    (DEDUP, ('no_follow_journal',), 1),
    (QUERY, ('fallback_after_unknown',), 0),
]


def explore(protocol):
    """Number of states seen, the first violation, and the steps that lead to it."""
    initial = protocol.initial()
    came_from = {initial: None}
    queue = deque([initial])
    while queue:
        state = queue.popleft()
        wrong = protocol.violation(state)
        if wrong:
            steps = []
            while came_from[state]:
                state, step = came_from[state]
                steps.append(step)
            return len(came_from), wrong, steps[::-1]
        for step, following in protocol.successors(state):
            if following not in came_from:
                came_from[following] = (state, step)
                queue.append(following)
    return len(came_from), None, []


def show(name, states, wrong, steps):
    print(f'{name:<48} {states:>8} states  {wrong or "no violation"}', flush=True)
    if steps:
        print('    ' + ' > '.join(steps), flush=True)


def main():
    deep = '--deep' in sys.argv or os.environ.get('TIDEOVER_FAULT_DEEP') == '1'
    budget = Budget(crashes=3, timeouts=3, drops=2) if deep else Budget()
    failures = 0

    setups = [(rail, losses, journal, fallback) for fallback in (False, True) for rail in (DEDUP, FENCE, QUERY, BLIND)
              for losses, journal in ((0, 'shared'), (1, 'shared'), (1, 'local'))]
    unsafe_setups = len(UNSAFE) + len(UNSAFE_WITH_FALLBACK)
    held = violated = 0
    for rail, losses, journal, fallback in setups:
        states, wrong, steps = explore(
            Protocol(rail, losses, journal, budget=OF_FALLBACK if fallback else budget, fallback=fallback))
        unsafe = (rail, losses, journal) in (UNSAFE_WITH_FALLBACK if fallback else UNSAFE)
        show(f'{rail} losses={losses} journal={journal}{" fallback" if fallback else ""}', states, wrong, steps)
        held += not unsafe and not wrong
        violated += unsafe and bool(wrong)
        failures += bool(wrong) != unsafe
    print(f'R4  funding model, every interleaving of {len(setups)} set-ups: {held}/{len(setups) - unsafe_setups} hold, '
          f'{violated}/{unsafe_setups} documented unsafe set-ups are violated')

    caught = 0
    mutated = [(*mutant, False) for mutant in MUTANTS] + [(*mutant, True) for mutant in MUTANTS_OF_FALLBACK]
    for rail, mutants, losses, fallback in mutated:
        states, wrong, steps = explore(Protocol(
            rail, losses, mutants=mutants, budget=OF_FALLBACK if fallback else Budget(), fallback=fallback))
        show(f'mutant {"+".join(mutants)} on {rail}', states, wrong or 'NOT CAUGHT', steps)
        caught += bool(wrong)
    failures += caught != len(mutated)
    print(f'R3  mutants of the funding model: {caught}/{len(mutated)} caught')
    sys.exit(1 if failures or len(mutated) < 16 else 0)


if __name__ == '__main__':
    main()
