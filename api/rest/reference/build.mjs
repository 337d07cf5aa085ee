// Builds the pages below /docs as a C++ source that the program contains.
//   node build.mjs ROOT PACKAGES OUTPUT
// ROOT: the repository. PACKAGES: where the packages of package-lock.json are installed. OUTPUT: the source to write.
// Prints the files that it read, as a list of CMake.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { guidesOf } from './guides.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const kHtml = 'text/html; charset=utf-8';
const kNothingElse = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const read = (name) => readFileSync(join(here, name), 'utf8').trimEnd();
const sha256 = (text, form) => createHash('sha256').update(text).digest(form);
const filled = (template, values) => template.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);

/** Redoc for the browser with its licenses, without the logo that it loads from another origin. */
function redoc(packages) {
  const part = (name) => readFileSync(join(packages, 'node_modules/redoc', name), 'utf8');
  const script = part('bundles/redoc.standalone.js');
  const logo = '"https://cdn.redoc.ly/redoc/logo-mini.svg"';
  if (script.split(logo).length !== 2) throw new Error('redoc: the address of the logo is not where it was');
  const licenses = `/*!\n${part('LICENSE')}*/\n${part('bundles/redoc.standalone.js.LICENSE.txt')}`;
  return licenses + script.replace(logo, '"data:,"');
}

/** {files, inputs}; each file as {path, type, policy (Content-Security-Policy), digest, content}. */
function filesOf(root, packages, Marked) {
  const style = read('style.css');
  const navigation = read('navigation.html');
  const script = redoc(packages);
  const file = (path, type, content, policy = '') =>
    ({ path, type, content, policy, digest: sha256(content, 'hex').slice(0, 16) });
  const bundle = file('/docs/redoc.js', 'text/javascript; charset=utf-8', script);
  const reference = filled(read('reference.html'), { style, navigation, version: bundle.digest });
  // Redoc adds style elements while it runs, and searches in a worker.
  const ofReference = `${kNothingElse}; script-src 'self'; style-src 'unsafe-inline'; ` +
    "connect-src 'self'; worker-src blob:";
  const ofGuides = `${kNothingElse}; style-src 'sha256-${sha256(style, 'base64')}'`;
  const guides = guidesOf(root, Marked);
  const pages = guides.map(({ path, title, content }) =>
    file(path, kHtml, filled(read('guide.html'), { style, navigation, title, content }), ofGuides));
  const own = readdirSync(here).map((name) => join(here, name));
  const inputs = [...own, ...guides.map((guide) => join(root, guide.file))];
  return { files: [bundle, file('/docs', kHtml, reference, ofReference), ...pages], inputs };
}

/** Bytes as a string literal. Octal escapes of three digits end where they must. */
function literal(bytes) {
  const line = (part) => `"${[...part].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`;
  const lines = [];
  for (let at = 0; at < bytes.length; at += 1000) lines.push(line(bytes.subarray(at, at + 1000)));
  return lines.join('\n     ');
}

function sourceOf(files) {
  const entries = files.map(({ path, type, policy, digest, content }) => {
    const packed = gzipSync(content, { level: 9 });
    const names = [path, type, policy, digest].map((text) => JSON.stringify(text)).join(', ');
    return `    {${names}, std::string_view(\n     ${literal(packed)},\n     ${packed.length})},\n`;
  });
  return `// Generated from api/rest/reference and the guides; edit those.
#include "core/http/document/reference.hpp"

#include <array>

namespace tideover::http {

std::span<const ReferenceFile> reference_files() {
  static constexpr std::array<ReferenceFile, ${files.length}> kFiles{{
${entries.join('')}  }};
  return kFiles;
}

}  // namespace tideover::http
`;
}

const [root, packages, output] = process.argv.slice(2);
try {
  const { Marked } = createRequire(join(packages, 'package.json'))('marked');
  const { files, inputs } = filesOf(root, packages, Marked);
  const source = sourceOf(files);
  if (!existsSync(output) || readFileSync(output, 'utf8') !== source) writeFileSync(output, source);
  console.log(inputs.join(';'));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
