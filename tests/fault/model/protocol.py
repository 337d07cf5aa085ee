"""The funding protocol as an explicit-state model: what core/usecases/funding/disburse does, step by step, with
everything that can interfere between two steps. `successors` yields every step that can come next; check.py walks all
of them.

One settlement, two workers (two requests, two nodes, or a request and the sweeper), one rail, or two when the
settlement has a fallback. A worker may crash at any step (the sweeper finishes its work), time out while it waits for
the rail, or take over from another at any moment: leases are not modelled, so safety cannot depend on a clock. A
message to the rail may arrive late or never, or be refused for good. The database may fall back behind its last
acknowledged commit (a cluster that lost its nodes, an old backup), with a fallback behind its last three.

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
    rail: int = 0        # of the attempt, and of the settlement's next one; 1: that of the fallback


class Worker(NamedTuple):
    # start | sweeping | claimed | journal | send | await | unclear | ask | paid | refused | book | done | parked
    at: str = 'start'
    number: int = 0       # of the attempt that it holds
    epoch: int = 0        # under which it works
    key: int = 0          # the idempotency key; it does not name the rail
    rail: int = 0         # that it sends over, or asks
    is_first: bool = False  # no rail got the key before


class Budget(NamedTuple):
    """How often each fault may still strike."""
    crashes: int = 2
    timeouts: int = 2
    drops: int = 1
    losses: int = 0   # of the database's last commit
    retries: int = 1  # confirms behind a rejection
    refusals: int = 0  # messages that a rail refuses for good


class State(NamedTuple):
    row: Row
    before: tuple        # what the database falls back to when it loses its last commits, oldest first
    in_flight: tuple     # (rail, key) of messages on their way, sorted
    payments: tuple      # (rail, key) in the banks' books, sorted; two are money paid twice
    fenced: frozenset    # (rail, key) that the rail will not take any more
    refused: frozenset   # (rail, key) that the rail refused for good
    journal: frozenset   # (file, key, rail)
    workers: tuple
    budget: Budget


class Protocol:
    """The rules; `mutants` names those that are broken on purpose, as tests/fault/mutants/patches does in the code."""

    def __init__(self, rail, losses=0, journal='shared', mutants=(), budget=Budget(), fallback=False):
        self.rail = rail
        self.local_journal = journal == 'local'
        self.mutants = frozenset(mutants)
        self.has_fallback = fallback
        self.depth = 3 if fallback else 1  # how many commits a loss takes
        self.budget = budget._replace(losses=losses)
        self.steps = {'start': self.start, 'sweeping': self.sweep, 'claimed': self.mark_submitting,
                      'journal': self.write_journal, 'send': self.send, 'await': self.wait,
                      'unclear': self.note_unknown, 'ask': self.ask, 'paid': self.book, 'refused': self.book_reject,
                      'book': self.book_ledger, 'done': self.compare}

    def initial(self):
        none = frozenset()
        return State(Row(), (), (), (), none, none, none, (Worker(), Worker()), self.budget)

    # ---- what can happen next -------------------------------------------------------------------------------------

    def successors(self, state):
        yield from self.network(state)
        yield from self.database_loss(state)
        for i, worker in enumerate(state.workers):
            step = self.steps.get(worker.at)
            if step is None:
                continue
            if state.budget.crashes and worker.at not in ('start', 'sweeping', 'done'):
                # Its client never comes back: only the sweeper does.
                yield 'crash', move(state, i, Worker('sweeping'))._replace(budget=spend(state, 'crashes'))
            yield from step(state, i, worker)

    def network(self, state):
        for message in sorted(set(state.in_flight)):
            left = list(state.in_flight)
            left.remove(message)
            landed = state._replace(in_flight=tuple(left))
            known = message in state.payments or message in state.refused
            taken = message not in state.fenced and not (self.rail == DEDUP and known)
            payments = tuple(sorted(state.payments + (message,))) if taken else state.payments
            yield 'arrives', landed._replace(payments=payments)
            if state.budget.refusals and taken and not known:
                yield 'is refused', landed._replace(refused=state.refused | {message}, budget=spend(state, 'refusals'))
            if state.budget.drops:
                yield 'is lost', landed._replace(budget=spend(state, 'drops'))

    def database_loss(self, state):
        if not state.budget.losses:
            return
        # The sweeper of a node never ends: a worker that was done tries again.
        workers = tuple(Worker('sweeping') if w.at == 'done' else w for w in state.workers)
        for lost, row in enumerate(reversed(state.before), 1):
            if row != state.row:
                yield f'database loses {lost}', state._replace(
                    row=row, before=state.before[:-lost], workers=workers, budget=spend(state, 'losses'))

    # ---- the steps of one worker: the steps of core/docs/reliability.md#protocol-steps ----------------------------

    def sweep(self, state, i, worker):
        """Step 7. Only what was left in the middle is swept."""
        if state.row.state == 'none':
            yield 'nothing to sweep', move(state, i, Worker('done'))
        else:
            yield from self.take(state, i, may_retry=False)

    def compare(self, state, i, worker):
        """Step 7, with a fallback: a payment that only the journal and the rail know becomes the next attempt."""
        unknown = self.unknown_payment(state, i)
        if unknown:
            rail, key = unknown
            adopted = Row('unknown', key, state.row.epoch + 1, rail=rail)
            yield 'adopts', self.commit(state, adopted, i, Worker('ask', key, adopted.epoch, key, rail))

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
            claimed = Row('intent', row.number + 1, epoch, rail=row.rail)
            if 'send_first' in self.mutants:  # the rail is called before anything is written down
                yield 'sends unclaimed', self.post(move(state, i, Worker('await', key=1)), (0, 1))
            else:
                yield 'claims', self.commit(state, claimed, i, Worker('claimed', claimed.number, epoch, rail=row.rail))
        elif row.state in FINAL:
            yield 'replays', move(state, i, Worker('done'))
        elif row.state == 'intent':
            yield 'takes over intent', self.commit(state, row._replace(epoch=epoch), i,
                                                   Worker('claimed', row.number, epoch, rail=row.rail))
        elif row.state == 'submitting' and 'resend_subm' in self.mutants:
            resent = Worker('send', row.number, epoch, self.key(row.number, epoch), row.rail)
            yield 'takes over and sends', self.commit(state, row._replace(epoch=epoch), i, resent)
        else:
            # submitting or unknown: it may have been sent, so the rail is asked first.
            asking = Worker('ask', row.number, epoch, self.key(row.number, row.epoch), row.rail)
            yield 'takes over to ask', self.commit(state, row._replace(state='unknown', epoch=epoch), i, asking)

    def mark_submitting(self, state, i, worker):
        """Step 2, fenced by the epoch. A key in the journal may have been sent before the database fell back."""
        row = state.row
        if not (row.state == 'intent' and is_held(row, worker)) and 'no_epoch' not in self.mutants:
            yield from self.fenced_out(state, i)
            return
        key = self.key(row.number, worker.epoch)
        if self.in_journal(state, i, key) and 'no_journal' not in self.mutants:
            rail = self.sent_over(state, i, key, row.rail)
            yield 'journal knows the key', self.commit(state, row._replace(state='unknown', rail=rail), i,
                                                       Worker('ask', row.number, worker.epoch, key, rail))
        else:
            yield 'marks submitting', self.commit(state, row._replace(state='submitting'), i,
                                                  Worker('journal', row.number, worker.epoch, key, row.rail))

    def write_journal(self, state, i, worker):
        """Step 3: synced before the first byte leaves."""
        if 'no_journal' in self.mutants:
            yield 'keeps no journal', move(state, i, worker._replace(at='send', is_first=True))
        elif self.in_journal(state, i, worker.key):
            rail = self.sent_over(state, i, worker.key, worker.rail)
            if self.rail == DEDUP and rail == worker.rail:
                yield 'journal knows it, too', move(state, i, worker._replace(at='send'))
            else:
                yield 'journal knows it meanwhile', move(state, i, worker._replace(at='unclear', rail=rail))
        else:
            if state.budget.timeouts:
                yield from self.hold_back(state, i, worker)
            yield 'writes journal', move(state, i, worker._replace(at='send', is_first=True))._replace(
                journal=state.journal | {(self.journal_of(i), worker.key, worker.rail)})

    def hold_back(self, state, i, worker):
        """The disk is full: nothing was shown to the rail, so the attempt goes back to where a sweeper finds it."""
        row = state.row
        if row.state == 'submitting' and is_held(row, worker):
            held_back = self.commit(state, row._replace(state='intent'), i, Worker('sweeping'))
            yield 'is held back', held_back._replace(budget=spend(state, 'timeouts'))

    def send(self, state, i, worker):
        """Step 4: no transaction is open while the rail is called."""
        if len(state.in_flight) < MOST_IN_FLIGHT:
            yield 'sends', self.post(move(state, i, worker._replace(at='await')), (worker.rail, worker.key))

    def wait(self, state, i, worker):
        sent = (worker.rail, worker.key)
        if sent in state.payments:
            yield 'hears accepted', move(state, i, worker._replace(at='paid'))
        elif sent in state.refused:
            yield 'hears refused', move(state, i, worker._replace(at='refused'))
        if state.budget.timeouts:
            unclear = move(state, i, worker._replace(at='unclear'))
            yield 'waits in vain', unclear._replace(budget=spend(state, 'timeouts'))
        elif sent not in state.in_flight + state.payments and sent not in state.refused:
            yield 'waits in vain', move(state, i, worker._replace(at='unclear'))  # nothing will ever come

    def note_unknown(self, state, i, worker):
        """Step 5: no answer is no failure."""
        row = state.row
        holds = is_held(row, worker) and row.state in ('submitting', 'unknown')
        if 'tout_fail' in self.mutants and row.state == 'submitting' and is_held(row, worker):
            yield 'takes silence for failure', self.commit(state, Row('none', 0, row.epoch), i, Worker('done'))
        elif holds and 'fallback_after_unknown' in self.mutants and self.may_fall_back(row):
            yield from self.fall_back(state, i)
        elif holds and 'tout_fail' not in self.mutants:
            yield 'marks unknown', self.commit(state, row._replace(state='unknown', rail=worker.rail), i,
                                               worker._replace(at='ask'))
        else:
            yield from self.fenced_out(state, i)

    def ask(self, state, i, worker):
        """Step 6: what can be learnt depends on what the rail declares."""
        row = state.row
        holds = row.state == 'unknown' and is_held(row, worker)
        end = lambda final: (self.commit(state, row._replace(state=final), i, Worker('done')) if holds else
                             self.commit(state, row, i, Worker('start')))
        if self.rail == BLIND:
            yield 'hands over', end('manual')
        elif (worker.rail, worker.key) in state.payments:
            yield 'finds it paid', move(state, i, worker._replace(at='paid'))
        elif (worker.rail, worker.key) in state.refused:
            yield 'finds it refused', end('rejected')  # an answer to a question starts no other rail
        elif self.rail == FENCE:
            fenced = state.fenced | {(worker.rail, worker.key)}
            yield 'finds nothing, for ever', end('rejected')._replace(fenced=fenced)
        elif self.rail == QUERY and 'resend_notfound' not in self.mutants:
            yield 'finds nothing, hands over', end('manual')
        elif holds:
            yield 'sends again', self.commit(state, row._replace(state='submitting'), i,
                                             worker._replace(at='send', is_first=False))
        else:
            yield from self.fenced_out(state, i)

    def book(self, state, i, worker):
        """Step 4, the result: attempt, ledger and event in one transaction, fenced by the epoch."""
        row = state.row
        booked = row._replace(state='accepted', posted=row.posted + 1, events=row.events + 1)
        holds = is_held(row, worker) and row.state in ('submitting', 'unknown')
        if 'send_first' in self.mutants:
            yield 'books', self.commit(state, Row('accepted', 1, row.epoch, 1, 1), i, Worker('done'))
        elif 'no_fence_settle' in self.mutants:
            yield 'books unfenced', self.commit(state, booked, i, Worker('done'))
        elif not holds:
            yield from self.fenced_out(state, i)
        elif 'split_tx' in self.mutants:
            yield 'writes the state alone', self.commit(state, row._replace(state='accepted'), i,
                                                        worker._replace(at='book'))
        else:
            yield 'books', self.commit(state, booked, i, Worker('done'))

    def book_reject(self, state, i, worker):
        """Step 5, a reject: it and the attempt over the next rail are one transaction."""
        row = state.row
        if not (is_held(row, worker) and row.state == 'submitting'):
            yield from self.fenced_out(state, i)
        elif worker.is_first and self.may_fall_back(row):
            yield from self.fall_back(state, i)
        else:
            yield 'books the reject', self.commit(state, row._replace(state='rejected'), i, Worker('done'))

    def fall_back(self, state, i):
        row = state.row
        following = Row('intent', row.number + 1, row.epoch + 1, rail=1)
        claimed = Worker('claimed', following.number, following.epoch, rail=1)
        yield 'starts the next rail', self.commit(state, following, i, claimed)

    def may_fall_back(self, row):
        return self.has_fallback and row.rail == 0 and row.epoch < MOST_EPOCHS

    def book_ledger(self, state, i, worker):
        """Only the mutant split_tx comes here."""
        row = state.row
        booked = row._replace(posted=row.posted + 1, events=row.events + 1)
        yield 'books afterwards', self.commit(state, booked, i, Worker('done'))

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
        return any(entry[:2] == (self.journal_of(i), key) for entry in state.journal)

    def sent_over(self, state, i, key, otherwise):
        """The rail that the journal names for the key; the rail of a settlement may have changed since."""
        if 'no_follow_journal' in self.mutants:
            return otherwise
        return next(rail for file, known, rail in state.journal if (file, known) == (self.journal_of(i), key))

    def unknown_payment(self, state, i):
        """(rail, key) of the first payment that is in the journal and the bank's book, and not in the database."""
        if not self.has_fallback or state.row.state not in ('none', 'rejected'):
            return None
        lost = sorted((key, rail) for file, key, rail in state.journal
                      if file == self.journal_of(i) and key > state.row.number and (rail, key) in state.payments)
        return lost[0][::-1] if lost else None

    def post(self, state, message):
        return state._replace(in_flight=tuple(sorted(state.in_flight + (message,))))

    def commit(self, state, row, i, worker):
        """One transaction. An acknowledged worker goes on; the database may still lose the row."""
        state = move(state, i, worker)
        if row == state.row:
            return state
        before = (state.before + (state.row,))[-self.depth:] if state.budget.losses else ()
        return state._replace(row=row, before=before)

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
        if any(self.unknown_payment(state, i) for i in range(len(state.workers))):
            return None
        # Nothing can move any more.
        if state.payments and row.state in ('none', 'intent', 'rejected'):
            return 'PAID BUT FORGOTTEN'
        if row.state not in FINAL and row.state != 'none':
            return 'LEFT OPEN'
        if row.state == 'accepted' and (row.posted, row.events) != (1, 1):
            return 'FUNDED WITHOUT LEDGER ENTRY OR EVENT'
        return None


def is_held(row, worker):
    """Whether the worker still has the attempt: a write of another epoch, or for another attempt, changes nothing."""
    return (row.number, row.epoch) == (worker.number, worker.epoch)


def move(state, i, worker):
    workers = list(state.workers)
    workers[i] = worker
    return state._replace(workers=tuple(workers))


def spend(state, fault):
    return state.budget._replace(**{fault: getattr(state.budget, fault) - 1})
