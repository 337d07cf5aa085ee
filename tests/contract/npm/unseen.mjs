// What api/rest/openapi.yaml documents and no recorded response had: optional members and error codes of each operation
// and status, and kinds of events. A key names each of them:
//
//   getClaim 200 /review/denial_reasons[]/fix   a member of a successful response; "[]": of each element, "*": any name
//   confirmSettlement 409 rail_rejected         an error code that the operation itself documents
//   BadRequest invalid_cursor                   an error code of a response that operations share
//   error rules_unavailable                     an error code, from any operation
//   Error /details/max_rows                     an optional member of the body of an error
//   event funding.returned                      a kind of event in the list of events
//   event payout.paid /data/payee_npi           an optional member of such an event
const kErrorBody = '#/components/schemas/Error';
const kAnyError = 'any error';
const kEventOperations = ['listEvents', 'getEvent'];

export class Unseen {
  #contract;
  #seen = new Set();

  constructor(contract) {
    this.#contract = contract;
  }

  /** A response {status, headers, body (text)} of an operation; undefined: of none. */
  add(operation, { status, headers, body }) {
    const type = headers['content-type'] ?? '';
    if (!type.includes('json') || body === '') return;
    const texts = type.includes('ndjson') ? body.split('\n').filter((line) => line !== '') : [body];
    for (const value of texts.map((text) => JSON.parse(text)))
      if (status < 400) this.#addSuccess(operation, status, value);
      else this.#addRefusal(operation, status, value);
  }

  #addSuccess(operation, status, value) {
    const schema = operation && this.#schemaOf(operation, status);
    if (schema) this.#mark([schema], value, `${operation.id} ${status} `);
    if (!kEventOperations.includes(operation?.id)) return;
    for (const event of value.data instanceof Array ? value.data : [value]) {
      this.#seen.add(`event ${event.event}`);
      const described = this.#contract.eventSchema(event.event);
      if (described) this.#mark([described], event, `event ${event.event} `);
    }
  }

  #addRefusal(operation, status, value) {
    this.#mark([{ $ref: kErrorBody }], value, 'Error ');
    if (operation?.statuses.includes(String(status)))
      this.#seen.add(`${this.#refusalName(operation, status)} ${value.error}`);
  }

  /** Keys with their group, for every documented member, code and kind. */
  *#documented() {
    for (const operation of this.#contract.operations)
      for (const status of operation.statuses) {
        const schema = this.#schemaOf(operation, status);
        if (!schema) continue;
        const group = `${operation.id} ${status}`;
        if (Number(status) < 400) yield* this.#members([schema], `${group} `, group);
        else {
          const name = this.#refusalName(operation, status);
          yield* this.#codes(schema).map((code) => [`${name} ${code}`, name]);
        }
      }
    const names = this.#contract.document.components.schemas.ErrorName;
    yield* names.enum.map((code) => [`error ${code}`, kAnyError]);
    yield* this.#members([{ $ref: kErrorBody }], 'Error ', kAnyError);
    for (const kind of Object.keys(this.#contract.document.webhooks)) {
      yield [`event ${kind}`, 'events'];
      yield* this.#members([this.#contract.eventSchema(kind)], `event ${kind} `, 'events');
    }
  }

  /** {group: {seen, total}} in the order of the document, and the keys that were not seen. */
  result() {
    const groups = new Map();
    const documented = new Map(this.#documented());
    const unseen = [];
    for (const [key, group] of documented) {
      const counts = groups.get(group) ?? { seen: 0, total: 0 };
      groups.set(group, counts);
      ++counts.total;
      if (this.#seen.has(key)) ++counts.seen;
      else unseen.push(key);
    }
    return { groups, unseen, documented: [...documented.keys()] };
  }

  #schemaOf(operation, status) {
    const place = this.#contract.response(operation, status);
    const content = place && this.#contract.at(place).content;
    return (content?.['application/json'] ?? content?.['application/x-ndjson'])?.schema;
  }

  /** A response that operations share is documented, and counted, once. */
  #refusalName({ id, place }, status) {
    const reference = this.#contract.at([...place, 'responses', String(status)]).$ref;
    return reference ? reference.split('/').at(-1) : `${id} ${status}`;
  }

  #codes(schema) {
    const lists = this.#flat([schema]).map((node) => this.#contract.resolve(node.properties?.error)?.enum);
    return lists.filter(Boolean).sort((a, b) => a.length - b.length)[0] ?? [];
  }

  /** The schemas that apply to one value together, and all that may. */
  #flat(nodes) {
    return nodes.flatMap((node) => {
      const { allOf = [], oneOf = [], anyOf = [], ...own } = this.#contract.resolve(node);
      return [own, ...this.#flat([...allOf, ...oneOf, ...anyOf])];
    });
  }

  /** The parts of a value by name: {name, nodes, isOptional}. Without a value: the documented ones. */
  #parts(flat, value) {
    const required = new Set(flat.flatMap((node) => node.required ?? []));
    const known = new Set(flat.flatMap((node) => Object.keys(node.properties ?? {})));
    const others = flat.map((node) => node.additionalProperties).filter((node) => typeof node === 'object');
    const names = value ? Object.keys(value) : [...known, ...(others.length > 0 ? ['*'] : [])];
    return names.map((name) => {
      if (!known.has(name)) return { name, step: '/*', nodes: others, isOptional: false };
      const nodes = flat.map((node) => node.properties?.[name]).filter(Boolean);
      return { name, step: `/${name}`, nodes, isOptional: !required.has(name) };
    });
  }

  #itemsOf(flat) {
    return flat.map((node) => node.items).filter(Boolean);
  }

  /** Errors within other responses are bodies of errors, too. */
  #isError(nodes) {
    return nodes.some((node) => node.$ref === kErrorBody || this.#isError(this.#contract.resolve(node).allOf ?? []));
  }

  #mark(nodes, value, path) {
    if (value === null || typeof value !== 'object') return;
    const isError = this.#isError(nodes);
    const from = isError ? 'Error ' : path;
    if (isError) this.#seen.add(`error ${value.error}`);
    const flat = this.#flat(nodes);
    if (Array.isArray(value)) {
      for (const item of value) this.#mark(this.#itemsOf(flat), item, `${from}[]`);
      return;
    }
    for (const { name, step, nodes: own } of this.#parts(flat, value)) {
      this.#seen.add(`${from}${step}`);
      this.#mark(own, value[name], `${from}${step}`);
    }
  }

  *#members(nodes, path, group) {
    const [from, counted] = this.#isError(nodes) ? ['Error ', kAnyError] : [path, group];
    const flat = this.#flat(nodes);
    for (const { step, nodes: own, isOptional } of this.#parts(flat)) {
      if (isOptional) yield [`${from}${step}`, counted];
      yield* this.#members(own, `${from}${step}`, counted);
    }
    if (this.#itemsOf(flat).length > 0) yield* this.#members(this.#itemsOf(flat), `${from}[]`, counted);
  }
}
