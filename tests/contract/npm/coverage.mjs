// Which documented statuses of which operations occurred.

/** Statuses that the service reserves or that need a fault of its machine. */
const kReserved = { 429: 'reserved', 500: 'needs a fault inside the service', 503: 'needs an overload or a stop' };

export class Coverage {
  #counts = new Map();
  #contract;

  constructor(contract) {
    this.#contract = contract;
  }

  add({ id }, status) {
    const counts = this.#counts.get(id) ?? {};
    counts[status] = (counts[status] ?? 0) + 1;
    this.#counts.set(id, counts);
  }

  /** Operations that were called and never returned 200. */
  withoutSuccess() {
    return [...this.#counts].filter(([, counts]) => !counts[200]).map(([id]) => id);
  }

  /** A line per operation: documented statuses with counts, a gap as "-"; then those that only `default` documents. */
  print() {
    let hit = 0;
    let total = 0;
    const gaps = [];
    console.log('operation                     documented status: occurrences | by default');
    for (const { id, statuses } of this.#contract.operations) {
      const counts = this.#counts.get(id) ?? {};
      const shown = statuses.map((status) => `${status}: ${counts[status] ?? '-'}`).join('  ');
      const others = Object.keys(counts).filter((status) => !statuses.includes(status))
        .map((status) => `${status}: ${counts[status]}`);
      console.log(`${id.padEnd(28)}  ${shown} | ${others.join('  ')}`);
      const wanted = statuses.filter((status) => !kReserved[status]);
      const missing = wanted.filter((status) => !counts[status]);
      total += wanted.length;
      hit += wanted.length - missing.length;
      if (missing.length > 0) gaps.push(`${id}: ${missing.join(' ')}`);
    }
    console.log(`\n${hit} of ${total} pairs of operation and documented status occurred. Not counted: ${
      Object.entries(kReserved).map(([status, reason]) => `${status} (${reason})`).join(', ')}.`);
    for (const gap of gaps) console.log(`gap ${gap}`);
  }
}
