// The guide api/docs/sandbox-afternoon.md and its script: both have the same commands, and the script runs in a new
// sandbox in less than a minute.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startService } from '../service.mjs';

const root = process.env.TIDEOVER_SOURCE_DIR;
const script = join(root, 'api/docs/examples/afternoon');
const kMostSeconds = 60;

/** What must have happened, in this order. */
const kSteps = [/obtains a token/, /secret is rotated/, /first secret is revoked/, /RTP pays the advance/,
  /settlement\.funded is delivered/, /arrive a second time/, /secret of the endpoint is rotated/,
  /come back with R02/, /not confirmed for a week expires/, /advance and fee are repaid/, /payer takes it back/,
  /receivable is overdue/, /written off/];

/** Runs the script as the guide says: {code, out, err, seconds}. */
async function run(service, secret = service.client.secret) {
  const started = Date.now();
  const env = { ...process.env, TIDEOVER_URL: service.baseUrl, TIDEOVER_CLIENT_ID: service.client.id,
    TIDEOVER_CLIENT_SECRET: secret };
  const child = spawn(script, { cwd: root, env });
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (texts.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (texts.err += text));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, ...texts, seconds: (Date.now() - started) / 1000 };
}

async function inSandbox(settings, use) {
  const service = await startService({ settings });
  try {
    await use(service);
  } finally {
    assert.equal(await service.stop(), 0, service.log());
  }
}

test('the page has the commands of the script', () => {
  const page = readFileSync(join(root, 'api/docs/sandbox-afternoon.md'), 'utf8');
  const blocks = [...page.matchAll(/^## \d+\. (.*)\n[^]*?^```sh\n([^]*?)^```$/gm)];
  const told = blocks.map(([, title, commands]) => `# --- ${title} ---\n\n${commands}`).join('\n');
  const text = readFileSync(script, 'utf8');
  assert.equal(told, text.slice(text.indexOf('# --- ')));
});

test('the script shows every step in less than a minute, also a second time', () => inSandbox({}, async (service) => {
  for (let time = 0; time < 2; ++time) {
    const { code, out, err, seconds } = await run(service);
    assert.equal(code, 0, out + err);
    assert.ok(seconds < kMostSeconds, `${seconds} s; at most ${kMostSeconds} s`);
    const lines = out.split('\n');
    let at = -1;
    for (const step of kSteps) {
      at = lines.findIndex((line, number) => number > at && step.test(line));
      assert.notEqual(at, -1, `no line ${step} after the one before it:\n${out}`);
    }
    for (const line of lines.slice(0, -2)) assert.match(line, /^20\d\d-\d\d-\d\d {2}\S/);
  }
}));

test('a wrong secret ends the script with what was expected and received', () => inSandbox({}, async (service) => {
  const { code, out, err } = await run(service, 'cs_test_wrong');
  assert.equal(code, 1);
  assert.equal(out, '');
  assert.match(err, /^FAILED: The client obtains a token\.\n {2}expected: \.access_token\n {2}received: .*_client/);
}));

test('another advance than the guide says ends the script there', () =>
  inSandbox({ funding: { max_advance_bps: 5000 } }, async (service) => {
    const { code, err } = await run(service);
    assert.equal(code, 1);
    assert.match(err, /^FAILED: The service offers 640\.00 .*\n {2}expected: .*== 640.*\n {2}received: .*stl_/);
  }));
