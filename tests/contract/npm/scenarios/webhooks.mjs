// Endpoints that work, fail and are disabled; deliveries and events.
import { startReceiver } from '../receiver.mjs';
import { advance } from './money_path.mjs';
import { refused } from './session.mjs';

async function working(session, receiver) {
  const endpoint = await session.post('/v1/webhooks/endpoints',
    { url: receiver.url, description: 'Works', events: ['event.ping'] });
  const path = `/v1/webhooks/endpoints/${endpoint.id}`;
  const { event_id } = await session.post(`${path}/test`);
  const delivered = ({ data: [one] }) => one?.status === 'delivered';
  await session.until(`${path}/deliveries`, delivered);
  await session.post(`${path}/deliveries/${event_id}/retry`);
  await session.post(`${path}/rotate-secret`, { overlap_seconds: 3600 });
  await session.patch(path, { description: 'Two secrets' });
  await session.get('/v1/webhooks/endpoints');
  await session.post(`/v1/events/${event_id}/redeliver`);
}

/** Fails for days of the tenant's clock, and is disabled by the service. */
async function failing(session) {
  const endpoint = await session.post('/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/', description: 'Fails' });
  const path = `/v1/webhooks/endpoints/${endpoint.id}`;
  const { event_id } = await session.post(`${path}/test`);
  await session.until(path, ({ failing_since }) => failing_since);
  await session.post(`${path}/deliveries/${event_id}/retry`);
  await session.post(`${path}/rotate-secret`, {});
  await session.patch(path, { description: 'Fails, two secrets' });
  await session.get('/v1/webhooks/endpoints');
  await session.patch(path, { status: 'disabled' });
  await session.post(`${path}/rotate-secret`, {});
  await session.get('/v1/webhooks/endpoints');
  await session.post(`${path}/test`, undefined, refused(409, 'invalid_state'));
  await session.post(`${path}/deliveries/${event_id}/retry`, undefined, refused(409, 'invalid_state'));
  const more = () => session.post('/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/' }, { status: null });
  for (let n = 0; n < 20; ++n) if ((await more()).error) break;
}

export async function webhooks(session) {
  const receiver = await startReceiver();
  try {
    await working(session, receiver);
    await failing(session);
    await advance(session, 'P1D');
  } finally {
    await receiver.stop();
  }
}
