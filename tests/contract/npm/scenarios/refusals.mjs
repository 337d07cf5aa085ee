// What every operation refuses by the same rules: a request without a token, beyond the scope of its token, for an
// object that does not exist, with an unknown parameter, with a large body or one of another type. Then the documents.

/** For a service of small limits, so that a small body is too large. */
export const refusalSettings = {
  limits: { json_body_bytes: 2048, import_body_bytes: 2048 }, rules: { operator_tenant: 'default' },
};

const kTooLarge = Buffer.from(JSON.stringify({ note: 'x'.repeat(4096) }));
/** Values of path parameters that name nothing. */
const kNothing = {
  guide: 'no-such-guide', payee_npi: '1999999984', payer_id: 'NO-SUCH-PAYER', period: '2020-01', rule_id: 'denial.none',
  alias_id: 'pal_01M7WPEP1G00000000000000ZZ',
};
/** Bodies with which an operation comes to look for its object. */
const kBodies = {
  changeFunding: { rail: 'SAME_DAY' }, updateClaimStatus: { status: 'submitted' }, replayReview: {},
  returnDeposit: { returned_date: '2026-11-20', reason: 'stop payment' },
  decideTask: { decision: 'approve', reason: 'None' }, undoTask: { reason: 'None' },
  updateClient: { name: 'None' }, rotateClientSecret: {}, updateWebhookEndpoint: { description: 'None' },
  rotateWebhookSecret: {}, returnSimulatedTransfer: { code: 'R02' }, rejectSimulatedTransfer: { code: 'R03' },
  setPayeeAccount: { payout_account_token: 'tok_ok' },
  promoteRules: { bundle: 'a'.repeat(64), reason: 'None' }, approveRules: { bundle: 'a'.repeat(64) },
  rollBackRules: { bundle: 'a'.repeat(64), reason: 'None' }, shadowRule: { rule_id: 'denial.none' },
};

const prefixOf = (name) => ({ claim: 'clm', client: 'cli', deposit: 'dep', endpoint: 'whe', event: 'evt', file: 'pkf',
  job: 'imp', remittance: 'rmt', review: 'rev', secret: 'sec', settlement: 'stl', statement: 'bst', task: 'tsk',
  transfer: 'trf' })[name.replace('_id', '')];
const nothing = (name) => kNothing[name] ?? `${prefixOf(name)}_01M7WPEP1G00000000000000ZZ`;
const targetOf = ({ path }) => path.replace(/\{([^}]+)\}/g, (_, name) => nothing(name));

/** A token that has one scope only. */
async function tokenWith(session, scope) {
  const { id, secret } = session.service.client;
  const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret, scope };
  return `Bearer ${(await session.as('').post('/v1/oauth/token', body)).access_token}`;
}

/** What needs no token is read once, and again by its tag. */
async function documents(reader, contract) {
  const hasTag = ({ scope, statuses }) => scope === 'none' && statuses.includes('304');
  for (const { path } of contract.operations.filter(hasTag)) {
    const target = path.replace('{guide}', 'getting-started');
    const { headers } = await reader.exchange('GET', target);
    await reader.get(target, { status: 304, headers: { 'If-None-Match': headers.etag } });
  }
}

/** `contract` names the operations and their statuses. */
export async function refusals(session, contract) {
  const tokens = new Map();
  for (const scope of ['metadata:read', 'claims:read']) tokens.set(scope, await tokenWith(session, scope));
  const stranger = ({ scope }) => session.as(tokens.get(scope === 'metadata:read' ? 'claims:read' : 'metadata:read'));
  for (const operation of contract.operations) {
    const target = targetOf(operation);
    const ask = (who, status, more = {}) => operation.statuses.includes(String(status)) &&
      who.send(operation.method, more.target ?? target, more.value, { status, ...more });
    const own = operation.scope === 'none' ? session.as('') : session;
    // Documents read no parameter; the query must still be one.
    const wrong = operation.scope === 'none' && !operation.body ? '%zz' : 'no_such_parameter=1';
    await ask(own, 400, { target: `${target}?${wrong}`, value: operation.body && {} });
    if (operation.scope !== 'none') await ask(session.as(''), 401);
    if (!['none', 'any'].includes(operation.scope)) await ask(stranger(operation), 403);
    await ask(own, 413, { body: kTooLarge });
    if (operation.body) await ask(own, 415, { body: Buffer.from('x'), headers: { 'Content-Type': 'text/plain' } });
    if (operation.path.includes('{') || kBodies[operation.id]) await ask(own, 404, { value: kBodies[operation.id] });
  }
  await documents(session.as(''), contract);
}
