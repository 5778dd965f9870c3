import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { equalRuns } from '../src/checks/equal-runs.ts';
import { findIdeas, IDEAS } from '../src/checks/ideas.ts';
import { definitionProblems } from '../src/checks/one-definition.ts';

/** A workspace that holds these files and nothing else. */
function workspaceOf(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'varve-ideas-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  return dir;
}

/** Definitions of each idea under names of their own, as they stood in packages or might. */
const COPIES: Readonly<Record<string, readonly string[]>> = {
  'receipt of an edit': [
    `const told = (before: number, after: number, gone: number) => ({ tokensBefore: before, tokensAfter: after, droppedMessages: gone });`,
    `function record(tokensAfter: number, droppedMessages: number) {
       return { reason: 'snipped', tokensAfter, droppedMessages };
     }`,
    `const noted = { beforeTokens: 9, afterTokens: 3, kept: 2, dropped: 4 };`,
  ],
  'smaller by enough': [
    `const isWorth = (after: number, before: number, least: number) => after <= before * (1 - least);`,
    `function helps(sizes: Sizes, { floor }: Options): boolean {
       return (sizes.before - sizes.after) / sizes.before >= floor;
     }`,
    `const isOff = (after: number, before: number, given: Options) => after / before > 1 - given.minSavings;`,
    `const keeps = (after: number, before: number, share: number) => before - after < share * before;`,
    `const room = (tokens: number, { share }: Options) => Math.floor((1 - share) * tokens);`,
  ],
  'what a planner is told': [
    `const told = (view: View, tokens: number) => ({
       atUserTurn: isAtUserTurn(view.messages),
       contextTokens: tokens,
       cache: { warm: false, markers: [] },
     });`,
    `function situation(this: Run): PlanContext {
       const contextTokens = this.tokens();
       const cache = this.clock.state();
       return { ...this.facts, contextTokens, cache, atUserTurn: true };
     }`,
  ],
  'record guard': [
    `const isBag = (given: unknown) => given !== null && !Array.isArray(given) && typeof given === 'object';`,
    `export function plain(v: unknown): v is object {
       if (typeof v !== 'object' || v === null) return false;
       return !Array.isArray(v);
     }`,
    `const keep = (x: any) => !(typeof x !== 'object' || x == null || Array.isArray(x));`,
    `const isDict = (v: unknown) => Object.prototype.toString.call(v) === '[object Object]';`,
  ],
  'error class': [
    `export class Trouble extends Error { readonly code = 'a'; }`,
    `const Oops = class extends TypeError {};`,
    `class Late extends globalThis.DOMException {}`,
  ],
  'race of a promise with an abort': [
    `export const orGone = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
       new Promise((resolve, reject) => {
         signal.addEventListener('abort', () => reject(signal.reason), { once: true });
         work.then(resolve, reject);
       });`,
    `async function until(work: Promise<void>, signal: AbortSignal) {
       const { promise, reject } = Promise.withResolvers<never>();
       signal.onabort = () => reject(signal.reason);
       return Promise.race([work, promise]);
     }`,
    `const stop = (signal: AbortSignal, work: Promise<void>) =>
       Promise.race([work, once(signal, 'abort').then(() => { throw signal.reason; })]);`,
  ],
  'a person said this': [
    `const human = (m: Message) => m.role === 'user' && m.origin === undefined && !m.content.some(isToolResult);`,
    `function asked({ role, content }: Message): boolean {
       if (role !== 'user') return false;
       return content.every(({ type }) => type !== 'tool_result');
     }`,
    `const byHand = (each: Message) => 'user' === each.role && each.origin?.kind !== 'reminder';`,
  ],
  'which request is still open': [
    `function pending(messages: readonly Message[]): number[] {
       let open: number[] = [];
       for (const [at, message] of messages.entries()) {
         if (isPerson(message)) open.push(at);
         if (message.role === 'assistant' && !message.content.some(isToolUse)) open = [];
       }
       return open;
     }`,
    `const todo = (messages: readonly Message[]) => {
       const last = messages.findLastIndex(({ role, response }) => role === 'assistant' && response?.stopReason === 'end_turn');
       return messages.slice(last + 1).filter(({ role }) => role === 'user');
     };`,
    `const FINAL = new Set(['end_turn', 'stop_sequence']);`,
  ],
  'where a history may be cut': [
    `export function splits(messages: readonly Message[]): number[] {
       const found: number[] = [];
       const missing = new Set<string>();
       messages.forEach(() => {});
       for (const [at, { content }] of messages.entries()) {
         if (missing.size === 0) found.push(at);
         for (const block of content) {
           if (block.type === 'tool_use') missing.add(block.id);
           if (block.type === 'tool_result') missing.delete(block.tool_use_id);
         }
       }
       return found;
     }`,
  ],
  'thinking bound to a prefix that changed': [
    `const drops = (rule: ThinkingRule, list: Message[]) => rule === 'prefix-bound' ? list.flatMap(bare) : [];`,
    `function stale(model: ModelInfo) {
       switch (model.thinking) {
         case 'latest-turn': return [];
         default: return all(model);
       }
     }`,
  ],
  'parity of undos': [
    `export function createLives() {
       const off = new Map<string, boolean>();
       return (entry: Entry) => {
         if (entry.type !== 'edit' || entry.edit.kind !== 'undo') return;
         const target = entry.edit.entryId;
         off.set(target, !off.get(target));
       };
     }`,
  ],
  'what an edit brought or took': [
    `export function createOwners() {
       const owner = new Map<string, string>();
       return (entry: Entry) => {
         if (entry.type === 'edit' && entry.edit.kind === 'replace-span')
           for (const { id } of entry.edit.with) owner.set(id, entry.id);
       };
     }`,
    `const shownBy = ({ edit }: EditEntry) => edit.kind !== 'replace-span' ? [] : [...edit.with, ...edit.then];`,
  ],
  'lock file': [
    `async function hold(path: string) {
       const handle = await open(path, 'wx', 0o600);
       await handle.writeFile(JSON.stringify({ pid: process.pid }));
     }`,
    `const grab = (own: string, path: string) => { writeFileSync(own, hostname()); linkSync(own, path); };`,
    `const take = (path: string) => openSync(path, constants.O_CREAT | constants.O_EXCL).write(String(process.pid));`,
  ],
  'list of secrets': [
    `const HIDE = [/AK\u0049A[0-9A-Z]{16}/g, /gh\u0070_\\w{36}/g];`,
    `const rules = { token: new RegExp('xo\u0078[bp]-[0-9A-Za-z-]+') };`,
    `const mask = (s: string) => s.replace(/(api[_-]?key|secret)\\s*[:=]\\s*\\S+/gi, '***');`,
  ],
  'names of tools, of their path fields, of shell commands': [
    `const LOOKS = new Set(['Read', 'Grep', 'Glob']);`,
    `const kinds = { bash: 'run', edit: 'change', read: 'look' };`,
    `const isLook = (name: string) => /^(?:read|grep|glob)$/.test(name);`,
    `const quiet = (name: string) => name === 'read' || name === 'grep' || name === 'ls';`,
    `const KEYS = ['file_path', 'path', 'notebook_path'];`,
    `const SAFE = ['cat', 'ls', 'head', 'tail', 'wc', 'pwd'];`,
    `const LIST = 'read grep glob ls'.split(' ');`,
  ],
  'shape of an entry': [
    `function isLine(value: any): boolean {
       return typeof value.id === 'string' && typeof value.at === 'string' && 'type' in value;
     }`,
    `function check(entry: any) {
       switch (entry.type) {
         case 'head': return typeof entry.head === 'object';
         case 'message': return isRecord(entry.message);
         case 'edit': return isRecord(entry.edit);
         case 'note': return true;
       }
     }`,
  ],
  MessageLike: [
    `export interface Turn { readonly role: string; readonly content: readonly unknown[] }`,
    `type Said = { role: 'user' | 'assistant'; content: unknown };`,
  ],
  'facts to notes': [
    `const PLACES = { '# Task': ['user-message', 'rule'], '# State': ['todo', 'test-status'] };`,
    `const page = (of: Of) => \`# Files\\n\${of('file', 'file-read', 'effect')}\`;`,
  ],
};

/** Code that does something near each idea and defines none. */
const NO_COPIES: readonly string[] = [
  `const size = (value: unknown) => (Array.isArray(value) ? value.length : 0);`,
  `const isAny = (value: unknown) => typeof value === 'object' && value !== null;`,
  `export class StoreError extends VarveError<'full'> {}`,
  `const stopper = (signal: AbortSignal) => { const own = new AbortController(); signal.addEventListener('abort', () => own.abort()); return own; };`,
  `const isUser = ({ role }: Message) => role === 'user';`,
  `const say = (text: string): Message => ({ id: 'a', role: 'user', content: [], origin: { kind: 'note' } });`,
  `const persons = (messages: Message[]) => messages.filter(isPerson);`,
  `const models = [{ id: 'a', thinking: 'prefix-bound' }];`,
  `const undo = (entryId: string) => ({ kind: 'undo', entryId });`,
  `const put = (fromId: string, toId: string) => ({ kind: 'replace-span', fromId, toId, with: [], then: [] });`,
  `const file = await open(path, 'wx', 0o600);`,
  `const read = { path: 'a', offset: 1 };`,
  `const options = { read: true, write: false };`,
  `const text = 'Read the file, then edit it.';`,
  `interface Reply { readonly content: readonly Block[]; readonly id?: string }`,
  `interface Answer { readonly role: 'assistant'; readonly content: readonly Block[] }`,
];

const namesIn = (source: string): readonly string[] =>
  findIdeas('copy.ts', `${source}\n`).map(({ idea }) => idea.name);

describe('a second definition of an idea', () => {
  test('has a sample here for each idea', () => {
    expect(Object.keys(COPIES).sort()).toEqual(IDEAS.map(({ name }) => name).sort());
  });

  test.each(Object.entries(COPIES).flatMap(([idea, copies]) => copies.map((copy) => [idea, copy])))(
    '%s is found under another name: %s',
    (idea, copy) => {
      expect(namesIn(copy as string)).toContain(idea);
    },
  );

  test.each(NO_COPIES)('is none: %s', (source) => {
    expect(namesIn(source)).toEqual([]);
  });

  test.each(IDEAS.map(({ name, homes }) => ({ name, homes })))(
    '$name turns the check red in a package, and not in its home',
    ({ name, homes: [home = ''] }) => {
      const text = COPIES[name]?.[0] as string;
      const own = home.endsWith('.ts') ? home : `${home.replace(/\/?$/, '/')}own.ts`;
      const workspace = workspaceOf({ 'packages/other/src/deep/copy.ts': text, [own]: text });
      const found = definitionProblems(workspace, []);
      expect(found.filter((problem) => problem.includes(`"${name}"`))).toEqual([
        expect.stringMatching(/^packages\/other\/src\/deep\/copy\.ts:\d+ holds/),
      ]);
    },
  );

  test('that is named passes, and a name without one does not', () => {
    const workspace = workspaceOf({ 'packages/a/src/b.ts': COPIES['error class']?.[0] as string });
    const named = (file: string) =>
      definitionProblems(workspace, [{ idea: 'error class', file, why: 'a test' }]);
    expect(named('packages/a/src/b.ts')).toEqual([]);
    expect(named('packages/a/src/c.ts')).toHaveLength(2);
  });
});

const lines = (count: number, name = 'value'): string =>
  Array.from({ length: count }, (_, at) => `  const ${name}${at} = ${at} + 1;`).join('\n');

describe('a run of equal lines', () => {
  test.each<[string, Readonly<Record<string, string>>, number]>([
    [
      'of eight in two packages',
      { 'packages/a/src/x.ts': lines(8), 'packages/b/src/y.ts': lines(8) },
      1,
    ],
    [
      'of seven in two packages',
      { 'packages/a/src/x.ts': lines(7), 'packages/b/src/y.ts': lines(7) },
      0,
    ],
    [
      'of eight in one package',
      { 'packages/a/src/x.ts': lines(8), 'packages/a/src/y.ts': lines(8) },
      0,
    ],
    ['of twenty is one', { 'packages/a/src/x.ts': lines(20), 'evals/src/y.ts': lines(20) }, 1],
    [
      'with another layout, comments and blank lines between',
      {
        'packages/a/src/x.ts': lines(8),
        'packages/b/src/y.ts': `/** Why.\n * More. */\n${lines(8).replaceAll('\n', '\n\n// a\n   ')}`,
      },
      1,
    ],
    [
      'of imports and brackets',
      {
        'packages/a/src/x.ts': `import {\n  a,\n  b,\n  c,\n  d,\n  e,\n  f,\n  g,\n} from 'x';\n${'}\n'.repeat(9)}`,
        'packages/b/src/y.ts': `import {\n  a,\n  b,\n  c,\n  d,\n  e,\n  f,\n  g,\n} from 'x';\n${'}\n'.repeat(9)}`,
      },
      0,
    ],
  ])('%s', (_, files, expected) => {
    expect(equalRuns(workspaceOf(files))).toHaveLength(expected);
  });
});
