// The guides as HTML: Markdown of the repository in, one page per guide out. Links between guides lead to their pages.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const kFolder = 'api/docs';
/** Pages outside of kFolder that guides refer to, by their names. */
const kOthers = {
  'api/imports/README.md': 'file-formats',
  'api/rest/README.md': 'rest-api',
  'api/rest/clients/typescript/README.md': 'typescript-client',
  'api/webhooks/signing.md': 'signatures',
};
/** Files that the service returns as they are. */
const kServed = { 'api/rest/openapi.yaml': '/v1/openapi.yaml' };

const escaped = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** The anchor of a heading, as readers of the repository know it. */
const slugOf = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-');

/** The path of each page by its file: api/docs/rules/guide.md is /docs/guides/rules-guide. */
function pathsOf(root) {
  const files = readdirSync(join(root, kFolder), { recursive: true }).filter((name) => name.endsWith('.md')).sort();
  const names = files.map((file) => [`${kFolder}/${file}`, file.replace(/\.md$/, '').replaceAll('/', '-')]);
  const paths = [...names, ...Object.entries(kOthers)].map(([file, name]) => [file, `/docs/guides/${name}`]);
  return new Map([...paths, [`${kFolder}/README.md`, '/docs/guides']]);
}

class Page {
  anchors = new Set();
  links = [];
  faults = [];

  constructor(root, file, paths, Marked) {
    this.file = file;
    this.path = paths.get(file);
    this.root = root;
    this.paths = paths;
    const page = this;
    const renderer = {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        page.title ??= text;
        return `<h${depth} id="${page.#anchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        return page.#link(href, this.parser.parseInline(tokens));
      },
      code({ text, lang }) {
        const block = `<pre><code>${escaped(text)}</code></pre>\n`;
        if (lang !== 'mermaid') return block;
        return `<details><summary>Diagram, as Mermaid source</summary>${block}</details>\n`;
      },
      html({ text }) {
        page.faults.push(`${file}: HTML in Markdown: ${text}`);
        return '';
      },
    };
    this.content = new Marked({ renderer }).parse(readFileSync(join(root, file), 'utf8'));
  }

  #anchor(heading) {
    const slug = slugOf(heading.replace(/&#?\w+;/g, ''));
    const taken = [...this.anchors].filter((one) => one === slug || one.replace(/-\d+$/, '') === slug).length;
    const anchor = taken === 0 ? slug : `${slug}-${taken}`;
    this.anchors.add(anchor);
    return anchor;
  }

  #link(href, text) {
    if (/^[a-z]+:/.test(href)) return `<a href="${escaped(href)}" rel="noreferrer">${text}</a>`;
    const [target, anchor] = href.split('#');
    const file = target === '' ? this.file : normalize(join(dirname(this.file), target));
    const path = this.paths.get(file) ?? kServed[file];
    if (path) {
      if (anchor) this.links.push({ file, anchor });
      return `<a href="${path}${anchor ? `#${anchor}` : ''}">${text}</a>`;
    }
    if (!existsSync(join(this.root, file))) this.faults.push(`${this.file}: the link ${href} leads nowhere`);
    return `${text} (<code>${escaped(file)}</code> in the source of Tideover)`;
  }
}

/** [{file, path, title, content}] of all guides. Throws all faults in them, such as a link that leads nowhere. */
export function guidesOf(root, Marked) {
  const paths = pathsOf(root);
  const pages = new Map([...paths.keys()].map((file) => [file, new Page(root, file, paths, Marked)]));
  const faults = [...pages.values()].flatMap((page) => page.faults);
  for (const page of pages.values())
    for (const { file, anchor } of page.links)
      if (pages.has(file) && !pages.get(file).anchors.has(anchor))
        faults.push(`${page.file}: ${file} has no heading #${anchor}`);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return [...pages.values()].map(({ file, path, title, content }) => ({ file, path, title, content }));
}
