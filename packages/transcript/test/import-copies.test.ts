import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ImportedSession, uniqueResponses } from '../src/import.ts';
import { findSessions, importFile } from '../src/node/index.ts';
import { importText, jsonLines } from './import-support.ts';
import { temporaryFolder } from './support.ts';

const SEED = 15;
const RUNS = 40;

/** A session as a family of files: the first, copies of it, and forks that go on from a part of another one. */
interface Family {
  readonly turns: number;
  readonly members: readonly {
    readonly of: number;
    readonly keeps: number;
    readonly own: number;
  }[];
  readonly order: readonly number[];
}

const family: fc.Arbitrary<Family> = fc.record({
  turns: fc.integer({ min: 1, max: 6 }),
  members: fc.array(fc.record({ of: fc.nat(5), keeps: fc.nat(6), own: fc.nat(4) }), {
    maxLength: 5,
  }),
  order: fc.array(fc.nat(100), { minLength: 6, maxLength: 6 }),
});

/** What each file says: the turns it copied and its own, by number; a number is asked and answered once. */
function contents({
  turns,
  members,
}: Family): { id: number; parent: number; copied: number[]; own: number[] }[] {
  let next = 0;
  const fresh = (count: number) => Array.from({ length: count }, () => next++);
  const files = [{ id: 0, parent: -1, copied: [] as number[], own: fresh(turns) }];
  for (const { of, keeps, own } of members) {
    const parent = files[of % files.length] ?? { id: 0, copied: [], own: [] };
    const all = [...parent.copied, ...parent.own];
    const copied = all.slice(0, Math.max(1, keeps));
    files.push({ id: files.length, parent: parent.id, copied, own: fresh(own) });
  }
  return files;
}

type File = ReturnType<typeof contents>[number];

const at = (turn: number, part = 0) =>
  new Date(Date.UTC(2026, 8, 1) + turn * 60_000 + part * 5000).toISOString();

const input = (turn: number): number => 100 + turn;
const uuid = (id: number, version = 4) =>
  `00000000-0000-${version}000-8000-${String(id).padStart(12, '0')}`;

const FORMATS: Readonly<Record<string, (file: File) => string>> = {
  'claude-code': ({ id, copied, own }) =>
    jsonLines(
      [...copied, ...own].flatMap((turn, place, all) => {
        const envelope = { sessionId: uuid(id), cwd: '/home/dev', version: '2.1.240' };
        const before = all[place - 1];
        return [
          {
            ...envelope,
            type: 'user',
            uuid: `u${turn}`,
            parentUuid: before === undefined ? null : `a${before}`,
            timestamp: at(turn),
            message: { role: 'user', content: `${turn}?` },
          },
          {
            ...envelope,
            type: 'assistant',
            uuid: `a${turn}`,
            parentUuid: `u${turn}`,
            timestamp: at(turn, 1),
            message: {
              id: `msg_${turn}`,
              role: 'assistant',
              model: 'm',
              content: [{ type: 'text', text: `${turn}.` }],
              stop_reason: 'end_turn',
              usage: { input_tokens: input(turn), output_tokens: 1 },
            },
          },
        ];
      }),
    ),
  codex: ({ id, parent, copied, own }) => {
    let total = 0;
    const turnOf = (turn: number, timeOf: (part: number) => string): unknown[] => {
      total += input(turn);
      const item = (role: string, type: string, text: string, part: number) => ({
        timestamp: timeOf(part),
        type: 'response_item',
        payload: {
          type: 'message',
          role,
          content: [{ type, text }],
          ...(part > 0 ? { id: `msg_${turn}` } : {}),
        },
      });
      const usage = (tokens: number) => ({
        input_tokens: tokens,
        cached_input_tokens: 0,
        output_tokens: 1,
      });
      const info = { total_token_usage: usage(total), last_token_usage: usage(input(turn)) };
      return [
        item('user', 'input_text', `${turn}?`, 0),
        item('assistant', 'output_text', `${turn}.`, 1),
        { timestamp: timeOf(1), type: 'event_msg', payload: { type: 'token_count', info } },
      ];
    };
    const begun = at(Math.max(0, ...copied) + 1, 6);
    const meta = (of: number, more = {}) => ({
      timestamp: begun,
      type: 'session_meta',
      payload: { id: uuid(of), cwd: '/home/dev', ...more },
    });
    const head =
      parent < 0 ? [meta(id)] : [meta(id, { forked_from_id: uuid(parent) }), meta(parent)];
    return jsonLines([
      ...head,
      ...copied.flatMap((turn) => turnOf(turn, () => begun)),
      ...own.flatMap((turn) => turnOf(turn, (part) => at(1000 + turn, part))),
    ]);
  },
  'qwen-code': ({ id, parent, copied, own }) =>
    jsonLines(
      [...copied, ...own].flatMap((turn, place, all) => {
        const record = (type: string, part: number, fields: object) => ({
          uuid: `${type}${turn}`,
          parentUuid: part > 0 ? `user${turn}` : place === 0 ? null : `assistant${all[place - 1]}`,
          sessionId: uuid(id),
          timestamp: at(turn, part),
          type,
          ...fields,
          ...(place < copied.length
            ? { forkedFrom: { sessionId: uuid(parent), messageUuid: `${type}${turn}` } }
            : {}),
        });
        const said = (role: string, text: string) => ({ message: { role, parts: [{ text }] } });
        const usageMetadata = {
          promptTokenCount: input(turn),
          candidatesTokenCount: 1,
          totalTokenCount: input(turn) + 1,
        };
        return [
          record('user', 0, said('user', `${turn}?`)),
          record('assistant', 1, { ...said('model', `${turn}.`), model: 'm', usageMetadata }),
        ];
      }),
    ),
  pi: ({ id, copied, own }) =>
    jsonLines([
      { type: 'session', version: 3, id: uuid(id), cwd: '/home/dev', timestamp: at(0) },
      ...[...copied, ...own].flatMap((turn, place, all) => [
        {
          type: 'message',
          id: `u${turn}`,
          parentId: place === 0 ? null : `a${all[place - 1]}`,
          timestamp: at(turn),
          message: { role: 'user', content: [{ type: 'text', text: `${turn}?` }] },
        },
        {
          type: 'message',
          id: `a${turn}`,
          parentId: `u${turn}`,
          timestamp: at(turn, 1),
          message: {
            role: 'assistant',
            model: 'm',
            timestamp: Date.parse(at(turn, 1)),
            stopReason: 'stop',
            content: [{ type: 'text', text: `${turn}.` }],
            usage: { input: input(turn), output: 1, cacheRead: 0, cacheWrite: 0 },
          },
        },
      ]),
    ]),
};

const shuffled = <Item>(items: readonly Item[], order: readonly number[]): Item[] =>
  items
    .map((item, place) => ({ item, key: order[place] ?? 0, place }))
    .sort((a, b) => a.key - b.key || b.place - a.place)
    .map(({ item }) => item);

function sums(sessions: readonly ImportedSession[]) {
  const unique = [...uniqueResponses(sessions)];
  return {
    replies: unique.length,
    input: unique.reduce((sum, { response }) => sum + (response.usage?.input_tokens ?? 0), 0),
  };
}

describe.each(Object.keys(FORMATS))('%s: a session and its copies, resumes and forks', (format) => {
  const write = FORMATS[format] as (file: File) => string;

  test(`count as one, in any order of the files (seed ${SEED}, ${RUNS} runs)`, async () => {
    await fc.assert(
      fc.asyncProperty(family, async (drawn) => {
        const files = contents(drawn);
        const turns = [...new Set(files.flatMap(({ copied, own }) => [...copied, ...own]))];
        const truth = {
          replies: turns.length,
          input: turns.reduce((sum, turn) => sum + input(turn), 0),
        };
        const sessions: ImportedSession[] = [];
        for (const file of [...files, ...files.slice(0, 1)]) {
          const name = `${format}-${sessions.length}.jsonl`;
          sessions.push(await importText(write(file), { name }));
        }
        expect(sessions.map((session) => session.format)).toEqual(sessions.map(() => format));
        expect(sums(sessions)).toEqual(truth);
        expect(sums(shuffled(sessions, drawn.order))).toEqual(truth);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  test(`are the same, whatever the names and places of the files (seed ${SEED}, 12 runs)`, async () => {
    await fc.assert(
      fc.asyncProperty(family, async (drawn) => {
        const files = contents(drawn);
        const all: ReturnType<typeof sums>[] = [];
        for (const [round, order] of [drawn.order, drawn.order.toReversed()].entries()) {
          const folder = temporaryFolder();
          const places = shuffled(files, order);
          for (const [place, file] of places.entries()) {
            const path = join(folder, `${round === 0 ? 'a' : 'z'}${place % 3}`, `${place}.jsonl`);
            mkdirSync(dirname(path), { recursive: true });
            writeFileSync(path, write(file));
          }
          const found = await findSessions([folder]);
          expect(found).toHaveLength(files.length);
          all.push(sums(await Promise.all(found.map((path) => importFile(path)))));
        }
        expect(all[0]).toEqual(all[1]);
      }),
      { seed: SEED, numRuns: 12 },
    );
  });
});
