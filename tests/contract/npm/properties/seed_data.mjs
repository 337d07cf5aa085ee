// Objects for requests to refer to: claims, settlements in several states, money, files, tasks.
const kNpi = { servicer_npi: '1234567893', billing_npi: '1999999984' };
const today = () => new Date().toISOString().slice(0, 10);
const base64 = (text) => Buffer.from(text).toString('base64');

const claim = (n, payer) => ({
  claim_identifier: `SEED-${n}`, chart_identifier: `CH-${n}`, ...kNpi, patient_primary_payor_id: payer,
    submitted_amount: 1000,
  service_lines: [{ cpt: '99213', units: 1, amount: 1000 }],
});

async function settlement(post, n, payer, rail, account) {
  const { authorization_id } = await post('/v1/claims/reviews', claim(n, payer));
  return post('/v1/claims/adjudications', { authorization_id, funding: { rail }, payout_account_token: account });
}

async function paid(post, n) {
  const { settlement_id } = await settlement(post, n, 'TEST-APPROVE', 'RTP', 'tok_ok');
  await post(`/v1/settlements/${settlement_id}/confirm`);
  const trace = `SEED-T-${n}`;
  await post('/v1/remittances', {
    payer_id: 'TEST-APPROVE', trace_number: trace, payment_date: today(), payment_amount: 790,
    claims: [{ claim_identifier: `SEED-${n}`, status: '1', charge_amount: 1000, paid_amount: 790,
      adjustments: [{ group: 'CO', code: '45', amount: 210 }] }],
  });
  await post('/v1/deposits', { payer_id: 'TEST-APPROVE', amount: 790, received_date: today(), trace_number: trace });
}

const kStatement = ['01,BANK1,SAMPLE,250603,0700,1,,,2/', '02,SAMPLE,BANK1,1,250603,0600,USD,2/',
  '03,0001234567,,010,0,,,015,77750,,/',
  '16,165,79000,0,REF-1,,TRN*1*T-66*1999999984~/', '16,455,1250,0,REF-2,,DEBIT/', '49,158000,4/', '98,158000,1,6/',
    '99,158000,1,8/', ''].join('\n');

/** Creates the objects and lets `pools` learn every id. */
export async function seedData(http, token, pools) {
  const post = async (target, value) => {
    const answer = await http.json('POST', target, token, value);
    if (answer.status !== 200) throw new Error(`${target}: ${answer.status} ${answer.body}`);
    pools.learn(answer.body);
    return answer.value;
  };
  for (let n = 0; n < 12; ++n) await post('/v1/claims/reviews', claim(n, n % 2 ? 'TEST-APPROVE' : 'TEST-SLOW'));
  for (let n = 20; n < 24; ++n) await settlement(post, n, 'TEST-REVIEW', 'RTP', 'tok_ok');
  for (let n = 30; n < 36; ++n) await settlement(post, n, 'TEST-APPROVE', n % 2 ? 'SAME_DAY' : 'RTP',
    n % 3 ? 'tok_ok' : 'tok_suspended');
  for (let n = 40; n < 44; ++n) await paid(post, n);
  await post('/v1/payees/1999999984/account', { payout_account_token: 'tok_ok', rail: 'RTP' });
  await post('/v1/payees/1999999984/payouts');
  await post('/v1/deposits/files', { format: 'bai2', payload: base64(kStatement) });
  await post('/v1/imports/claims', { format: 'ndjson', payload: base64(JSON.stringify(claim(50, 'TEST-APPROVE'))) });
  await post('/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/hooks' });
  for (const target of ['/v1/tasks', '/v1/events', '/v1/bank_statements', '/v1/rules/bundles', '/v1/payouts',
    '/v1/ledger/entries'])
    pools.learn((await http.json('GET', target, token)).body);
  const rules = await http.json('GET', '/v1/rules', token);
  for (const [, id] of rules.body.matchAll(/"(?:rule_id|id)":"([a-z0-9_.]+)"/g)) pools.add('rule', id);
}
