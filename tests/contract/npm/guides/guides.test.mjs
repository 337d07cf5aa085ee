// The blocks of sh in the guides run in one shell, in the order of api/docs/README.md. Blocks of text are not run.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startService } from '../service.mjs';

const root = process.env.TIDEOVER_SOURCE_DIR;
const read = (file) => readFileSync(join(root, file), 'utf8');
const service = await startService({ tenant: 'guides' });
const folder = mkdtempSync(join(tmpdir(), 'tideover-guides-'));
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

/** The commands of a page, each block as one text. */
const blocksOf = (file) => [...read(file).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);

/** {code, out, err} of commands in bash; a command that fails ends it. */
function run(commands) {
  const { id, secret } = service.client;
  const env = { ...process.env, TIDEOVER_URL: service.baseUrl, TIDEOVER_OPS_URL: service.opsUrl,
    TIDEOVER_CLIENT_ID: id, TIDEOVER_CLIENT_SECRET: secret };
  const child = spawn('bash', ['-euo', 'pipefail'], { cwd: folder, env });
  const result = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (result.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (result.err += text));
  child.stdin.end(commands);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...result })));
}

// The first test, and tests/contract/npm/afternoon.
const kTestedAlone = ['api/docs/getting-started.md', 'api/docs/sandbox-afternoon.md'];
const start = blocksOf('api/docs/getting-started.md');

test('Getting started leads from a claim to a paid residual, and again returns the same', async () => {
  const first = await run(start.join('\n'));
  assert.deepEqual({ code: first.code, err: first.err }, { code: 0, err: '' }, first.out);
  for (const shown of [/^"ok"$/m, /"payer_id": "SAMPLE-80"/, /"expected": 800\b/, /"advance_amount": 640\b/,
    /"funded_amount": 640\b/, /"status": "posted"/, /"matched_by": "trace_number"/, /"final_status": "settled"/,
    /"residual_due": 137.2\b/, /"amount": 137.2\b/]) assert.match(first.out, shown);
  assert.doesNotMatch(first.out, /"error"/);
  const again = await run(start.join('\n'));
  const ids = (text) => text.match(/"(authorization_id|settlement_id|deposit_id|transfer_id)": "\w+"/g);
  assert.deepEqual(ids(again.out), ids(first.out));
});

test('the commands of the other guides do not fail', async () => {
  const others = [...read('api/docs/README.md').matchAll(/\]\(([a-z-]+\.md)\)/g)].map(([, name]) => `api/docs/${name}`)
    .filter((file) => !kTestedAlone.includes(file));
  assert.ok(others.length >= 8);
  const { code, out, err } = await run([start, ...others.map(blocksOf)].flat().join('\n'));
  assert.deepEqual({ code, err }, { code: 0, err: '' }, out);
});
