// The steps of an advance, for scenarios to combine.
import { kNpis } from './session.mjs';

export const today = () => new Date().toISOString().slice(0, 10);

export const claim = (session, payer, changes = {}) => {
  const identifier = session.name('SC');
  return {
    claim_identifier: identifier, chart_identifier: `CH-${identifier}`, ...kNpis, patient_primary_payor_id: payer,
    submitted_amount: 1000, ...changes,
  };
};

export const review = (session, payer = 'TEST-APPROVE', changes = {}) =>
  session.post('/v1/claims/reviews', claim(session, payer, changes));

/** `payout_account_token` is that of the account, `funding` is merged into the rail. */
export async function adjudicate(session, { payer, changes, rail = 'RTP', account = 'tok_ok', funding = {} } = {}) {
  const { authorization_id } = await review(session, payer, changes);
  const body = { authorization_id, funding: { rail, ...funding }, payout_account_token: account };
  return session.post('/v1/claims/adjudications', body);
}

export const pathOf = ({ settlement_id }) => `/v1/settlements/${settlement_id}`;

export async function funded(session, options) {
  const terms = await adjudicate(session, options);
  await session.post(`${pathOf(terms)}/confirm`);
  return terms;
}

/** What the payer sends for a claim: {amount, status, trace, changes of the claim}. */
export const remittance = (claims, { trace, amount, payer = 'TEST-APPROVE', ...more }) => ({
  payer_id: payer, trace_number: trace, payment_date: today(), payment_amount: amount, claims, ...more,
});

export const deposit = (amount, trace, more = {}) => ({
  payer_id: 'TEST-APPROVE', amount, received_date: today(), trace_number: trace, ...more,
});

export const advance = (session, duration) => session.post('/v1/sandbox/clock', { advance: duration });
