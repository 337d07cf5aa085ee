// Values that make a request meaningful, by the name of the member or parameter. A schema alone gives "a string"; a
// claim is only reviewed when its dates, providers and payers can exist. Webhook addresses stay on loopback.
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { Live } from './values.mjs';

export const live = (pool) => fc.nat({ max: 20 }).map((n) => new Live(pool, n));
const some = fc.constantFrom;
const day = 86_400_000;
const dateIn = (from, to) =>
  fc.integer({ min: from, max: to }).map((days) => new Date(Date.now() + days * day).toISOString().slice(0, 10));
const cents = (max) => fc.integer({ min: 1, max }).map((value) => value / 100);
const npi = some('1234567893', '1999999984', '1000000004', '1234567890', ' 1234567893 ');
const payer = some('TEST-APPROVE', 'TEST-REVIEW', 'TEST-DECLINE', 'TEST-SLOW', 'TEST-CARC-16', 'test-approve',
  'no such payer');
const identifier = fc.nat({ max: 5000 }).map((n) => `CLM-${n}`);
const base64 = (bytes) => Buffer.from(bytes).toString('base64');

export const kHints = {
  claim_identifier: fc.oneof(identifier, live('claim')),
  date_of_service: dateIn(-60, -2),
  date_of_submission: dateIn(-1, 0),
  received_date: dateIn(-20, 0),
  effective_date: dateIn(-20, 5),
  payment_date: dateIn(-20, 5),
  returned_date: dateIn(-5, 0),
  desired_date: dateIn(-1, 40),
  effective_at: fc.oneof(dateIn(-30, 0), some('2026-11-20T07:40:15.123Z', '2026-11-20T07:40:15+05:00')),
  servicer_npi: npi,
  billing_npi: npi,
  payee_npi: some('1234567893', '1999999984'),
  patient_primary_payor_id: payer,
  payer_id: payer,
  submitted_amount: cents(2_000_000),
  amount: cents(200_000),
  cpt: some('99213', '93000', '99213 ', 'g0008', 'XXXXX'),
  modifier: some('25', '25:59', '', '25,59', '?'),
  diagnosis_codes: fc.array(some('E11.9', 'I10', 'Z00.00', 'bad code'), { maxLength: 4 }),
  claim_type: some('professional', 'institutional', null),
  type_of_bill: some('0131', '131', '0117', '013x', '1310'),
  revenue_code: some('0450', '250', '', '04A0'),
  statement_from: dateIn(-20, -10),
  statement_through: dateIn(-9, -2),
  admission_date: dateIn(-20, -10),
  discharge_date: dateIn(-9, -2),
  attending_npi: npi,
  operating_npi: npi,
  patient_age_band: some('30-39', '42', '90+', ' 7 '),
  authorization_id: live('auth'),
  payout_account_token: some('tok_ok', 'tok_ach_R03', 'tok_rtp_AC04', 'tok_suspended', 'tok_ach_return_R02',
    'tok_timeout'),
  trace_number: fc.nat({ max: 400 }).map((n) => `T-${n}`),
  external_id: fc.nat({ max: 3000 }).map((n) => `external-${n}`),
  decision: some('approve', 'decline', 'accept', 'dismiss', 'release', 'accept_short', 'assign_payer', 'retry'),
  rail: some('RTP', 'SAME_DAY', 'FUTURE_DATE'),
  url: some('http://127.0.0.1:9/hooks', 'https://127.0.0.1:9/', 'https://localhost:9/a?b=c', 'http://[::1]:9/'),
  bundle: live('bundle'),
  rule_id: live('rule'),
  format: some('csv', 'ndjson', 'x12_837', 'x12_835', 'bai2', 'camt053', 'ccd_addenda'),
  payload: fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.string({ minLength: 1 })).map(base64),
  types: fc.array(some('review.completed', 'event.ping', 'task.opened'), { maxLength: 3 }),
  from: dateIn(-90, 0),
  to: dateIn(-5, 30),
  created_from: dateIn(-90, 0),
  created_to: dateIn(-5, 30),
  effective_from: dateIn(-90, 0),
  effective_to: dateIn(-5, 30),
  as_of: dateIn(-30, 0),
  account: some('fee_income', 'funding_cash', 'suspense_unmatched'),
  after_row: fc.nat({ max: 10 }),
  what_if: some('false', 'false', 'false', 'true'),
  patches: some(null, null, null,
    [{ label: 'less', submitted_amount: 10 }, { facility: null, servicer_npi: '1999999984' }]),
  client_id: live('client_id'),
  client_secret: live('client_secret'),
  grant_type: some('client_credentials'),
  scope: some('metadata:read', 'metadata:read claims:read'),
  // Small steps: dates of claims are made from the real time.
  advance: some('PT1S', 'PT10M', 'PT1H', '3 days'),
  set: dateIn(-3, 0),
  fallback: fc.array(some('RTP', 'SAME_DAY', 'FUTURE_DATE', 'NO_RAIL'), { maxLength: 3 }),
};

export const kPaths = {
  settlement_id: live('stl'), review_id: live('rev'), job_id: live('imp'), deposit_id: live('dep'),
  statement_id: live('bst'), remittance_id: live('rmt'), task_id: live('tsk'), event_id: live('evt'),
  file_id: live('pkf'), endpoint_id: live('whe'), transfer_id: live('trf'), rule_id: live('rule'),
  alias_id: fc.oneof(live('pal'), live('yal')), claim_id: fc.oneof(live('claim'), live('clm')),
  payer_id: payer, payee_npi: some('1234567893', '1999999984'), period: some('2026-09', '2026-10', '2026-11', '2026-13'),
  client_id: live('cli'), secret_id: live('sec'),
  guide: some('getting-started', 'webhooks', 'signatures', 'none'),
};

const row = fc.record({
  claim_identifier: identifier, chart_identifier: some('CH-1'), servicer_npi: npi, billing_npi: npi,
  patient_primary_payor_id: payer, submitted_amount: cents(500_000),
});
const claim = {
  claim_identifier: fc.oneof(identifier, live('claim')), chart_identifier: some('CH-1', 'CH-2'), servicer_npi: npi,
  billing_npi: npi, patient_primary_payor_id: payer, submitted_amount: cents(2_000_000),
};
const { cpt, modifier, amount } = kHints;
const line = { cpt, modifier, amount, units: fc.integer({ min: 1, max: 9 }) };
const lines = (members) => fc.array(fc.record(members, { requiredKeys: [] }), { maxLength: 4 });
const code = some('09', '11', '80', 'A2', 'c5');
const codes = (members) => fc.array(fc.record({ code, ...members }), { maxLength: 2 });
const professional = fc.record({
  ...claim, claim_type: some('professional', null), date_of_service: dateIn(-60, -2), date_of_submission: dateIn(-1, 0),
  place_of_service: some('11', '21'), diagnosis_codes: kHints.diagnosis_codes, service_lines: lines(line),
}, { requiredKeys: Object.keys(claim) });
const institutional = fc.record({
  ...claim, claim_type: fc.constant('institutional'), diagnosis_codes: fc.constant(['E11.9', 'I10']),
  type_of_bill: some('0131', '131', '0117', '013x'), statement_from: dateIn(-20, -10),
  statement_through: dateIn(-9, -2), admission_date: dateIn(-20, -10), discharge_date: dateIn(-9, -2),
  admission_type: some('1', '9'), admission_source: some('7', 'd'), patient_status: some('1', '30'),
  attending_npi: npi, operating_npi: npi, drg: some('470', '0871'),
  present_on_admission: fc.array(some('Y', 'n', '1', '', null), { maxLength: 2 }),
  condition_codes: fc.array(code, { maxLength: 3 }), occurrence_codes: codes({ date: dateIn(-30, -1) }),
  occurrence_spans: codes({ from: dateIn(-30, -10), through: dateIn(-9, -1) }),
  value_codes: codes({ amount: cents(10_000) }), service_lines: lines({ ...line, revenue_code: some('0450', '250') }),
}, { requiredKeys: [...Object.keys(claim), 'claim_type', 'statement_from', 'diagnosis_codes'] });
const rows = fc.array(row, { minLength: 1, maxLength: 4 });
const csv = rows.map((list) => [Object.keys(list[0]), ...list.map((one) => Object.values(one))]
  .map((line) => line.join(',')).join('\n'));
const ndjson = rows.map((list) => list.map((one) => JSON.stringify(one)).join('\n'));
const bai2 = fc.record({ n: fc.nat({ max: 500 }), amount: fc.integer({ min: 1, max: 90_000 }) })
  .map(({ n, amount }) => [
  '01,BANK1,SAMPLE,250602,0700,1,,,2/', '02,SAMPLE,BANK1,1,250602,0600,USD,2/', '03,0001234567,,010,,,/',
  `16,165,${amount},0,REF-${n},,TRN*1*T-${n}*1999999984~/`, `49,${amount},3/`, `98,${amount},1,5/`, `99,${amount},1,7/`,
    '',
].join('\n'));
const packed = (text, format) => fc.tuple(text, fc.boolean()).map(([content, gzip]) => ({
  format, payload: base64(gzip ? gzipSync(content) : content), encoding: gzip ? 'gzip' : 'none',
}));

/** Whole bodies whose members depend on each other, by operation. */
export const kBodies = {
  reviewClaim: fc.oneof(professional, institutional),
  startImport: fc.tuple(fc.oneof(packed(csv, 'csv'), packed(ndjson, 'ndjson')), fc.record({
    dry_run: fc.boolean(), auto_review: fc.boolean(), on_error: some('continue', 'abort'),
  }, { requiredKeys: [] })).map(([file, options]) => ({ ...file, ...options })),
  postDepositFile: packed(bai2, 'bai2'),
};
