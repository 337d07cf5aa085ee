// Validates every exchange of api/rest/examples by ajv, an independent JSON Schema validator. Argument: the root of the
// repository. Exits with 1 when a value does not fit its schema.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020.js';

const root = process.argv[2];
const read = (path) => readFileSync(join(root, path), 'utf8');
const openapi = parseYaml(read('api/rest/openapi.yaml'));
const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats(ajv);
ajv.addFormat('password', true);
ajv.addSchema(openapi, 'openapi');

const operations = new Map();
for (const [path, methods] of Object.entries(openapi.paths))
  for (const [method, operation] of Object.entries(methods))
    if (operation.operationId) operations.set(operation.operationId, ['paths', path, method]);

const escaped = (part) => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
const at = (parts) => parts.reduce((node, part) => node?.[part], openapi);
const resolved = (parts) => {
  const reference = at(parts)?.$ref;
  return reference ? resolved(reference.slice(2).split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))) : parts;
};

let checked = 0;
let faults = 0;
const check = (what, schema, value) => {
  const fits = ajv.compile(schema);
  ++checked;
  if (fits(value)) return;
  ++faults;
  console.error(`${what}: ${ajv.errorsText(fits.errors)}`);
};
const checkContent = (what, owner, value) => {
  const content = at(owner).content;
  const type = ['application/json', 'application/x-ndjson'].find((name) => content[name]);
  check(what, { $ref: `openapi#/${[...owner, 'content', type, 'schema'].map(escaped).join('/')}` }, value);
};

for (const name of readdirSync(join(root, 'api/rest/examples'))) {
  const { operation, request, response } = JSON.parse(read(`api/rest/examples/${name}`));
  const place = operations.get(operation);
  const responses = at([...place, 'responses']);
  const status = String(response.status) in responses ? String(response.status) : 'default';
  checkContent(`${name}, response`, resolved([...place, 'responses', status]), response.body);
  if (request.body !== undefined && response.status === 200) checkContent(`${name}, request`, resolved([...place, 'requestBody']), request.body);
}

console.log(`${checked} values checked, ${faults} do not fit`);
process.exit(checked > 0 && faults === 0 ? 0 : 1);
