// Releases of rules by clients.
import { kNpis, refused } from './session.mjs';
export async function rules(session) {
  const filed = await session.post('/v1/rules/shadow', { rule_id: 'denial.zero_charge' });
  await session.post('/v1/rules/promote', { bundle: filed.sha256, reason: 'Too many findings' });
  await session.until('/v1/rules', ({ rules_sha256 }) => rules_sha256 === filed.sha256);
  await session.post('/v1/claims/reviews?explain=true', {
    claim_identifier: session.name('SHD'), chart_identifier: 'CH-1', ...kNpis,
    patient_primary_payor_id: 'SAMPLE-80', submitted_amount: 0,
  });
  await session.post('/v1/rules/shadow', { rule_id: 'denial.zero_charge' }, refused(409, 'invalid_state'));
  await session.post('/v1/rules/promote', { bundle: filed.sha256 }, refused(409, 'invalid_state'));
  await session.post('/v1/rules/rollback', { reason: 'Needed again' });
  await session.post('/v1/rules/rollback', {}, refused(409, 'invalid_state'));
  await session.post('/v1/rules/approve', { bundle: filed.sha256 }, refused(409, 'invalid_state'));
  await session.get('/v1/rules/bundles');
  for (const part of ['calibration', 'payers', 'rules', 'advances'])
    await session.get(`/v1/quality/${part}?from=2026-01-01&to=2026-12-31`);
}
