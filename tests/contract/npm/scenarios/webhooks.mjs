// Endpoints that work, fail and are disabled; deliveries and events.
import { startReceiver } from '../receiver.mjs';
import { advance } from './money_path.mjs';

async function working(session, receiver) {
  const endpoint = await session.post('/v1/webhooks/endpoints', { url: receiver.url, description: 'Works', events: ['event.ping'] });
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
  await session.post(`${path}/test`);
  await session.until(path, ({ failing_since }) => failing_since);
  await session.post(`${path}/rotate-secret`, {});
  await session.patch(path, { description: 'Fails, two secrets' });
  await session.get('/v1/webhooks/endpoints');
  await session.patch(path, { status: 'disabled' });
  await session.post(`${path}/rotate-secret`, {});
  await session.get('/v1/webhooks/endpoints');
  await session.post(`${path}/test`, undefined, { status: 409, error: 'invalid_state' });
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
