import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createGenerators } from './corpus-generators.ts';

// Text of fifteen content types, made of files of this workspace's dependencies and of seeded generators. The packages
// fall into two halves by name, so that constants fitted on one are checked on the other.

export const CONTENT_TYPES = [
  'code',
  'prose',
  'json',
  'json-min',
  'grep',
  'test',
  'diff',
  'log',
  'zh',
  'ja',
  'ko',
  'ru',
  'emoji',
  'base64',
  'hex',
] as const;

export type ContentType = (typeof CONTENT_TYPES)[number];

export interface CorpusOptions {
  /** Which half of the packages, and which seed of the generators. */
  readonly half: 'fit' | 'held-out';
  /** UTF-16 units of each type. */
  readonly units: number;
}

/** One text of about `units` UTF-16 units for each content type; the same options give the same text. */
export function createCorpus(options: CorpusOptions): Record<ContentType, string> {
  const { half, units } = options;
  const files = packageFiles(half);
  const code = joined(files, { pattern: /(?<!\.min)\.(ts|js|mjs|cjs)$/, units: units * 2 });
  const json = joined(files, { pattern: /\.json$/, units });
  const prose = joined(files, { pattern: /\.md$/i, units });
  const paths = spread(files)
    .map(shortPath)
    .filter((path) => /\.[cm]?[jt]s$/.test(path));
  const seed = half === 'fit' ? 1 : 2;
  const generate = createGenerators({ seed, units, code, prose, paths });
  return {
    code: code.slice(0, units),
    prose,
    json: `${json.slice(0, units / 2)}\n${messageJson('ja', half).slice(0, units / 2)}`,
    'json-min': minified(files, units),
    grep: generate.grep(),
    test: generate.testReport(),
    diff: generate.diff(),
    log: generate.log(),
    zh: messages('zh-cn', half).slice(0, units),
    ja: messages('ja', half).slice(0, units),
    ko: messages('ko', half).slice(0, units),
    ru: messages('ru', half).slice(0, units),
    emoji: generate.emoji(),
    base64: generate.base64(),
    hex: generate.hex(),
  };
}

const STORE = fileURLToPath(new URL('../../node_modules/.pnpm/', import.meta.url));

interface CorpusFile {
  readonly path: string;
  readonly name: string;
}

// Minified, generated or binary-like bundles say little about what an agent reads; vocabularies are not text at all.
const SKIPPED =
  /tiktoken|gpt-tokenizer|tokenx|node-linux|typescript@7|highlight\.js|diagnosticMessages/;

function packageFiles(half: CorpusOptions['half']): CorpusFile[] {
  const names = readdirSync(STORE).filter((name) => name.includes('@') && !SKIPPED.test(name));
  const wanted = names.sort().filter((_, index) => (index % 2 === 0) === (half === 'fit'));
  return wanted.flatMap((name) => filesOf(`${STORE}${name}/node_modules`));
}

function filesOf(folder: string): CorpusFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !SKIPPED.test(entry.name))
    .map((entry) => ({ path: `${entry.parentPath}/${entry.name}`, name: entry.name }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A path as inside the package: `src/parse.ts`. */
const shortPath = ({ path }: CorpusFile): string =>
  path.replace(/^.*node_modules\/(@[^/]+\/)?[^/]+\//, '');

interface JoinOptions {
  readonly pattern: RegExp;
  readonly units: number;
}

// At most this much of one file, so that no single package fills a type.
const UNITS_PER_FILE = 24_000;

function joined(files: readonly CorpusFile[], options: JoinOptions): string {
  const wanted = spread(files.filter((file) => options.pattern.test(file.name)));
  let text = '';
  for (const file of wanted) {
    if (text.length >= options.units) break;
    const content = readFileSync(file.path, 'utf8');
    const longest = content.length / (content.split('\n').length + 1);
    if (longest < 200) text += content.slice(0, UNITS_PER_FILE);
  }
  return text.slice(0, options.units);
}

/** A fixed shuffle: every 37th file first, so that few units still come from many packages. */
function spread<Item>(items: readonly Item[]): Item[] {
  const step = 37;
  const order = items.map((item, index) => ({ item, key: (index % step) * items.length + index }));
  return order.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

function minified(files: readonly CorpusFile[], units: number): string {
  let text = '';
  for (const file of spread(files.filter(({ name }) => name.endsWith('.json')))) {
    if (text.length >= units) break;
    try {
      const value: unknown = JSON.parse(readFileSync(file.path, 'utf8'));
      text += `${JSON.stringify(value).slice(0, UNITS_PER_FILE)}\n`;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return text.slice(0, units);
}

/** The compiler's messages in another language: real sentences, halved by the last digit of their number. */
function messageList(language: string, half: CorpusOptions['half']): [string, string][] {
  const folder = readdirSync(STORE).find((name) => name.startsWith('typescript@5'));
  if (folder === undefined) throw new Error('no package in node_modules holds translated messages');
  const lib = `${STORE}${folder}/node_modules/typescript/lib`;
  const file = readFileSync(`${lib}/${language}/diagnosticMessages.generated.json`, 'utf8');
  const entries = Object.entries(JSON.parse(file) as Record<string, string>);
  return entries.filter(([key]) => (key.charCodeAt(key.length - 1) % 2 === 0) === (half === 'fit'));
}

const messages = (language: string, half: CorpusOptions['half']): string =>
  messageList(language, half)
    .map(([, message]) => message)
    .join('\n');

const messageJson = (language: string, half: CorpusOptions['half']): string =>
  JSON.stringify(Object.fromEntries(messageList(language, half)), null, 2);
