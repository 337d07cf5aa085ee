// Violations in recorded exchanges that wait for a change of the service or of the contract: [pattern of the key,
// reason]. Temporary: remove an entry together with the change.
const kKnown = [];

/** Why a violation "operation: status: fault" is known; undefined when it is new. */
export const knownReason = (key) => kKnown.find(([matches]) => matches.test(key))?.[1];
