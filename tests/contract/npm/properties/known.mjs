// Violations that are known and wait for a change of the service or of the contract: {matches, reason}. Temporary:
// remove an entry together with the change. `matches` is tested against "operation: rule: detail"; each run counts the
// occurrences.
export const kKnown = [];
