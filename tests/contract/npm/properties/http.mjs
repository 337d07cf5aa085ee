// Requests over connections that stay open. A request that is not answered in time is an error.
import { Agent, request } from 'node:http';

export class Http {
  #agent;
  #base;
  count = 0;

  constructor(baseUrl, connections) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.#base = new URL(baseUrl);
  }

  /** {status, headers, body}. Repeats once when the server had closed an idle connection. */
  async send({ method, target, headers = {}, body }, seconds = 10) {
    try {
      return await this.#once(method, target, headers, body, seconds);
    } catch (error) {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') throw error;
      return this.#once(method, target, { ...headers, Connection: 'close' }, body, seconds);
    }
  }

  #once(method, path, headers, body, seconds) {
    ++this.count;
    const length = body ? { 'Content-Length': body.length } : {};
    const { hostname, port } = this.#base;
    const options = { agent: this.#agent, hostname, port, method, path, headers: { ...headers, ...length } };
    return new Promise((resolve, reject) => {
      const sent = request(options, (response) => {
        const parts = [];
        const whole = () => ({
          status: response.statusCode, headers: response.headers, body: Buffer.concat(parts).toString('utf8'),
        });
        response.on('data', (part) => parts.push(part)).on('error', reject).on('end', () => resolve(whole()));
      });
      sent.setTimeout(seconds * 1000, () => sent.destroy(new Error(`no answer within ${seconds} s`)));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  async json(method, target, token, value) {
    const headers = { Authorization: token, ...(value && { 'Content-Type': 'application/json' }) };
    const answer = await this.send({ method, target, headers, body: value && Buffer.from(JSON.stringify(value)) });
    return { ...answer, value: answer.body.startsWith('{') ? JSON.parse(answer.body) : undefined };
  }

  close() {
    this.#agent.destroy();
  }
}
