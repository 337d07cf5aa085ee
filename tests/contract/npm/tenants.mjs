// R29 (core/docs/reliability.md#fault-figures): what belongs to a tenant is for every other tenant like something that
// does not exist. Two other tenants ask for every id in every place where an operation takes one; each response must be
// the one to an unknown id, byte for byte but for the ids. Afterwards the objects are as they were.
import { rmSync } from 'node:fs';
import { Contract } from './contract.mjs';
import { claims } from './scenarios/claims.mjs';
import { poolsOf } from './scenarios/crawl.mjs';
import { customFolder, customSettings } from './scenarios/custom_service.mjs';
import { files } from './scenarios/files.mjs';
import { funding } from './scenarios/funding.mjs';
import { money } from './scenarios/money.mjs';
import { pickedUp } from './scenarios/custom.mjs';
import { Session } from './scenarios/session.mjs';
import { webhooks } from './scenarios/webhooks.mjs';

const source = process.env.TIDEOVER_SOURCE_DIR;
const contract = new Contract(source);
const kMostOfEach = 5;
const kUnknown = '01M7WPEP1G0000000000000003';
const day = new Date().toISOString().slice(0, 10);

/** Path parameters that name nothing of a tenant: numbers of practices are public; payers, rules, months are common. */
const kCommon = ['payer_id', 'rule_id', 'period', 'payee_npi'];
/** Where objects are read, with the ids for them. */
const kObjects = {
  '/v1/settlements': 'settlement_id', '/v1/claims': 'claim_id', '/v1/deposits': 'deposit_id',
  '/v1/remittances': 'remittance_id', '/v1/clients': 'client_id', '/v1/imports/claims': 'job_id',
};
/** Bodies with which an operation comes to look for the object. */
const kBodies = {
  changeFunding: { rail: 'SAME_DAY' }, updateClaimStatus: { status: 'submitted' },
  returnDeposit: { returned_date: day, reason: 'stop payment' },
  decideTask: { decision: 'approve', reason: 'Stranger' },
  undoTask: { reason: 'Stranger' }, replayReview: {}, updateClient: { name: 'Stranger' }, rotateClientSecret: {},
  updateWebhookEndpoint: { description: 'Stranger' }, rotateWebhookSecret: {},
  returnSimulatedTransfer: { code: 'R02' }, rejectSimulatedTransfer: { code: 'R03' },
};
/** Members of bodies that name an object. */
const kIdsInBodies = [
  ['createAdjudication', 'authorization_id', (id) => ({ authorization_id: id, funding: { rail: 'RTP' } })],
  ['quoteFunding', 'authorization_id', (id) => ({ authorization_id: id })],
  ['simulateDeposit', 'settlement_id', (id) => ({ settlement_id: id, outcome: 'paid' })],
  ['simulateRemittance', 'settlement_id', (id) => ({ settlement_id: id, outcome: 'paid' })],
];
/** Query parameters that name an object, with the ids for them. */
const kIdsInQueries = {
  settlement_id: 'settlement_id', object_id: 'settlement_id', client_id: 'client_id',
  claim_identifier: 'claim_identifier', trace_number: 'trace_number',
};

/** The id as it would be if there were no such object. */
const unknownOf = (id) => id.replace(/(?<=^[a-z]{3,4}_)[0-9A-HJKMNP-TV-Z]{26}$/, kUnknown)
  .replace(/^(?![a-z]{3,4}_).*$/, 'NO-SUCH-NAME');

const isCommon = ({ path, scope }) => scope === 'none' || kCommon.some((name) => path.includes(`{${name}}`));
const some = (pool) => [...(pool ?? [])].slice(-kMostOfEach);

/** Questions about objects: {operation, ids, target, body} and the same about none: {unknownTarget, unknownBody}. */
function* questions(pools) {
  for (const operation of contract.operations) {
    const names = operation.path.match(/\{([^}]+)\}/g)?.map((text) => text.slice(1, -1)) ?? [];
    const body = kBodies[operation.id];
    for (const ids of isCommon(operation) ? [] : combinations(names.map((name) => some(pools[name])))) {
      const target = (change) => names.reduce((path, name, n) =>
        path.replace(`{${name}}`, encodeURIComponent(change(ids[n]))), operation.path);
      yield { operation, ids, body, unknownBody: body, target: target((id) => id), unknownTarget: target(unknownOf) };
    }
    for (const { name } of names.length > 0 ? [] : operation.parameters.filter((one) => kIdsInQueries[one.name]))
      for (const id of some(pools[kIdsInQueries[name]])) {
        const target = (value) => `${operation.path}?${name}=${encodeURIComponent(value)}`;
        yield { operation, ids: [id], target: target(id), unknownTarget: target(unknownOf(id)) };
      }
  }
  for (const [id, pool, bodyOf] of kIdsInBodies)
    for (const value of some(pools[pool])) {
      const operation = contract.operations.find((one) => one.id === id);
      yield { operation, ids: [value], target: operation.path, unknownTarget: operation.path,
        body: bodyOf(value), unknownBody: bodyOf(unknownOf(value)) };
    }
}

/** Every id of the first parameter, with one of each further parameter. */
function combinations([first = [], ...others]) {
  if (others.some((one) => one.length === 0)) return [];
  return first.map((id) => [id, ...others.map((one) => one.at(-1))]);
}

/** What a response tells: all but the ids that the request named, and the id of the request. */
function told({ status, body }, ids) {
  const text = body.replace(/"request_id":"[^"]*"/, '');
  return `${status} ${ids.reduce((rest, id) => rest.replaceAll(id, '?').replaceAll(unknownOf(id), '?'), text)}`;
}

/** Texts of objects that strangers ask about, to see that they change nothing. */
async function objects(session, pools) {
  const texts = [];
  for (const [path, pool] of Object.entries(kObjects))
    for (const id of some(pools[pool])) texts.push((await session.exchange('GET', `${path}/${id}`)).body);
  return texts.map((text) => text.replace(/"last_used_at":("[^"]*"|null)/g, ''));
}

const differences = [];
const asked = new Set();
let count = 0;

async function ask(stranger, { operation, ids, target, unknownTarget, body, unknownBody }) {
  const own = await stranger.exchange(operation.method, target, body);
  const none = await stranger.exchange(operation.method, unknownTarget, unknownBody);
  ++count;
  asked.add(operation.id);
  if (told(own, ids) !== told(none, ids))
    differences.push(`${operation.method} ${target}\n  ${own.status} ${own.body}\n  ${none.status} ${none.body}`);
}

/** Whatever a stranger reads without an id has no id of the tenant. */
async function readLists(stranger, pools) {
  const foreign = Object.entries(pools).filter(([name]) => name.endsWith('_id') && !kCommon.includes(name))
    .flatMap(([, ids]) => [...ids]);
  for (const operation of contract.operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'))) {
    const { body } = await stranger.exchange('GET', operation.path);
    const leaked = foreign.find((id) => body.includes(id));
    if (leaked) differences.push(`GET ${operation.path} has ${leaked}`);
  }
}

const folder = customFolder(source);
const { pickup } = customSettings(folder);
const session = await Session.start({ settings: { rules: { operator_tenant: 'default' }, pickup } });
try {
  for (const scenario of [claims, funding, money, webhooks]) await scenario(session);
  await pickedUp(session, folder);
  await files(session);
  await session.get('/v1/clients');
  await session.get('/v1/events?limit=100');
  const pools = poolsOf(session.bodies);
  const before = await objects(session, pools);
  for (const tenant of ['second', 'third']) {
    const stranger = session.as(await session.tokenOf({ tenant }));
    for (const question of questions(pools)) await ask(stranger, question);
    await readLists(stranger, pools);
  }
  const after = await objects(session, pools);
  before.forEach((text, n) => after[n] === text || differences.push(`changed: ${text}\n  to ${after[n]}`));
  const withIds = contract.operations.filter((one) => one.path.includes('{') && !isCommon(one));
  const left = withIds.filter(({ id }) => !asked.has(id)).map(({ id }) => id);
  for (const difference of differences) console.log(difference);
  if (left.length > 0) console.log(`no id for ${left.join(', ')}`);
  console.log(`R29  ids of a tenant in ${asked.size} operations, asked for by two others: ${count} questions, `
    + `${before.length} objects compared, ${differences.length} differences from unknown ids`);
  process.exitCode = differences.length === 0 && left.length === 0 ? 0 : 1;
} finally {
  session.close();
  await session.service.stop();
  rmSync(folder, { recursive: true });
}
