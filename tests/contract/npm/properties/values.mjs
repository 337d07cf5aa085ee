// Values of a request that JSON.stringify cannot write: raw JSON text, and objects of the running service.
export class Raw {
  constructor(text) {
    this.text = text;
  }
}

/** The n-th newest value of a pool, known when the request is sent. */
export class Live {
  constructor(pool, n) {
    this.pool = pool;
    this.n = n;
  }
}

/** Ids and other values that the service returned, by kind. */
export class Pools {
  #values = new Map();
  #excluded = new Set();
  static #kLimit = 300;

  /** Requests shall not refer to this value: the run needs its object as it is. */
  exclude(value) {
    this.#excluded.add(value);
  }

  add(kind, value) {
    if (this.#excluded.has(value)) return;
    const values = this.#values.get(kind) ?? [];
    if (!values.includes(value)) values.push(value);
    if (values.length > Pools.#kLimit) values.shift();
    this.#values.set(kind, values);
  }

  pick({ pool, n }) {
    const values = this.#values.get(pool) ?? [];
    return values.length === 0 ? `${pool}_00000000000000000000000000` : values[values.length - 1 - (n % values.length)];
  }

  /** Every id in a response. */
  learn(text) {
    for (const [id, kind] of text.matchAll(/\b([a-z]{3,4})_[0-9A-HJKMNP-TV-Z]{26}\b/g)) this.add(kind, id);
    for (const [, identifier] of text.matchAll(/"claim_identifier":"([^"\\]{1,64})"/g)) this.add('claim', identifier);
    for (const [, digest] of text.matchAll(/"(?:sha256|rules_sha256|bundle)":"([0-9a-f]{64})"/g)) this.add('bundle',
      digest);
  }
}

/** JSON text of a value with Raw and Live in it. */
export function toJson(value, pools) {
  if (value instanceof Raw) return value.text;
  if (value instanceof Live) return JSON.stringify(pools.pick(value));
  if (Array.isArray(value)) return `[${value.map((item) => toJson(item, pools)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}:${toJson(item, pools)}`).join(',')}}`;
}
