// The services of the state tables, started when a state needs them, with tenants of their own for each state.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Http } from '../properties/http.mjs';
import { startReceiver } from '../receiver.mjs';
import { eventually, startService } from '../service.mjs';
import { Tenant } from './tenant.mjs';

/** FUTURE_DATE as a bank that fails by script: see tests/fault/rail. */
const failing = (folder, config) => ({
  path: join(process.env.TIDEOVER_BINARY_DIR, 'fault_plugins', 'fault_rail.so'), kind: 'funding_rail',
  id: 'future_date', config: { folder, rail: 'FUTURE_DATE', ...config },
});

/** The rules, with one that fails for claims whose identifier begins with FAIL-. */
function rulesThatFail(folder) {
  cpSync(join(process.env.TIDEOVER_SOURCE_DIR, 'rules'), folder, { recursive: true });
  const file = join(folder, 'denial', 'zero_charge.lua');
  const sound = 'return claim.amount_cents == 0';
  const text = readFileSync(file, 'utf8');
  if (!text.includes(sound)) throw new Error(`${file} has no line "${sound}"`);
  const fails = "if claim.claim_identifier:sub(1, 5) == 'FAIL-' then return {} + 1 end";
  writeFileSync(file, text.replaceAll(sound, `${fails}\n    ${sound}`));
  return folder;
}

/**
 * Configurations by name. `usual`: a lost answer is resolved when the clock is moved. `doubtful`: a bank that cannot
 * tell whether it paid, a rule that fails, and reviewers who decide about write-offs. `careful`: two-person decisions.
 */
const kServices = {
  usual: (folder) => ({
    settings: {
      webhooks: { disable_after_seconds: 120 },
      funding: { resolve_seconds: [3600], submit_timeout_ms: 4000, wait_ms: 100 },
    },
    plugins: [failing(folder)],
  }),
  doubtful: (folder) => ({
    settings: {
      rules: { folder: rulesThatFail(join(folder, 'rules')), operator_tenant: 'default' },
      reconciliation: { write_off_approval_above: 0 },
    },
    plugins: [failing(folder, { recall: 'blind', silence_ms: '0' })],
  }),
  careful: (folder) => ({
    settings: { funding: { two_person_decisions: 'always' } },
    plugins: [failing(folder, { recall: 'blind', silence_ms: '0' })],
  }),
};

export class World {
  #folder = mkdtempSync(join(tmpdir(), 'tideover-states-'));
  #started = new Map();
  #onAnswer;
  #receiver;
  #tenants = 0;

  /** `onAnswer(method, target, answer)` gets every response. */
  constructor(onAnswer) {
    this.#onAnswer = onAnswer;
  }

  /** A client of a new tenant of a service, or of the tenant `named`. */
  async tenant(service = 'usual', named = `states-${++this.#tenants}`) {
    const running = await this.#service(service);
    const client = await running.service.createClient({ tenant: named });
    return new Tenant(running.http, await running.service.token(undefined, client), named);
  }

  /** The URL of a receiver of webhooks that answers with `status`. */
  async receiverOf(status) {
    this.#receiver ??= startReceiver((target) => Number(target.split('/').pop()));
    return `${(await this.#receiver).url}/${status}`;
  }

  #service(name) {
    if (!this.#started.has(name)) this.#started.set(name, this.#start(name));
    return this.#started.get(name);
  }

  async #start(name) {
    const folder = join(this.#folder, name);
    mkdirSync(folder);
    const service = await startService(kServices[name](folder));
    // Soon after its start the service compares its payments with the statements of the rails, which resolves lost
    // answers. The next time is a day later.
    await eventually('the rails were reconciled', async () =>
      (await (await fetch(`${service.opsUrl}/metrics`)).text()).includes('rail_reconciliations_total{result="ok"} 1'));
    const http = new Http(service.baseUrl, 32);
    const send = async (request, seconds) => {
      const answer = await http.send(request, seconds);
      this.#onAnswer(request.method, request.target, answer);
      return answer;
    };
    return { service, http: { send, close: () => http.close() } };
  }

  async stop() {
    await (await this.#receiver)?.stop();
    for (const [name, started] of this.#started) {
      const running = await started.catch(() => undefined);
      running?.http.close();
      const code = await running?.service.stop();
      if (running && code !== 0) throw new Error(`The service "${name}" ended with ${code}: ${running.service.log()}`);
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
