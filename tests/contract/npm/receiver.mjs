// An endpoint of webhooks on loopback that keeps deliveries as they arrived.
import { createServer } from 'node:http';
import { eventually } from './service.mjs';

/**
 * Returns {url, deliveries, next(event), stop()}. `deliveries` has {headers, body}; `body` is the raw bytes. `statusOf`
 * gives the status with which the receiver answers a request to a target.
 */
export async function startReceiver(statusOf = () => 204) {
  const deliveries = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    deliveries.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(statusOf(request.url)).end();
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
