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
# their own, a database that lost a commit. The configuration refuses to start so.
UNSAFE = [(FENCE, 1, 'local'), (QUERY, 1, 'local'), (BLIND, 1, 'local')]

# (rail, mutants, losses of the database's last commit)
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

    setups = [(rail, losses, journal) for rail in (DEDUP, FENCE, QUERY, BLIND)
              for losses, journal in ((0, 'shared'), (1, 'shared'), (1, 'local'))]
    held = violated = 0
    for rail, losses, journal in setups:
        states, wrong, steps = explore(Protocol(rail, losses, journal, budget=budget))
        unsafe = (rail, losses, journal) in UNSAFE
        show(f'{rail} losses={losses} journal={journal}', states, wrong, steps)
        held += not unsafe and not wrong
        violated += unsafe and bool(wrong)
        failures += bool(wrong) != unsafe
    print(f'R4  funding model, every interleaving of {len(setups)} set-ups: {held}/{len(setups) - len(UNSAFE)} hold, '
          f'{violated}/{len(UNSAFE)} documented unsafe set-ups are violated')

    caught = 0
    for rail, mutants, losses in MUTANTS:
        states, wrong, steps = explore(Protocol(rail, losses, mutants=mutants))
        show(f'mutant {"+".join(mutants)} on {rail}', states, wrong or 'NOT CAUGHT', steps)
        caught += bool(wrong)
    failures += caught != len(MUTANTS)
    print(f'R3  mutants of the funding model: {caught}/{len(MUTANTS)} caught')
    sys.exit(1 if failures or len(MUTANTS) < 14 else 0)


if __name__ == '__main__':
    main()
