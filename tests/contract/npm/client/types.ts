// Compiles only if the client refuses wrong calls. It is never run.
import { createTideoverClient } from './dist/index.js';
import type { EventKind, Item, Schemas, WebhookEvent } from './dist/index.js';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

const tideover = createTideoverClient({ baseUrl: 'http://127.0.0.1:8080', clientId: 'cli_1', clientSecret: 'cs_1' });

export async function requests(): Promise<void> {
  const { data: settlement } = await tideover.get('/v1/settlements/{settlement_id}', {
    params: { path: { settlement_id: 'stl_1' } },
  });
  const amount: number | null | undefined = settlement.funded_amount;
  const { data: text } = await tideover.get('/v1/statements', {
    params: { query: { from: '2026-11-01', to: '2026-11-30' } },
    headers: { Accept: 'text/csv' },
    parseAs: 'text',
  });
  const csv: string = text;
  const { data: payers } = await tideover.get('/v1/metadata/payers');
  const first: Schemas['Payer'] | undefined = payers.data[0];
  const body = {
    claim_identifier: 'CLM-1', chart_identifier: 'CH-1', servicer_npi: '1234567893', billing_npi: '1999999984',
    patient_primary_payor_id: 'SAMPLE-80', submitted_amount: 1000,
  };
  const { data: review } = await tideover.post('/v1/claims/reviews', { body });
  const { data: explained } = await tideover.post('/v1/claims/reviews', { params: { query: { explain: true } }, body });
  const authorizations: string[] = [review.authorization_id, explained.authorization_id];
  const { data: whatIf } = await tideover.post('/v1/claims/reviews', {
    params: { query: { what_if: true } },
    body: { ...body, patches: [{ label: 'another payer', patient_primary_payor_id: 'SAMPLE-80' }] },
  });
  const gained: number | undefined = whatIf.patches[0]?.difference.expected;
  // @ts-expect-error A what-if review has no authorization.
  console.log(whatIf.authorization_id);
  console.log(amount, csv, first, authorizations, gained);

  // @ts-expect-error The path does not exist.
  await tideover.get('/v1/settlement');
  // @ts-expect-error The operation has no GET.
  await tideover.get('/v1/claims/reviews');
  // @ts-expect-error The path has a parameter.
  await tideover.get('/v1/settlements/{settlement_id}');
  // @ts-expect-error The body is required.
  await tideover.post('/v1/deposits');
  // @ts-expect-error Amounts are numbers.
  await tideover.post('/v1/deposits', { body: { payer_id: 'P', amount: '1.00', received_date: '2026-11-28' } });
}

export async function lists(): Promise<void> {
  for await (const deposit of tideover.list('/v1/deposits', { params: { query: { limit: 2 } } })) {
    const id: string = deposit.deposit_id;
    console.log(id);
  }
  // @ts-expect-error A settlement is no list.
  tideover.list('/v1/settlements/{settlement_id}', { params: { path: { settlement_id: 'stl_1' } } });
}
export const itemIsTyped: Same<Item<'/v1/events'>, Schemas['Event']> = true;

export function events(event: WebhookEvent): number | string {
  switch (event.event) {
    case 'settlement.funded':
      return event.data.funded_amount;
    case 'claim.status_changed':
      // @ts-expect-error This kind has no amount.
      return event.data.funded_amount;
    default:
      return event.id;
  }
}
export const kindsAreTheSame: Same<WebhookEvent['event'], EventKind> = true;
