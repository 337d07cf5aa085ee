"""The funding protocol as an explicit-state model: what core/usecases/funding/disburse does, step by step, with
everything that can interfere between two steps. `successors` yields every step that can come next; check.py walks all
of them.

One settlement, two workers (two requests, two nodes, or a request and the sweeper), one rail. A worker may crash at any
step (the sweeper finishes its work), time out while it waits for the rail, or take over from another at any moment:
leases are not modelled, so safety cannot depend on a clock. A message to the rail may arrive late or never. The
database may fall back behind its last acknowledged commit (a cluster that lost its nodes, an old backup).

Rail kinds: dedup drops a key that it has seen; fence gives a final answer to a query and drops what comes later; query
can be asked, but "not found" says nothing of messages in flight; blind cannot be asked.

Journal: the synced file beside the database in which a key is written before the rail is called. `shared`: one node
sends, or all nodes use one file. `local`: each of two nodes has a file of its own.

Bounds: two messages in flight at a time; a worker that would take over more often than MOST_EPOCHS allows is parked,
and a parked worker never counts as finished.
"""
from typing import NamedTuple

MOST_EPOCHS = 4
MOST_IN_FLIGHT = 2

DEDUP, FENCE, QUERY, BLIND = 'dedup', 'fence', 'query', 'blind'
FINAL = ('accepted', 'rejected', 'manual')


class Row(NamedTuple):
    """The settlement's last attempt in the database, and what was booked with it."""
    state: str = 'none'  # none | intent | submitting | unknown | accepted | rejected | manual
    number: int = 0      # of the attempt; rises only behind a rejection
    epoch: int = 0       # raised by each take-over
    posted: int = 0      # ledger entries of the payment
    events: int = 0      # outbox rows that announce it


class Worker(NamedTuple):
    # start | sweeping | claimed | journal | send | await | unclear | ask | paid | book | done | parked
    at: str = 'start'
    epoch: int = 0  # under which it works
    key: int = 0    # the rail's idempotency key


class Budget(NamedTuple):
    """How often each fault may still strike."""
    crashes: int = 2
    timeouts: int = 2
    drops: int = 1
    losses: int = 0   # of the database's last commit
    retries: int = 1  # confirms behind a rejection


class State(NamedTuple):
    row: Row
    before: Row          # what the database falls back to when it loses its last commit
    in_flight: tuple     # keys of messages on their way to the rail, sorted
    payments: tuple      # keys in the bank's book, sorted; a key twice is money paid twice
    fenced: frozenset    # keys that the rail will not take any more
    journal: frozenset   # (file, key)
    workers: tuple
    budget: Budget


class Protocol:
    """The rules; `mutants` names those that are broken on purpose, as tests/fault/mutants/patches does in the code."""

    def __init__(self, rail, losses=0, journal='shared', mutants=(), budget=Budget()):
        self.rail = rail
        self.local_journal = journal == 'local'
        self.mutants = frozenset(mutants)
        self.budget = budget._replace(losses=losses)
        self.steps = {'start': self.start, 'sweeping': self.sweep, 'claimed': self.mark_submitting,
                      'journal': self.write_journal, 'send': self.send, 'await': self.wait,
                      'unclear': self.note_unknown, 'ask': self.ask, 'paid': self.book, 'book': self.book_ledger}

    def initial(self):
        return State(Row(), Row(), (), (), frozenset(), frozenset(), (Worker(), Worker()), self.budget)

    # ---- what can happen next -------------------------------------------------------------------------------------

    def successors(self, state):
        yield from self.network(state)
        yield from self.database_loss(state)
        for i, worker in enumerate(state.workers):
            step = self.steps.get(worker.at)
            if step is None:
                continue
            if state.budget.crashes and worker.at not in ('start', 'sweeping'):
                # Its client never comes back: only the sweeper does.
                yield 'crash', move(state, i, Worker('sweeping'))._replace(budget=spend(state, 'crashes'))
            yield from step(state, i, worker)

    def network(self, state):
        for key in sorted(set(state.in_flight)):
            left = list(state.in_flight)
            left.remove(key)
            taken = key not in state.fenced and not (self.rail == DEDUP and key in state.payments)
            payments = tuple(sorted(state.payments + (key,))) if taken else state.payments
            yield 'arrives', state._replace(in_flight=tuple(left), payments=payments)
            if state.budget.drops:
                yield 'is lost', state._replace(in_flight=tuple(left), budget=spend(state, 'drops'))

    def database_loss(self, state):
        if state.budget.losses and state.row != state.before:
            # The sweeper of a node never ends: a worker that was done tries again.
            workers = tuple(Worker('sweeping') if w.at == 'done' else w for w in state.workers)
            yield 'database falls back', state._replace(
                row=state.before, workers=workers, budget=spend(state, 'losses'))

    # ---- the steps of one worker: the steps of core/docs/reliability.md#protocol-steps ----------------------------

    def sweep(self, state, i, worker):
        """Step 7. Only what was left in the middle is swept."""
        if state.row.state == 'none':
            yield 'nothing to sweep', move(state, i, Worker('done'))
        else:
            yield from self.take(state, i, may_retry=False)

    def start(self, state, i, worker):
        """Step 1: a confirm claims the settlement, or finds what became of it."""
        yield from self.take(state, i, may_retry=True)

    def take(self, state, i, may_retry):
        row = state.row
        if row.epoch >= MOST_EPOCHS and row.state not in FINAL:
            yield 'parks', move(state, i, Worker('parked'))
            return
        epoch = row.epoch + 1
        retries = row.state == 'rejected' and may_retry and state.budget.retries and epoch <= MOST_EPOCHS
        if row.state == 'none' or retries:
            if row.state == 'rejected':
                state = state._replace(budget=spend(state, 'retries'))
            claimed = Row('intent', row.number + 1, epoch)
            if 'send_first' in self.mutants:  # the rail is called before anything is written down
                yield 'sends unclaimed', self.post(move(state, i, Worker('await', 0, 1)), 1)
            else:
                yield 'claims', commit(state, claimed, i, Worker('claimed', epoch))
        elif row.state in FINAL:
            yield 'replays', move(state, i, Worker('done'))
        elif row.state == 'intent':
            yield 'takes over intent', commit(state, row._replace(epoch=epoch), i, Worker('claimed', epoch))
        elif row.state == 'submitting' and 'resend_subm' in self.mutants:
            yield 'takes over and sends', commit(state, row._replace(epoch=epoch), i,
                                                 Worker('send', epoch, self.key(row.number, epoch)))
        else:
            # submitting or unknown: it may have been sent, so the rail is asked first.
            yield 'takes over to ask', commit(state, row._replace(state='unknown', epoch=epoch), i,
                                              Worker('ask', epoch, self.key(row.number, row.epoch)))

    def mark_submitting(self, state, i, worker):
        """Step 2, fenced by the epoch. A key in the journal may have been sent before the database fell back."""
        row = state.row
        if not (row.state == 'intent' and row.epoch == worker.epoch) and 'no_epoch' not in self.mutants:
            yield from self.fenced_out(state, i)
            return
        key = self.key(row.number, worker.epoch)
        if self.in_journal(state, i, key) and 'no_journal' not in self.mutants:
            yield 'journal knows the key', commit(state, row._replace(state='unknown'), i,
                                                  Worker('ask', worker.epoch, key))
        else:
            yield 'marks submitting', commit(state, row._replace(state='submitting'), i,
                                             Worker('journal', worker.epoch, key))

    def write_journal(self, state, i, worker):
        """Step 3: synced before the first byte leaves."""
        if 'no_journal' in self.mutants:
            yield 'keeps no journal', move(state, i, worker._replace(at='send'))
        elif self.in_journal(state, i, worker.key) and self.rail != DEDUP:
            yield 'journal knows it meanwhile', move(state, i, worker._replace(at='unclear'))
        else:
            if state.budget.timeouts:
                yield from self.hold_back(state, i, worker)
            yield 'writes journal', move(state, i, worker._replace(at='send'))._replace(
                journal=state.journal | {(self.journal_of(i), worker.key)})

    def hold_back(self, state, i, worker):
        """The disk is full: nothing was shown to the rail, so the attempt goes back to where a sweeper finds it."""
        row = state.row
        if row.state == 'submitting' and row.epoch == worker.epoch:
            held_back = commit(state, row._replace(state='intent'), i, Worker('sweeping'))
            yield 'is held back', held_back._replace(budget=spend(state, 'timeouts'))

    def send(self, state, i, worker):
        """Step 4: no transaction is open while the rail is called."""
        if len(state.in_flight) < MOST_IN_FLIGHT:
            yield 'sends', self.post(move(state, i, worker._replace(at='await')), worker.key)

    def wait(self, state, i, worker):
        if worker.key in state.payments:
            yield 'hears accepted', move(state, i, worker._replace(at='paid'))
        if state.budget.timeouts:
            unclear = move(state, i, worker._replace(at='unclear'))
            yield 'waits in vain', unclear._replace(budget=spend(state, 'timeouts'))
        elif worker.key not in state.in_flight and worker.key not in state.payments:
            yield 'waits in vain', move(state, i, worker._replace(at='unclear'))  # nothing will ever come

    def note_unknown(self, state, i, worker):
        """Step 5: no answer is no failure."""
        row = state.row
        holds = row.epoch == worker.epoch and row.state in ('submitting', 'unknown')
        if 'tout_fail' in self.mutants and row.state == 'submitting' and row.epoch == worker.epoch:
            yield 'takes silence for failure', commit(state, Row('none', 0, row.epoch), i, Worker('done'))
        elif holds and 'tout_fail' not in self.mutants:
            yield 'marks unknown', commit(state, row._replace(state='unknown'), i, worker._replace(at='ask'))
        else:
            yield from self.fenced_out(state, i)

    def ask(self, state, i, worker):
        """Step 6: what can be learnt depends on what the rail declares."""
        row = state.row
        holds = row.state == 'unknown' and row.epoch == worker.epoch
        end = lambda final: (commit(state, row._replace(state=final), i, Worker('done')) if holds else
                             commit(state, row, i, Worker('start')))
        if self.rail == BLIND:
            yield 'hands over', end('manual')
        elif worker.key in state.payments:
            yield 'finds it paid', move(state, i, worker._replace(at='paid'))
        elif self.rail == FENCE:
            yield 'finds nothing, for ever', end('rejected')._replace(fenced=state.fenced | {worker.key})
        elif self.rail == QUERY and 'resend_notfound' not in self.mutants:
            yield 'finds nothing, hands over', end('manual')
        elif holds:
            yield 'sends again', commit(state, row._replace(state='submitting'), i, worker._replace(at='send'))
        else:
            yield from self.fenced_out(state, i)

    def book(self, state, i, worker):
        """Step 4, the result: attempt, ledger and event in one transaction, fenced by the epoch."""
        row = state.row
        booked = row._replace(state='accepted', posted=row.posted + 1, events=row.events + 1)
        holds = row.epoch == worker.epoch and row.state in ('submitting', 'unknown')
        if 'send_first' in self.mutants:
            yield 'books', commit(state, Row('accepted', 1, row.epoch, 1, 1), i, Worker('done'))
        elif 'no_fence_settle' in self.mutants:
            yield 'books unfenced', commit(state, booked, i, Worker('done'))
        elif not holds:
            yield from self.fenced_out(state, i)
        elif 'split_tx' in self.mutants:
            yield 'writes the state alone', commit(state, row._replace(state='accepted'), i, worker._replace(at='book'))
        else:
            yield 'books', commit(state, booked, i, Worker('done'))

    def book_ledger(self, state, i, worker):
        """Only the mutant split_tx comes here."""
        row = state.row
        booked = row._replace(posted=row.posted + 1, events=row.events + 1)
        yield 'books afterwards', commit(state, booked, i, Worker('done'))

    def fenced_out(self, state, i):
        """Another worker took over: read the state again."""
        yield 'is fenced out', move(state, i, Worker('start'))

    # ---- words ----------------------------------------------------------------------------------------------------

    def key(self, number, epoch):
        """Derived from settlement and attempt number, so that it is the same for every worker and after every loss."""
        return 10 + epoch if 'fresh_key' in self.mutants else number

    def journal_of(self, i):
        return i if self.local_journal else 0

    def in_journal(self, state, i, key):
        return (self.journal_of(i), key) in state.journal

    def post(self, state, key):
        return state._replace(in_flight=tuple(sorted(state.in_flight + (key,))))

    # ---- what must never be ---------------------------------------------------------------------------------------

    def violation(self, state):
        row = state.row
        if len(state.payments) > 1:
            return 'FUNDED TWICE'
        if row.posted > 1:
            return 'LEDGER POSTED TWICE'
        if row.events > 1:
            return 'EVENT ANNOUNCED TWICE'
        if row.state == 'accepted' and not state.payments:
            return 'BOOKED BUT NOT PAID'
        if state.in_flight or any(worker.at != 'done' for worker in state.workers):
            return None
        # Nothing can move any more.
        if state.payments and row.state in ('none', 'intent', 'rejected'):
            return 'PAID BUT FORGOTTEN'
        if row.state not in FINAL and row.state != 'none':
            return 'LEFT OPEN'
        if row.state == 'accepted' and (row.posted, row.events) != (1, 1):
            return 'FUNDED WITHOUT LEDGER ENTRY OR EVENT'
        return None


def move(state, i, worker):
    workers = list(state.workers)
    workers[i] = worker
    return state._replace(workers=tuple(workers))


def commit(state, row, i, worker):
    """One transaction. An acknowledged worker goes on; the database may still lose the row."""
    state = move(state, i, worker)
    return state if row == state.row else state._replace(row=row, before=state.row)


def spend(state, fault):
    return state.budget._replace(**{fault: getattr(state.budget, fault) - 1})
