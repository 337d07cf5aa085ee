// Violations in recorded exchanges that wait for a change of the service or of the contract. Temporary: remove an entry
// together with the change.
const kKnown = [
  [/^listFundingRails: 200: .*rail.* must be equal to one of the allowed values/,
    'a rail of a plugin is not in the enum'],
];

/** Why a violation "operation: status: fault" is known; undefined when it is new. */
export const knownReason = (key) => kKnown.find(([matches]) => matches.test(key))?.[1];
