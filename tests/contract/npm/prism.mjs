// A session through `prism proxy --errors` against the running service: the examples of api/rest in their order, then
// requests that provoke each documented refusal of every operation. Prism answers 500 to a response that the contract
// does not allow. Prints the coverage; exits with 1 when Prism reports a violation.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Contract } from './contract.mjs';
import { Coverage } from './coverage.mjs';
import { StandIns } from './prism/examples.mjs';
import { refusals } from './prism/refusals.mjs';
import { Http } from './properties/http.mjs';
import { eventually, startService } from './service.mjs';

const root = process.env.TIDEOVER_SOURCE_DIR;
const contract = new Contract(root);
const coverage = new Coverage(contract);
const violations = new Map();
/** What Prism reports although the contract allows it: it reads a body of several lines of JSON as one value. */
const kLimitsOfPrism = [/^listImport(Results|Errors): response\.body: Response body must be object$/];
const prismPackage = createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json');
const command = join(dirname(prismPackage), 'dist/index.js');

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startPrism(upstream) {
  const port = await freePort();
  const options = ['--errors', '--validate-request', 'false', '--verboseLevel', 'error', '--port', String(port)];
  const child = spawn(process.execPath, [command, 'proxy', join(root, 'api/rest/openapi.yaml'), upstream, ...options]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('close', resolve));
    if (child.exitCode === null) child.kill('SIGTERM') && await ended;
  };
  const listens = async () => (await fetch(`http://127.0.0.1:${port}/v1/openapi.json`).catch(() => undefined))?.status;
  await eventually(`Prism listens: ${output}`, listens, 60);
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** Notes what Prism says about a response; returns it. */
function noted(operation, request, answer) {
  coverage.add(operation, answer.status);
  const problem = answer.headers['content-type'] === 'application/problem+json' && JSON.parse(answer.body);
  const reported = problem?.validation ?? JSON.parse(answer.headers['sl-violations'] ?? '[]');
  for (const { location, message } of reported.filter(({ location: [side] }) => side === 'response')) {
    const key = `${operation.id}: ${location.join('.').replace(/\b\d+\b/g, 'N')}: ${message}`;
    const known = kLimitsOfPrism.some((matches) => matches.test(key));
    violations.set(key, { known, request, times: (violations.get(key)?.times ?? 0) + 1 });
  }
  return answer;
}

async function replayExamples(http, service, token) {
  const names = new StandIns(service.client);
  for (const file of readdirSync(join(root, 'api/rest/examples')).sort()) {
    const example = JSON.parse(readFileSync(join(root, 'api/rest/examples', file), 'utf8'));
    const operation = contract.operations.find(({ id }) => id === example.operation);
    const request = names.request(example, operation.scope === 'none' ? undefined : token);
    const answer = await eventually(file, async () => {
      const got = await http.send(request);
      return names.holds(example, got.body) && got;
    });
    noted(operation, request, answer);
    const limited = answer.status === 500 && example.request.path.startsWith('/v1/imports/claims/');
    if (answer.status !== example.response.status && !limited)
      violations.set(`${file}: status ${answer.status}`, { request, times: 1 });
    else names.learn(example.response.body, answer.body);
  }
}

async function provokeRefusals(http, service, token) {
  const other = `Bearer ${await service.token('audit:read')}`;
  const metadata = `Bearer ${await service.token('metadata:read')}`;
  for (const operation of contract.operations)
    for (const request of refusals(operation, { token, other: operation.scope === 'audit:read' ? metadata : other }))
      noted(operation, request, await http.send(request));
}

const service = await startService({ settings: { rules: { operator_tenant: 'default' } } });
const prism = await startPrism(service.baseUrl);
const http = new Http(prism.url, 4);
try {
  const started = Date.now();
  const token = `Bearer ${await service.token()}`;
  await replayExamples(http, service, token);
  await provokeRefusals(http, service, token);
  coverage.print();
  for (const [key, { known, request, times }] of violations) {
    console.log(`${known ? 'limit of Prism' : 'VIOLATION'} ${key} (${times} times)`);
    console.log(`  ${request.method} ${request.target}`);
  }
  const fresh = [...violations.values()].filter(({ known }) => !known).length;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`\n${http.count} requests through Prism in ${seconds} s: ${fresh} kinds of violations`);
  process.exitCode = fresh === 0 ? 0 : 1;
} finally {
  http.close();
  await prism.stop();
  await service.stop();
}
