import { readFileSync } from 'node:fs';
import { toolResults, toolUses } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import type { SessionFormat } from '../src/import/types.ts';
import type { ImportedSession } from '../src/import.ts';
import { fixtures, importText, jsonLines } from './import-support.ts';

/** Calls, results, replies and bills of a session, and what its messages say. */
function factsOf({ threads }: ImportedSession) {
  const entries = threads.flatMap((thread) => thread.entries);
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const replies = messages.flatMap(({ response }) => response ?? []);
  return {
    calls: messages.flatMap(toolUses).length,
    results: messages.flatMap(toolResults).length,
    replies: replies.length,
    bills: replies.flatMap(({ usage }) => usage ?? []),
    said: messages.map(({ role, content }) => ({ role, content })),
    notes: entries.flatMap((entry) =>
      entry.type === 'note' && BILLS.test(JSON.stringify(entry.data)) ? [entry.data] : [],
    ),
    edits: entries.filter(({ type }) => type === 'edit').length,
  };
}

const BILLS = /usage-total|empty-reply|compaction-request/;

type Json = Record<string, unknown>;

/** Written as Gemini CLI does from 0.39 on. */
const geminiLines = jsonLines([
  { sessionId: 'g', projectHash: 'p', startTime: '2026-04-14T15:00:00.000Z', kind: 'main' },
  { id: 'g1', timestamp: '2026-04-14T15:00:01.000Z', type: 'user', content: 'Look.' },
  { id: 'g2', timestamp: '2026-04-14T15:00:02.000Z', type: 'gemini', content: 'I', model: 'm' },
  {
    id: 'g2',
    timestamp: '2026-04-14T15:00:02.000Z',
    type: 'gemini',
    content: 'I see.',
    model: 'm',
    tokens: { input: 100, output: 5, cached: 0, thoughts: 0, tool: 0, total: 105 },
  },
  { id: 'g3', timestamp: '2026-04-14T15:00:03.000Z', type: 'user', content: 'And now?' },
  { $rewindTo: 'g3' },
  { id: 'g4', timestamp: '2026-04-14T15:00:04.000Z', type: 'user', content: 'Again.' },
  {
    id: 'g5',
    timestamp: '2026-04-14T15:00:05.000Z',
    type: 'gemini',
    content: 'Gone.',
    model: 'm',
    tokens: { input: 120, output: 5, cached: 90, thoughts: 2, tool: 0, total: 127 },
  },
]);

const files = [
  ...fixtures.map(({ format, file, path }) => ({ format, file, text: readFileSync(path, 'utf8') })),
  { format: 'gemini-cli', file: 'session.jsonl', text: geminiLines },
];

const load = (text: string, file: string) => importText(text, { name: file });

const named = (session: ImportedSession, kind: string): number =>
  session.problems.filter((problem) => problem.kind === kind).length;

/** Messages a line without ids and times: that one is said again is no fault. */
const isUnmarked = (file: string): boolean => file === 'messages.jsonl';

describe.each(files.filter(({ file }) => !isUnmarked(file)))(
  'what stands twice in $format/$file counts once',
  ({ file, text }) => {
    const isLines = file.endsWith('.jsonl');

    test('the whole file', async () => {
      const whole = await load(text, file);
      const twice = await load(text + text, file);
      expect(factsOf(twice)).toEqual(factsOf(whole));
      expect(named(twice, 'duplicate-record')).toBeGreaterThan(named(whole, 'duplicate-record'));
    });

    test.runIf(isLines)('each line, behind itself and at the end', async () => {
      const whole = await load(text, file);
      const lines = text.trimEnd().split('\n');
      for (const [index, line] of lines.entries())
        for (const at of [index + 1, lines.length]) {
          const session = await load(`${lines.toSpliced(at, 0, line).join('\n')}\n`, file);
          const where = `line ${index + 1} again as ${at + 1}`;
          expect(factsOf(session), where).toEqual(factsOf(whole));
          const isNamed =
            named(session, 'duplicate-record') > named(whole, 'duplicate-record') ||
            JSON.stringify(session.unused) !== JSON.stringify(whole.unused);
          expect(isNamed, where).toBe(true);
        }
    });
  },
);

/** What the bills of each format are called; none where it has none of a reply. */
const BILL_NAMES: Readonly<Record<SessionFormat, readonly string[]>> = {
  'claude-code': ['usage'],
  codex: ['last_token_usage'],
  'copilot-cli': ['usage', 'tokenDetails'],
  opencode: ['tokens'],
  pi: ['usage'],
  'gemini-cli': ['tokens'],
  'qwen-code': ['usageMetadata'],
  goose: [],
  atif: ['metrics'],
  'swe-agent': [],
  'openhands-output': ['accumulated_token_usage', 'llm_metrics'],
  varve: ['usage'],
  'anthropic-messages': ['usage', 'tokens', 'metrics'],
  'openai-chat': ['usage'],
  'openai-responses': [],
};

/** Counts by their own names; others of a bill are sums, prices and the like. */
const COUNT = /input|output|prompt|completion|candidates|cache|thought|reasoning|tool$|tokenCount/i;
const NO_COUNT = /total|cost|server/i;

type Path = readonly (string | number)[];

/** The paths to all bills inside a value. */
function billsIn(value: unknown, names: readonly string[], path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    return names.includes(key) ? [at] : billsIn(inner, names, at);
  });
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Json)?.[key], value);

/** A copy with something else at a path. */
function withValue(value: unknown, path: Path, put: unknown): unknown {
  const copy = structuredClone(value);
  const holder = valueAt(copy, path.slice(0, -1)) as Json;
  const key = path.at(-1) as string;
  if (put === undefined) delete holder[key];
  else holder[key] = put;
  return copy;
}

const countsIn = (bill: unknown, path: Path = []): Path[] =>
  Object.entries((bill ?? {}) as Json).flatMap(([key, value]) => {
    if (NO_COUNT.test(key)) return [];
    if (typeof value === 'number') return COUNT.test(key) ? [[...path, key]] : [];
    return typeof value === 'object' && !Array.isArray(value)
      ? countsIn(value, [...path, key])
      : [];
  });

const isSaid = (session: ImportedSession, before: ImportedSession): boolean =>
  named(session, 'bad-bill') > named(before, 'bad-bill') ||
  Object.keys(session.unused).some((key) => key.startsWith('bill.')) ||
  named(session, 'bad-record') > named(before, 'bad-record');

describe.each(files)('a bill of $format/$file that cannot be read', ({ format, file, text }) => {
  const records = recordsOf(text);
  const names = BILL_NAMES[format as SessionFormat];
  const places = records.flatMap((record, at) => billsIn(record, names, [at]));

  test.runIf(places.length > 0)('is said, and nothing else changes', async () => {
    const write = (changed: unknown): string => jsonLines(changed as unknown[]);
    const whole = await load(write(records), file);
    let tried = 0;
    for (const path of places) {
      const without = await load(write(withValue(records, path, undefined)), file);
      // the bill of nothing, or one that stands in two places
      if (JSON.stringify(factsOf(without).bills) === JSON.stringify(factsOf(whole).bills)) continue;
      expect(isSaid(without, whole), `${path.join('.')} left out`).toBe(false);
      for (const put of ['12', [12], 12, null]) await expectSaid(path, put);
      const counts = countsIn(valueAt(records, path));
      expect(counts, path.join('.')).not.toEqual([]);
      for (const count of counts) {
        const at = [...path, ...count];
        for (const put of ['12', -1, [1], true]) await expectSaid(at, put);
        if (valueAt(records, at)) await expectRenamed(at);
      }
      tried += 1;
    }
    if (format !== 'copilot-cli') expect(tried).toBeGreaterThan(0);

    async function expectSaid(path: Path, put: unknown): Promise<void> {
      const session = await load(write(withValue(records, path, put)), file);
      const where = `${path.join('.')} as ${JSON.stringify(put)}`;
      // of one bill alone nobody knows that there should be one, and another place may tell it
      const { length } = factsOf(session).bills;
      const isMissed = length > 0 && length < factsOf(whole).bills.length;
      if (put !== null || isMissed) expect(isSaid(session, whole), where).toBe(true);
      const { bills: _, notes: __, ...facts } = factsOf(session);
      expect(factsOf(whole), where).toMatchObject(facts);
    }

    async function expectRenamed(path: Path): Promise<void> {
      const renamed = [...path.slice(0, -1), `${path.at(-1)}Now`];
      const put = withValue(withValue(records, path, undefined), renamed, valueAt(records, path));
      const session = await load(write(put), file);
      expect(isSaid(session, whole), `${path.join('.')} under another name`).toBe(true);
    }
  });
});

function recordsOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
}
