// The validator of Prism for single responses.
import { createRequire } from 'node:module';
import { join } from 'node:path';

// The packages of Prism are CommonJS and belong to its command.
const require = createRequire(createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json'));
const { getHttpOperationsFromSpec } = require('@stoplight/prism-http');
const { validateOutput } = require('@stoplight/prism-http/dist/validator');

export class PrismValidator {
  #operations;

  static async of(root) {
    const validator = new PrismValidator();
    const operations = await getHttpOperationsFromSpec(join(root, 'api/rest/openapi.yaml'));
    validator.#operations = new Map(operations.map((operation) => [operation.iid, operation]));
    return validator;
  }

  /** Faults of a response {status, headers, body (text)} as texts. Each line of NDJSON is a body of its own. */
  faults({ id }, { status, headers, body }) {
    const type = headers['content-type'] ?? '';
    const isLines = type.includes('ndjson');
    const texts = isLines ? body.split('\n').filter((line) => line !== '') : [body];
    return texts.flatMap((text) => {
      const element = { statusCode: status, headers, body: type.includes('json') ? JSON.parse(text) : text };
      const result = validateOutput({ resource: this.#operations.get(id), element });
      return result._tag === 'Right' ? [] : result.left.map(written);
    });
  }
}

const written = ({ path = [], message }) => `Prism: ${path.join('.').replace(/\b\d+\b/g, 'N')} ${message}`;
