// api/rest/openapi.yaml as operations with validators of their requests and responses. The validator is ajv.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020.js';

const kMethods = ['get', 'post', 'put', 'patch', 'delete'];
/** What "Errors that any request can get" lists: the only statuses that `default` documents. */
const kStatusesOfDefault = ['400', '404', '405', '406', '408', '413', '414', '431'];

const escaped = (part) => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
const unescaped = (part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');

export class Contract {
  constructor(root) {
    this.document = parseYaml(readFileSync(join(root, 'api/rest/openapi.yaml'), 'utf8'));
    this.ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
    addFormats(this.ajv);
    this.ajv.addFormat('password', true);
    this.ajv.addSchema(this.document, 'openapi');
    this.operations = [...this.#operations()];
  }

  *#operations() {
    for (const [path, item] of Object.entries(this.document.paths))
      for (const method of kMethods.filter((name) => item[name])) {
        const node = item[method];
        const parameters = [...(item.parameters ?? []), ...(node.parameters ?? [])].map((one) => this.resolve(one));
        yield {
          id: node.operationId, method: method.toUpperCase(), path, scope: node['x-scope'], parameters,
          place: ['paths', path, method], body: node.requestBody && this.resolve(node.requestBody),
          statuses: Object.keys(node.responses).filter((status) => status !== 'default'),
        };
      }
  }

  /** The operation of a request, or undefined. A literal path comes before one with parameters. */
  operationOf(method, target) {
    const path = target.split('?')[0];
    const wanted = method === 'HEAD' ? 'GET' : method;
    const fits = this.operations.filter((one) => one.method === wanted && patternOf(one.path).test(path));
    return fits.sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
  }

  at(parts) {
    return parts.reduce((node, part) => node?.[part], this.document);
  }

  resolve(node) {
    return node?.$ref ? this.resolve(this.at(this.#parts(node.$ref))) : node;
  }

  #parts(reference) {
    return reference.slice(2).split('/').map(unescaped);
  }

  #resolvedPlace(parts) {
    const reference = this.at(parts)?.$ref;
    return reference ? this.#resolvedPlace(this.#parts(reference)) : parts;
  }

  #validator(place) {
    return this.ajv.getSchema(`openapi#/${place.map(escaped).join('/')}`);
  }

  /** The place of a documented response, or undefined when the operation does not document the status. */
  response(operation, status) {
    const name = String(status);
    if (operation.statuses.includes(name)) return this.#resolvedPlace([...operation.place, 'responses', name]);
    if (!kStatusesOfDefault.includes(name)) return undefined;
    return this.#resolvedPlace([...operation.place, 'responses', 'default']);
  }

  /** The schema of an event of this kind, or undefined. */
  eventSchema(kind) {
    return this.document.webhooks[kind]?.post.requestBody.content['application/json'].schema;
  }

  /** Faults of an event, as of a delivery, as texts. */
  eventFaults(event) {
    if (!this.eventSchema(event.event)) return [`${event.event} is not documented`];
    const place = ['webhooks', event.event, 'post', 'requestBody', 'content', 'application/json', 'schema'];
    const fits = this.#validator(place);
    return fits(event) ? [] : fits.errors.map((error) => `${error.instancePath}: ${error.message}`);
  }

  /** Faults of a JSON request body: [{path, message}]. */
  requestFaults(operation, value) {
    const place = [...operation.place, 'requestBody', 'content', 'application/json', 'schema'];
    const fits = this.#validator(this.#choice(place, value));
    if (fits(value)) return [];
    return fits.errors.filter((error) => !isReadLeniently(error))
      .map((error) => ({ path: pathOf(error), message: error.message }));
  }

  /** Of several forms the one that `value` is meant to have: not excluded by \`not\`, most required members present. */
  #choice(place, value) {
    const choices = this.at(place).oneOf;
    if (!choices) return place;
    const present = (names = []) => names.filter((name) => Object.hasOwn(Object(value), name)).length;
    const excluded = ({ not }) => (not === undefined ? 100 : present(not.required) > 0 ? 1000 : 0);
    const score = (node) => present(node.required) - excluded(node);
    const scores = choices.map((choice) => score(this.resolve(choice)));
    return this.#resolvedPlace([...place, 'oneOf', String(scores.indexOf(Math.max(...scores)))]);
  }

  /** Faults of a response {status, headers, body (text)} as texts: "/where: what". */
  responseFaults(operation, { status, headers, body }) {
    const place = this.response(operation, status);
    if (!place) return [`status ${status} is not documented`];
    const { content, headers: documented = {} } = this.at(place);
    if (!content) {
      const faults = this.#headerFaults(place, documented, headers);
      return body === '' ? faults : [...faults, 'a body is not documented'];
    }
    const type = (headers['content-type'] ?? '').split(';')[0];
    const known = type === 'application/problem+json' && status >= 400 ? 'application/json' : type;
    if (!(known in content)) return [`content type "${type}" is not documented`];
    return [...this.#headerFaults(place, documented, headers),
      ...this.#bodyFaults([...place, 'content', known, 'schema'], known, body)];
  }

  #headerFaults(place, documented, headers) {
    const faults = [];
    for (const name of Object.keys(documented)) {
      const text = headers[name.toLowerCase()];
      if (text === undefined) continue;
      const schema = this.#resolvedPlace([...place, 'headers', name]);
      const value = this.at([...schema, 'schema']).type === 'integer' ? Number(text) : text;
      const fits = this.#validator([...schema, 'schema']);
      if (!fits(value)) faults.push(`header ${name}: ${this.ajv.errorsText(fits.errors)}`);
    }
    return faults;
  }

  #bodyFaults(place, type, body) {
    if (!['application/json', 'application/x-ndjson'].includes(type)) return [];
    const fits = this.#validator(place);
    const texts = type === 'application/json' ? [body] : body.split('\n').filter((line) => line !== '');
    return texts.flatMap((text) => {
      let value;
      try {
        value = JSON.parse(text);
      } catch (error) {
        return [`the body is not JSON: ${error.message}`];
      }
      if (fits(value)) return [];
      return fits.errors.map((error) => {
        const where = error.instancePath.replace(/\d+/g, 'N');
        return `${where}: ${error.message} ${allowed(error)}`.trim();
      });
    });
  }
}

const patternOf = (path) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);

const allowed = ({ params, data }) => (params.allowedValues ? `(${JSON.stringify(data) ?? ''})` : '');

const isDate = (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** Whether a member with `x-lenient` has a right value but for blanks and case, or none: the contract allows both. */
function isReadLeniently({ parentSchema, data }) {
  if (!parentSchema['x-lenient'] || typeof data !== 'string') return false;
  const read = data.replace(/^ +| +$/g, '').toLowerCase();
  return read === '' || (parentSchema.format === 'date' ? isDate(read) :
    parentSchema.enum.some((one) => one?.toLowerCase() === read));
}

/** The member that an error of ajv is about, as `details.fields` names it. */
function pathOf({ instancePath, params }) {
  const parts = instancePath.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (params.missingProperty) parts.push(params.missingProperty);
  return parts;
}
