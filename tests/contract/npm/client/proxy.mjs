// A proxy on loopback that forwards to a service and can lose, cut or replace single responses.
import { createServer } from 'node:http';

/** Headers of one connection; and of the coding of the body, which fetch decodes. */
const HOP = ['connection', 'content-encoding', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];

/**
 * Returns {url, seen, faults, stop()}. `seen` lists the requests that arrived, as {method, path, key, body}. Each
 * request takes the first of `faults` whose `path` it has:
 *   {path, lose: true}                    the service executes the request, the connection drops without a response
 *   {path, cut: true}                     the same, the connection drops within the body of the response
 *   {path, hang: true}                    the service does not see the request, no response arrives
 *   {path, status, headers, body}         the service does not see the request
 */
export async function startProxy(target) {
  const seen = [];
  const faults = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const path = request.url.split('?')[0];
    seen.push({ method: request.method, path, key: request.headers['idempotency-key'], body: body.toString() });
    const index = faults.findIndex((fault) => fault.path === path);
    const [fault] = index < 0 ? [] : faults.splice(index, 1);
    if (fault?.hang) return;
    if (fault?.status) return replace(response, fault);
    const answer = await forward(target, request, body);
    if (fault?.lose) return request.socket.destroy();
    response.writeHead(answer.status, answer.headers);
    if (!fault?.cut) return response.end(answer.body);
    response.write(answer.body.subarray(0, answer.body.length / 2), () => request.socket.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, seen, faults, stop };
}

function replace(response, { status, headers = {}, body }) {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function forward(target, { method, url, headers }, body) {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.includes(name)));
  const response = await fetch(target + url, { method, headers: kept, ...(body.length && { body }) });
  const answer = Buffer.from(await response.arrayBuffer());
  const returned = Object.fromEntries([...response.headers].filter(([name]) => !HOP.includes(name)));
  return { status: response.status, headers: { ...returned, 'content-length': answer.length }, body: answer };
}
