// Requests that lead the service through what its contract describes, so that contract_exchanges sees every optional
// member and error code at least once. Each scenario names the responses that it expects. Afterwards every list and
// every object is read. The responses are recorded in the file that TIDEOVER_TEST_EXCHANGES names.
import { rmSync } from 'node:fs';
import { Contract } from './contract.mjs';
import { access } from './scenarios/access.mjs';
import { claims } from './scenarios/claims.mjs';
import { crawl } from './scenarios/crawl.mjs';
import { custom } from './scenarios/custom.mjs';
import { customFolder, customSettings } from './scenarios/custom_service.mjs';
import { files } from './scenarios/files.mjs';
import { funding } from './scenarios/funding.mjs';
import { limited, limitedSettings } from './scenarios/limited.mjs';
import { money } from './scenarios/money.mjs';
import { outages } from './scenarios/outages.mjs';
import { refusals, refusalSettings } from './scenarios/refusals.mjs';
import { rules } from './scenarios/rules.mjs';
import { Session } from './scenarios/session.mjs';
import { webhooks } from './scenarios/webhooks.mjs';

const source = process.env.TIDEOVER_SOURCE_DIR;
const contract = new Contract(source);

/** Runs scenarios with a service of their own, one after the other. */
async function perform(settings, scenarios) {
  const started = Date.now();
  const session = await Session.start({ settings, contract });
  try {
    for (const scenario of scenarios) await scenario(session);
    await crawl(session, contract);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`${scenarios.map(({ name }) => name).join(', ')}: ${session.count} requests in ${seconds} s`);
  } finally {
    session.close();
    await session.service.stop();
  }
}

await perform({ rules: { operator_tenant: 'default' } }, [claims, access, files, rules, webhooks, funding, money]);
await perform(limitedSettings(process.env.TIDEOVER_BINARY_DIR), [limited]);
await perform(refusalSettings, [async function refused(session) { await refusals(session, contract); }]);
await outages(process.env.TIDEOVER_BINARY_DIR);
const folder = customFolder(source);
try {
  await perform(customSettings(folder), [async function ownRules(session) { await custom(session, folder); }]);
} finally {
  rmSync(folder, { recursive: true });
}
