// Requests that lead the service through what its contract describes, so that contract_exchanges sees every optional
// member and error code at least once. Each scenario names the responses that it expects; afterwards everything is read.
import { Contract } from './contract.mjs';
import { access } from './scenarios/access.mjs';
import { claims } from './scenarios/claims.mjs';
import { crawl } from './scenarios/crawl.mjs';
import { files } from './scenarios/files.mjs';
import { funding } from './scenarios/funding.mjs';
import { money } from './scenarios/money.mjs';
import { rules } from './scenarios/rules.mjs';
import { Session } from './scenarios/session.mjs';
import { webhooks } from './scenarios/webhooks.mjs';

const contract = new Contract(process.env.TIDEOVER_SOURCE_DIR);
const started = Date.now();
const session = await Session.start({ settings: { rules: { operator_tenant: 'default' } } });
try {
  for (const scenario of [claims, access, files, rules, webhooks, funding, money]) {
    await scenario(session);
    console.log(`${scenario.name}: ${session.count} requests so far`);
  }
  await crawl(session, contract);
  console.log(`${session.count} requests in ${((Date.now() - started) / 1000).toFixed(1)} s`);
} finally {
  session.close();
  await session.service.stop();
}
