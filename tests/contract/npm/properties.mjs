// Property tests of the running service: requests that are made from the schemas of api/rest/openapi.yaml, valid ones
// and ones with a fault. Variables:
//   TIDEOVER_PROPERTY_REQUESTS   how many (default 20000)
//   TIDEOVER_PROPERTY_SEED       repeats a run (default: random, printed)
//   TIDEOVER_PROPERTY_OPERATION  only this operation
import fc from 'fast-check';
import { Contract } from './contract.mjs';
import { check } from './properties/checks.mjs';
import { Http } from './properties/http.mjs';
import { Report } from './properties/report.mjs';
import { concrete, requestTo } from './properties/requests.mjs';
import { roundTrip } from './properties/round_trip.mjs';
import { seedData } from './properties/seed_data.mjs';
import { Pools } from './properties/values.mjs';
import { startService } from './service.mjs';

const kConnections = 8;
const wanted = Number(process.env.TIDEOVER_PROPERTY_REQUESTS ?? 20_000);
const seed = Number(process.env.TIDEOVER_PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31));

const contract = new Contract(process.env.TIDEOVER_SOURCE_DIR);
const only = process.env.TIDEOVER_PROPERTY_OPERATION;
const operations = contract.operations.filter(({ id }) => !only || id === only);
const pools = new Pools();
const report = new Report(contract);

async function tokensOf(service) {
  const bearer = (token) => `Bearer ${token}`;
  return {
    admin: bearer(await service.token()), other_scope: bearer(await service.token('metadata:read')),
    malformed: 'Bearer', wrong: 'Bearer v1.wrong', basic: `Basic ${btoa('a:b')}`,
  };
}

/** Operations of which the service runs one at a time; it asks others to retry. */
const kOneAtATime = ['replayReview', 'getCalibration', 'getPayerGrades', 'getRuleGrades', 'getAdvanceGrades'];
let turn = Promise.resolve();

function answered(http, sent) {
  if (!kOneAtATime.includes(sent.operation.id)) return http.send(sent);
  const send = () => http.send(sent);
  return (turn = turn.then(send, send));
}

/** Sends a request and returns its violations. */
async function probe(http, tokens, generated) {
  const sent = { ...concrete(generated, { pools, tokens }), sentAt: Date.now() };
  let answer;
  try {
    answer = await answered(http, sent);
  } catch (error) {
    return { sent, violations: [{ rule: 'no answer', detail: error.message }] };
  }
  pools.learn(answer.body);
  const violations = check(contract, sent, answer);
  const read = async (target) => (await http.json('GET', target, tokens.admin)).value;
  if (violations.length === 0) violations.push(...await roundTrip(sent, answer, read));
  if (sent.operation.id === 'createWebhookEndpoint' && answer.status === 200)
    await http.json('DELETE', `/v1/webhooks/endpoints/${JSON.parse(answer.body).id}`, tokens.admin);
  return { sent, answer, violations };
}

/** Runs the property of one operation until its share of requests is used; each kind of violation is shrunk once. */
async function explore(operation, share, send) {
  const arbitrary = requestTo(operation, (node) => contract.resolve(node));
  const end = send.count() + share;
  for (let round = 0; round < 40 && send.count() < end; ++round) {
    let focus;
    const property = fc.asyncProperty(arbitrary, async (generated) => {
      const result = await send.probe(generated);
      report.count(operation, result);
      const fresh = result.violations.find((one) =>
        (focus ? report.key(operation, one) === focus : report.isNew(operation, one)));
      if (!fresh) return;
      focus ??= report.key(operation, fresh);
      report.keep(focus, { operation, ...result, violation: fresh });
      throw new Error(focus);
    });
    const result = await fc.check(property, { seed: seed + round, numRuns: Math.max(1, end - send.count()) });
    if (!result.failed) return;
    if (!focus) throw result.errorInstance;  // a fault of the test itself
    report.found(focus);
  }
}

const service = await startService({ settings: { rules: { operator_tenant: 'default' } } });
const http = new Http(service.baseUrl, kConnections);
try {
  const tokens = await tokensOf(service);
  pools.add('client_id', service.client.id);
  pools.add('client_secret', service.client.secret);
  pools.exclude(service.client.id);
  await seedData(http, tokens.admin, pools);
  console.log(`seed ${seed}, ${wanted} requests over ${operations.length} operations`);
  const weight = ({ body }) => (body ? 4 : 1);
  const total = operations.reduce((sum, operation) => sum + weight(operation), 0);
  const waiting = [...operations];
  const started = Date.now();
  await Promise.all(Array.from({ length: kConnections }, async () => {
    for (let operation = waiting.shift(); operation; operation = waiting.shift()) {
      let count = 0;
      const send = { count: () => count, probe: (generated) => (++count, probe(http, tokens, generated)) };
      await explore(operation, Math.ceil((wanted * weight(operation)) / total), send);
    }
  }));
  report.print(http.count, (Date.now() - started) / 1000, seed);
} finally {
  http.close();
  await service.stop();
}
const passed = !report.failed() && http.count >= wanted;
console.log(`R24  ${http.count} requests made from the contract: ${passed ? 'each answered as documented' : 'FAILED'}`);
process.exit(passed ? 0 : 1);
