// The examples of api/rest as requests: ids and tokens of the examples stand for those that the service returned.
const kGiven = /^([a-z]+_[0-9A-HJKMNP-TV-Z]{26}|v1\.[a-z]+|whsec_.+|[0-9a-f]{64})$/;

export class StandIns {
  #real = new Map();

  constructor({ id, secret }) {
    this.#real.set('cli_01M7WNTFJ00000000000000001', id).set('cs_test_example', secret);
    // Events of the session must not leave this machine.
    this.#real.set('https://billing.example.com/', 'https://127.0.0.1:9/');
  }

  /** Every id at the same place in both. */
  learn(example, text) {
    this.#learn(example, JSON.parse(text));
  }

  #learn(example, real) {
    if (typeof example === 'string' && typeof real === 'string') {
      if (kGiven.test(example) && !this.#real.has(example)) this.#real.set(example, real);
    } else if (example && real && typeof example === 'object' && typeof real === 'object') {
      for (const name of Object.keys(example)) if (Object.hasOwn(real, name)) this.#learn(example[name], real[name]);
    }
  }

  #apply(text) {
    for (const [example, real] of this.#real) text = text.replaceAll(example, real);
    return text;
  }

  request({ request: { method, path, headers = {}, body } }, token) {
    const sent = { ...headers };
    if (token) sent.Authorization = token;
    if (body !== undefined) sent['Content-Type'] ??= 'application/json';
    const text = body === undefined ? undefined : Buffer.from(this.#apply(JSON.stringify(body)));
    return { method, target: this.#apply(path), headers: sent, body: text };
  }

  /** Whether the values that the example waits for have come. */
  holds({ response: { eventually = {} } }, text) {
    const at = (value, pointer) => pointer.split('/').slice(1).reduce((node, name) => node?.[name], value);
    return Object.entries(eventually).every(([pointer, wanted]) => at(JSON.parse(text), pointer) === wanted);
  }
}
