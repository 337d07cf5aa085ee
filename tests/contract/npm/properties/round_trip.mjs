// What a client sent is what it reads back.
import { isDeepStrictEqual } from 'node:util';

/** How to read what an operation stored: a path of the response of the operation. */
const kReadBack = {
  reviewClaim: ({ id }) => id && `/v1/reviews/${id}`,  // a what-if review has none
  createAdjudication: ({ settlement_id }) => `/v1/settlements/${settlement_id}`,
  startImport: ({ job_id }) => `/v1/imports/claims/${job_id}`,
  postDeposit: ({ deposit_id }) => `/v1/deposits/${deposit_id}`,
  returnDeposit: ({ deposit_id }) => `/v1/deposits/${deposit_id}`,
  postRemittance: ({ remittance_id }) => `/v1/remittances/${remittance_id}`,
  createWebhookEndpoint: ({ id }) => `/v1/webhooks/endpoints/${id}`,
  setPayeeAccount: ({ payee_npi }) => `/v1/payees/${payee_npi}`,
};

/** Members that have another meaning in the response, with the reason. */
const kOtherMeaning = {
  'reviewClaim patches': 'the response has their outcomes',
  'postRemittance status': 'the request has none; the response has the state of the remittance',
  'postRemittance claims': 'the response counts or reports them',
  'createAdjudication funding': 'compared member by member: the response adds the state',
  'startImport payload': 'files are not returned',
};

/** Normal forms that the contract documents: what the service may return instead of what was sent. */
const kNormalForms = {
  claim_identifier: (value) => value.replace(/^ +| +$/g, ''),
  encoding: (value) => value ?? 'none',
  format: (value) => (value === 'x12_837p' ? 'x12_837' : value),
  payer_id: (value) => value.trim().toLowerCase(),
  effective_at: (value) => new Date(value).getTime(),
  scope: (value) => value.trim().split(/ +/).sort().join(' '),
  provider_adjustments: (list) => list.map((one) =>
    Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null && value !== ''))),
};

const normal = (name, value) => (kNormalForms[name] && value !== undefined &&
  value !== null ? kNormalForms[name](value) : value);
const same = (name, sent, returned) => isDeepStrictEqual(normal(name, sent), normal(name, returned));

function* differences(operation, sent, returned, where) {
  for (const [name, value] of Object.entries(sent)) {
    if (value === null || value === '' || !Object.hasOwn(returned, name) ||
      kOtherMeaning[`${operation.id} ${name}`]) continue;
    if (!same(name, value, returned[name]))
      yield { rule: 'round trip', detail: `${name} (${where})`, sent: value, returned: returned[name] };
  }
}

/** The current status again and a known remittance change nothing, as the contract says. */
const changesNothing = ({ operation, sentAt }, { status, updated_at }) =>
  (operation.id === 'updateClaimStatus' && Date.parse(updated_at) < sentAt) ||
  (operation.id === 'postRemittance' && status === 'duplicate');

/** Violations of an accepted request. `read` gets a path and returns the JSON there. */
export async function roundTrip(request, answer, read) {
  const { operation, body } = request;
  if (!operation.body || answer.status !== 200 || answer.headers['idempotent-replayed']) return [];
  const sent = JSON.parse(body.toString('utf8'));
  const returned = JSON.parse(answer.body);
  if (changesNothing(request, returned)) return [];
  const found = [...differences(operation, sent, returned, 'response')];
  const target = kReadBack[operation.id]?.(returned);
  if (!target) return found;
  const stored = await read(target);
  if (!stored) return [...found, { rule: 'round trip', detail: 'what was accepted cannot be read' }];
  return [...found, ...differences(operation, sent, stored, 'read back')];
}
