// Prints how much of the contract the recorded responses had, and compares what they lack with known_unseen.mjs.
import { kByChance, kKnownUnseen } from './known_unseen.mjs';

const keysOf = (table) => table.flatMap(([, places]) =>
  Object.entries(places).flatMap(([place, names]) => names.split(' ').map((name) => `${place} ${name}`)));

function printGroups(groups) {
  console.log('\noptional members, error codes and kinds of events: seen of documented');
  const cells = [...groups].map(([group, { seen, total }]) => `${group}: ${seen}/${total}`.padEnd(38));
  while (cells.length > 0) console.log(cells.splice(0, 3).join('').trimEnd());
}

/** Returns the number of differences: new gaps, known gaps that were seen, and entries about nothing. */
export function reportUnseen(unseen) {
  const { groups, unseen: missing, documented } = unseen.result();
  printGroups(groups);
  const [known, byChance] = [keysOf(kKnownUnseen), keysOf(kByChance)];
  const all = [...known, ...byChance];
  const differences = {
    'UNSEEN: cause it in a test, or name the reason in known_unseen.mjs': missing.filter((key) => !all.includes(key)),
    'SEEN: remove it from known_unseen.mjs': known.filter((key) => documented.includes(key) && !missing.includes(key)),
    'NOT DOCUMENTED: remove it from known_unseen.mjs': all.filter((key) => !documented.includes(key)),
    'TWICE in known_unseen.mjs': all.filter((key, n) => all.indexOf(key) !== n),
  };
  for (const [what, keys] of Object.entries(differences)) for (const key of keys) console.log(`${what}: ${key}`);
  const count = Object.values(differences).flat().length;
  console.log(`\n${documented.length - missing.length} of ${documented.length} seen, ${known.length} known gaps, `
    + `${byChance.length} by chance: ${count} differences`);
  return count;
}
