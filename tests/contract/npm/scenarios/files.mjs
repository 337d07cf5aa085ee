// Imports of claims, files of banks and payers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { base64, kNpis, refused } from './session.mjs';

const row = (session, changes = {}) => ({
  claim_identifier: session.name('IMP'), chart_identifier: 'CH-1', ...kNpis,
  patient_primary_payor_id: 'TEST-CARC-16', submitted_amount: 1000,
  service_lines: [{ cpt: '99213', modifier: 'ZZ', units: 1, amount: 1000 }], ...changes,
});
const ndjson = (rows) => base64(rows.map((one) => JSON.stringify(one)).join('\n'));
const done = ({ status }) => status === 'succeeded' || status === 'failed';

async function imports(session) {
  const start = (value, expected) => session.post('/v1/imports/claims', value, expected);
  const rows = [row(session), row(session, { servicer_npi: '12' }), row(session)];
  const job = await start({ format: 'ndjson', payload: ndjson(rows), external_id: session.name('file') });
  await session.until(`/v1/imports/claims/${job.job_id}`, done);
  await session.get(`/v1/imports/claims/${job.job_id}/results`);
  await session.get(`/v1/imports/claims/${job.job_id}/errors`);
  await session.post(`/v1/imports/claims/${job.job_id}/cancel`, undefined, refused(409, 'invalid_state'));
  const changed = await start({ format: 'ndjson', payload: ndjson([{ ...rows[0], submitted_amount: 900 }]) });
  await session.until(`/v1/imports/claims/${changed.job_id}`, done);
  const broken = base64(`${Object.keys(row(session)).join()}\n1,2,3`);
  const failing = await start({ format: 'csv', payload: broken, on_error: 'abort' }, { status: null });
  if (failing.job_id) await session.until(`/v1/imports/claims/${failing.job_id}`, done);
  const many = { format: 'ndjson', payload: ndjson(Array.from({ length: 3000 }, () => row(session))),
    external_id: session.name('file'), dry_run: false };
  const { job_id } = await start(many);
  await session.post(`/v1/imports/claims/${job_id}/cancel`);
  await session.until(`/v1/imports/claims/${job_id}`, ({ canceled_at }) => canceled_at);
  await start(many);  // its external_id finds the canceled one
  await session.get('/v1/imports/claims');
  await start({ format: 'nonsense', payload: 'eA==' }, refused(400, 'unsupported_format'));
  await start({ format: 'csv', payload: 'eA==', encoding: 'gzip' }, refused(400, 'invalid_payload'));
}

const kHead = ['01,BANK1,SAMPLE,250603,0700,1,,,2/', '02,SAMPLE,BANK1,1,250603,0600,USD,2/'];
const bai2 = (...lines) => base64([...kHead, ...lines, ''].join('\n'));

async function statements(session) {
  const file = bai2('03,0001234567,,010,0,,,015,77750,,/', '16,165,79000,0,REF-1,,TRN*1*T-66*1999999984~/',
    '16,455,1250,0,REF-2,,DEBIT/', '49,158000,4/', '98,158000,1,6/', '99,158000,1,8/');
  const first = await session.post('/v1/deposits/files', { format: 'bai2', payload: file });
  await session.post('/v1/deposits/files', { format: 'bai2', payload: file });
  const { statement_id } = first.statements[0];
  await session.get(`/v1/bank_statements/${statement_id}`);
  await session.get('/v1/bank_reconciliation?from=2025-06-01&to=2025-06-10');
  const missing = { payer_id: 'SAMPLE-80', amount: 77.5, received_date: '2025-06-02', trace_number: 'T-67' };
  await session.post('/v1/deposits', missing);
  const other = bai2('03,0001234567,,010,0,,,015,1000,,/', '16,165,1000,0,REF-9,,OTHER/', '49,2000,3/', '98,2000,1,5/',
    '99,2000,1,7/');
  await session.post('/v1/deposits/files', { format: 'bai2', payload: other }, { status: null });
  await session.get('/v1/bank_reconciliation?from=2025-06-01&to=2025-06-10');
}

/** A file of a payer that changed a procedure. */
async function remittances(session) {
  const file = join(process.env.TIDEOVER_SOURCE_DIR, 'tests/data/x12_835/variants/submitted_procedure.835');
  const payload = readFileSync(file).toString('base64');
  const { remittance_id } = await session.post('/v1/remittances', { format: 'x12_835', payload });
  await session.get(`/v1/remittances/${remittance_id}`);
}

export async function files(session) {
  await imports(session);
  await statements(session);
  await remittances(session);
}
