// Every state of settlements, payments, claims, imports, tasks and webhook endpoints × every operation of the object,
// against a running service. Exits with 1 when a cell of a table is missing or not what the service answers, when a
// response is not as documented, or when api/docs/states.md is not what the tables say.
//
//   states.mjs            checks
//   states.mjs --write    writes api/docs/states.md from the tables; starts no service
//   states.mjs NAME...    checks the objects with these names, such as "tasks"
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Contract } from './contract.mjs';
import { claims } from './states/claims.mjs';
import { endpoints } from './states/endpoints.mjs';
import { imports } from './states/imports.mjs';
import { pageOf } from './states/page.mjs';
import { payments } from './states/payments.mjs';
import { settlements } from './states/settlements.mjs';
import { observedIn, problemsOf } from './states/table.mjs';
import { tasks } from './states/tasks.mjs';
import { World } from './states/world.mjs';

const objects = { settlements, payments, claims, imports, tasks, endpoints };
const root = process.env.TIDEOVER_SOURCE_DIR;
const page = join(root, 'api/docs/states.md');
const contract = new Contract(root);
const chosen = process.argv.slice(2).filter((name) => name in objects);
const problems = new Set();
/** States of an object that are tested at the same time. */
const kAtOnce = 6;

/** Notes a response that openapi.yaml does not allow. */
function check(method, target, answer) {
  const operation = contract.operationOf(method, target);
  const faults = operation ? contract.responseFaults(operation, answer) : [`${method} ${target} is not documented`];
  for (const fault of faults) problems.add(`${operation?.id} ${answer.status}: ${fault}`);
}

/** Compares each cell of an object; returns the number of cells. */
async function compare(object, world) {
  const waiting = Object.keys(object.states);
  let count = 0;
  const work = async () => {
    for (let state = waiting.shift(); state; state = waiting.shift())
      for (const [operation, cell] of Object.entries(await rowOf(object, state, world))) {
        ++count;
        const expected = object.cells[state]?.[operation];
        if (cell !== expected)
          problems.add(`${object.title}: "${operation}" in "${state}": expected "${expected}", received "${cell}"`);
      }
  };
  await Promise.all(Array.from({ length: object.atOnce ?? kAtOnce }, work));
  return count;
}

async function rowOf(object, state, world) {
  try {
    return await observedIn(object, state, world);
  } catch (error) {
    problems.add(`${object.title}: the state "${state}" was not reached: ${error.message}`);
    return {};
  }
}

for (const object of Object.values(objects))
  for (const problem of problemsOf(object, contract)) problems.add(problem);

if (problems.size > 0) {
  // Tables with gaps have no page.
} else if (process.argv.includes('--write')) {
  writeFileSync(page, pageOf(Object.values(objects)));
} else {
  const world = new World(check);
  try {
    for (const name of chosen.length > 0 ? chosen : Object.keys(objects)) {
      const started = Date.now();
      const cells = await compare(objects[name], world);
      console.log(`${name}: ${cells} cells in ${((Date.now() - started) / 1000).toFixed(1)} s`);
    }
  } finally {
    await world.stop();
  }
  if (readFileSync(page, 'utf8') !== pageOf(Object.values(objects)))
    problems.add('api/docs/states.md differs from the tables. Write it with tests/contract/npm/states.mjs --write');
}
for (const problem of problems) console.log(`PROBLEM ${problem}`);
process.exitCode = problems.size === 0 ? 0 : 1;
