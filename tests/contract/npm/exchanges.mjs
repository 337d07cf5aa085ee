// Validates recorded exchanges against api/rest/openapi.yaml by two validators that others wrote, ajv and the one of
// Prism, and prints which documented statuses of which operations occurred, and what else of the contract did not.
// Arguments: files of JSON Lines {request, head, body} (tests/support/service/exchange_log). Exits with 1 when there is
// a violation, no exchange, a difference from known_unseen.mjs, or a documented status that no operation returned.
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Contract } from './contract.mjs';
import { Coverage } from './coverage.mjs';
import { knownReason } from './exchanges/known.mjs';
import { PrismValidator } from './prism_validator.mjs';
import { Unseen } from './unseen.mjs';
import { reportUnseen } from './unseen_report.mjs';

const contract = new Contract(process.env.TIDEOVER_SOURCE_DIR);
const prism = await PrismValidator.of(process.env.TIDEOVER_SOURCE_DIR);
const coverage = new Coverage(contract);
const unseen = new Unseen(contract);
const violations = new Map();
let count = 0;
let outside = 0;

function parsed(line) {
  const { request, head, body } = JSON.parse(line);
  const [method, target] = request.split(' ');
  const [first, ...lines] = head.split('\r\n').filter((text) => text !== '');
  const headers = {};
  for (const text of lines) {
    const colon = text.indexOf(':');
    headers[text.slice(0, colon).toLowerCase()] = text.slice(colon + 1).trim();
  }
  return { method, target, status: Number(first.split(' ')[1]), headers, body };
}

/** The operators' listener has no version of the API; some tests ask it for paths of the API. */
const isOfOperators = ({ status, headers }) => status === 404 && headers['content-type']?.startsWith('text/plain') &&
  !headers['api-version'] && !headers['x-request-id'];

function note(operation, exchange, fault) {
  const key = `${operation.id}: ${exchange.status}: ${fault}`;
  const found = violations.get(key) ?? { times: 0, exchange };
  ++found.times;
  violations.set(key, found);
}

/** Faults of the events in a response, by the schemas of their kinds. */
function eventFaults({ id }, { status, body }) {
  if (status !== 200 || !['listEvents', 'getEvent'].includes(id)) return [];
  const value = JSON.parse(body);
  return (value.data instanceof Array ? value.data : [value]).flatMap((event) =>
    contract.eventFaults(event).map((fault) => `event ${event.event}: ${fault}`));
}

function validate(exchange) {
  ++count;
  const operation = contract.operationOf(exchange.method, exchange.target);
  if (exchange.method !== 'HEAD' && !isOfOperators(exchange)) unseen.add(operation, exchange);
  if (!operation || isOfOperators(exchange)) return ++outside;
  coverage.add(operation, exchange.status);
  if (exchange.method === 'HEAD') return;
  const faults = [...contract.responseFaults(operation, exchange), ...prism.faults(operation, exchange),
    ...eventFaults(operation, exchange)];
  for (const fault of new Set(faults)) note(operation, exchange, fault);
}

for (const file of process.argv.slice(2).filter(existsSync))
  for await (const line of createInterface({ input: createReadStream(file) })) validate(parsed(line));

coverage.print();
let fresh = 0;
for (const [key, { times, exchange }] of violations) {
  const reason = knownReason(key);
  if (!reason) ++fresh;
  console.log(`\n${reason ? `known violation (${reason})` : 'VIOLATION'} ${key} (${times} times)`);
  console.log(`  ${exchange.method} ${exchange.target}\n  ${exchange.body.slice(0, 400)}`);
}
console.log(`\n${count} exchanges, ${outside} of them outside the operations: ${fresh} new kinds of violations`);
const differences = reportUnseen(unseen);
const gaps = coverage.gaps();
for (const gap of gaps) console.log(`NEVER RETURNED: cause it in a test, or name the reason in coverage.mjs: ${gap}`);
process.exit(count > 0 && fresh === 0 && differences === 0 && gaps.length === 0 ? 0 : 1);
