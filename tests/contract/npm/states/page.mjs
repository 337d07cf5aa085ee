// api/docs/states.md: the tables of states for readers.
const kHead = `# States and operations

The response to each operation in each state of an object. A cell is the status of the response, with the code of an
error. An arrow leads to the state that follows; without an arrow the object stays in its state. Responses that do not
depend on the state, such as 401 and 429, are left out.

\`tests/contract/npm/states\` checks every cell in a running sandbox. \`states.mjs --write\` there writes this page.

A repeated request with the same \`Idempotency-Key\` is not part of the tables: it gets the first response again, see
[Idempotency](errors-and-retries.md#idempotency).
`;

const inCode = (cell) => cell.replace(/^(\d{3}) ([a-z_]+)/, '$1 `$2`');

const row = (cells) => `| ${cells.join(' | ')} |`;

function tableOf({ states, operations, cells, dash, implied }) {
  const keys = Object.keys(operations);
  const shown = (state, key) => {
    const cell = cells[state][key];
    return cell === dash ? '–' : inCode(implied && cell.endsWith(` → ${key}`) ? cell.split(' ')[0] : cell);
  };
  return [
    row(['State', ...keys.map((key) => operations[key].label)]),
    `|${'---|'.repeat(keys.length + 1)}`,
    ...Object.keys(states).map((state) => row([state, ...keys.map((key) => shown(state, key))])),
  ].join('\n');
}

/** The states whose name does not say all. */
function statesOf({ states }) {
  const explained = Object.entries(states).filter(([name, { text }]) => text !== `\`${name}\``);
  return ['| State | Meaning |', '|---|---|', ...explained.map(([name, { text }]) => row([name, text]))].join('\n');
}

export function pageOf(objects) {
  const sections = objects.map((object) =>
    `\n## ${object.title}\n\n${object.intro}\n\n${statesOf(object)}\n\n${tableOf(object)}\n`);
  return kHead + sections.join('');
}
