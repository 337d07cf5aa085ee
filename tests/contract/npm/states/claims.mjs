// Claims by their status at the payer.
import { eventually } from '../service.mjs';
import { cells } from './claims_cells.mjs';
import { importOf } from './imports.mjs';

const kStatuses = ['received', 'reviewed', 'submitted', 'accepted', 'rejected', 'pending', 'info_requested', 'denied',
  'appealed', 'paid', 'partially_paid', 'reversed', 'closed', 'voided'];

const path = ({ claim }, rest = '') => `/v1/claims/${claim}${rest}`;

async function observe(tenant, subject) {
  const { status, value } = await tenant.send('GET', path(subject, '/status'));
  return status === 404 ? 'absent' : value.status;
}

/** A claim that was imported and not reviewed. */
async function received(tenant) {
  const body = tenant.claim();
  await ended(tenant, await importOf(tenant, [body], { auto_review: false }));
  return { claim: body.claim_identifier, body };
}

/** A reviewed claim, then moved to a status by a request. */
async function moved(tenant, status) {
  const body = tenant.claim();
  const { authorization_id: authorization } = await tenant.post('/v1/claims/reviews', body);
  const subject = { claim: body.claim_identifier, body, authorization };
  if (status !== 'reviewed') await tenant.patch(path(subject, '/status'), { status });
  return subject;
}

const ended = (tenant, job) => eventually('the import has ended', async () => {
  const { value } = await tenant.send('GET', `/v1/imports/claims/${job}`);
  return value.finished_at && value;
});

const states = Object.fromEntries(kStatuses.map((status) => [status, {
  text: `\`${status}\``, seen: status,
  make: status === 'received' ? received : (tenant) => moved(tenant, status),
}]));
states.foreign = { text: 'Of another tenant', caller: 'foreign', seen: 'absent',
  make: (tenant) => moved(tenant, 'reviewed') };

/** Imports the claim with another charge: "accepted", or "rejected" with the error of the row. */
async function imported(tenant, { body }) {
  const job = await importOf(tenant, [{ ...body, submitted_amount: body.submitted_amount + 1 }],
    { auto_review: false });
  await ended(tenant, job);
  const { body: line } = await tenant.send('GET', `/v1/imports/claims/${job}/results`);
  const { outcome, error } = JSON.parse(line);
  return { text: error ? `${outcome} ${error.error}` : outcome };
}

const adjudicated = (tenant, { authorization }) => authorization
  ? tenant.send('POST', '/v1/claims/adjudications', { authorization_id: authorization, funding: { rail: 'RTP' } })
  : { text: 'no authorization' };

const read = (rest) => (tenant, subject) => tenant.send('GET', path(subject, rest));

const operations = {
  get: { operation: 'getClaim', label: 'Get', call: read('') },
  status: { operation: 'getClaimStatus', label: 'Get the status', call: read('/status') },
  history: { operation: 'listClaimStatusHistory', label: 'List the history', call: read('/status/history') },
  review: { operation: 'reviewClaim', label: 'Review again',
    call: (tenant, { body }) => tenant.send('POST', '/v1/claims/reviews', body) },
  adjudicate: { operation: 'createAdjudication', label: 'Adjudicate', call: adjudicated },
  import: { operation: 'startImport', label: 'Import with changes', call: imported },
};
for (const status of kStatuses)
  operations[status] = { operation: 'updateClaimStatus', label: `\`${status}\``,
    call: (tenant, subject) => tenant.send('PATCH', path(subject, '/status'), { status }) };

export const claims = {
  title: 'Claims', parameter: 'claim_id', states, operations, observe, cells,
  values: [[['components', 'schemas', 'ClaimStatus']]], dash: '409 invalid_transition', implied: true,
  intro: `The state of a claim is its [status](settlements.md#status-of-a-claim). "Adjudicate" uses the authorization of
the review. "Import with changes" shows the outcome of the row. The columns after it are the new status, with the source
\`client\`, which may skip steps; a dash is 409 \`invalid_transition\`.`,
};
