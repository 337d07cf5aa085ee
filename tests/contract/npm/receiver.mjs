// An endpoint of webhooks on loopback that keeps deliveries as they arrived.
import { createServer } from 'node:http';
import { eventually } from './service.mjs';

/**
 * It answers with `status`. Returns {url, deliveries, next(event), stop()}. `deliveries` has {headers, body}; `body` is
 * the raw bytes.
 */
export async function startReceiver(status = 204) {
  const deliveries = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    deliveries.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(status).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const next = (event) => eventually(`a delivery of ${event}`, () =>
    deliveries.find(({ body }) => JSON.parse(body).event === event));
  const stop = () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${server.address().port}/hooks`, deliveries, next, stop };
}
