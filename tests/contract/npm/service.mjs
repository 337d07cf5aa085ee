// A real service for tests: writes a configuration into a temporary folder, creates a client, starts `tideover serve`
// on free ports of loopback and waits until it is ready.
//
// TIDEOVER_SOURCE_DIR and TIDEOVER_BINARY_DIR name the repository and the build folder, unless options do.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

// Variables TIDEOVER_* override the configuration of the service.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TIDEOVER_')));

/** Returns the first value of `probe` that is neither undefined, null nor false. Throws after `seconds`. */
export async function eventually(what, probe, seconds = 20) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== null && value !== false) return value;
    if (Date.now() > end) throw new Error(`Not within ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * Starts a service with a new client. Options, all optional:
 *   settings          sections of the configuration that are merged into the defaults, such as {security: {...}}
 *   plugins           entries of plugins that replace those with the same id, or are added
 *   role, tenant      of the client (admin, default)
 *   source, binary    the repository and the build folder
 * Returns {baseUrl, opsUrl, folder, client: {id, secret}, token(scopes, client), createClient(options), log(), stop(),
 * restart(options)}. `restart` ends the service and returns another one with the same data: {settings, without (ids of
 * plugins)}.
 */
export async function startService(options = {}) {
  const source = options.source ?? process.env.TIDEOVER_SOURCE_DIR;
  const binary = options.binary ?? process.env.TIDEOVER_BINARY_DIR;
  const folder = mkdtempSync(join(tmpdir(), 'tideover-npm-'));
  const config = join(folder, 'tideover.json');
  mkdirSync(join(folder, 'store'), { mode: 0o700 });
  const settings = merge(defaults(source, binary, folder), options.settings ?? {});
  const replaced = options.plugins ?? [];
  settings.plugins = settings.plugins.filter(({ id }) => !replaced.some((one) => one.id === id)).concat(replaced);
  writeFileSync(config, JSON.stringify(settings));
  const program = join(binary, 'tideover');
  const createClient = (wanted = {}) => create(program, config, { role: 'admin', tenant: 'default', ...wanted });
  try {
    const { role = 'admin', tenant = 'default' } = options;
    const client = await createClient({ role, tenant });
    const remove = () => rmSync(folder, { recursive: true, force: true });
    const start = async () => {
      const { port, opsPort, log, end } = await serve(program, config);
      const baseUrl = `http://127.0.0.1:${port}`;
      const token = (scopes, of = client) => issue(baseUrl, of, scopes);
      const stop = () => end().finally(remove);
      const restart = async ({ settings: changes = {}, without = [] }) => {
        await end();
        const plugins = settings.plugins.filter(({ id }) => !without.includes(id));
        writeFileSync(config, JSON.stringify({ ...merge(settings, changes), plugins }));
        return start();
      };
      const opsUrl = `http://127.0.0.1:${opsPort}`;
      return { baseUrl, opsUrl, folder, client, token, createClient, log, stop, restart };
    };
    return await start();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function defaults(source, binary, folder) {
  const plugin = (kind, id, config, name = id) =>
    ({ path: join(binary, 'plugins', `${kind}_${name}.so`), kind, id, ...(config && { config }) });
  return {
    environment: 'sandbox',
    server: { port: 0 },
    ops: { port: 0 },
    store: { sqlite: { path: join(folder, 'store', 'tideover.db') } },
    security: { key_ring_file: join(folder, 'keys'), checkpoint_file: join(folder, 'checkpoints') },
    rules: { folder: join(source, 'rules') },
    reason_codes_file: join(source, 'config', 'reason_codes.yaml'),
    webhooks: { poll_ms: 20, retry_seconds: [0, 1, 1, 1, 1] },
    imports: { poll_ms: 20 },
    funding: { resolve_seconds: [1], journal_path: join(folder, 'rail-journal') },
    plugins: [
      plugin('payer_directory', 'file', { path: join(source, 'config', 'payers.jsonl') }),
      ...['rtp', 'same_day', 'future_date'].map((id) =>
        plugin('funding_rail', id, { ledger_path: join(folder, `${id}.bank`) })),
      ...['csv', 'ndjson', 'x12_837'].map((id) => plugin('import_format', id)),
      plugin('import_format', 'x12_837p', undefined, 'x12_837'),
      ...['csv', 'x12_835'].map((id) => plugin('remittance_format', id)),
      ...['bai2', 'camt053', 'ccd_addenda'].map((id) => plugin('deposit_format', id)),
    ],
  };
}

function merge(base, changes) {
  const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged = { ...base };
  for (const [key, value] of Object.entries(changes))
    merged[key] = isMap(value) && isMap(base[key]) ? merge(base[key], value) : value;
  return merged;
}

/** `profile`: of a new tenant. */
async function create(program, config, { role, tenant, scopes, profile }) {
  const access = scopes ? ['--scopes', scopes] : ['--role', role];
  const command = ['client', 'create', '--config', config, '--tenant', tenant, ...access,
    ...(profile ? ['--profile', profile] : [])];
  const { stdout } = await run(program, command, { env });
  const value = (name) => stdout.match(new RegExp(`^${name}=(.*)$`, 'm'))[1];
  return { id: value('client_id'), secret: value('client_secret') };
}

async function serve(program, config) {
  // setpriv ends the service together with this process, also after SIGKILL.
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', program, 'serve', '--config', config], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    return ended;
  };
  try {
    const ports = await eventually('the service is ready', () => {
      if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}: ${log}`);
      return out.match(/tideover serves on port (\d+) \(operations on port (\d+)\)/);
    }, 60);
    await eventually('/readyz answers 200', async () => (await fetch(`http://127.0.0.1:${ports[2]}/readyz`)).ok);
    return { port: ports[1], opsPort: ports[2], log: () => log, end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function issue(baseUrl, { id, secret }, scopes) {
  const response = await fetch(`${baseUrl}/v1/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials', client_id: id, client_secret: secret, ...(scopes && { scope: scopes }),
    }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`No token: ${JSON.stringify(body)}`);
  return body.access_token;
}
