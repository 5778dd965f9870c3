import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serializeEntry } from '@varve/messages';
import { importSession } from '@varve/transcript/import';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runEval } from '../src/index.ts';
import { type Counted, countOnce } from '../src/session/count-once.ts';
import { importNamed } from '../src/session/import-threads.ts';
import { sessionFacts } from '../src/session/session-facts.ts';
import { temporaryFolder } from './files.ts';

/** A file: whose, and the turns it holds by number; a number is said once in the world. */
interface Written {
  readonly id: string;
  readonly turns: readonly number[];
}

const ask = (turn: number): string => `Please look at part ${turn} of the boat. `.repeat(40);
const say = (turn: number): string => `Part ${turn} is sound.`;
const at = (turn: number, part = 0): string =>
  new Date(Date.UTC(2026, 5, 1, 9) + turn * 60_000 + part * 5_000).toISOString();
const prompt = (turn: number): number => 9_000 + turn * 10;
const ms = (turn: number, part = 0): number => Date.parse(at(turn, part));
const text = (type: string, turn: number, said: (turn: number) => string) => [
  { type, text: said(turn) },
];
const uuid = (id: string): string => `00000000-0000-4000-8000-${id.padStart(12, '0')}`;
const lines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
const json = (value: unknown): string => JSON.stringify(value);
const MODEL = 'claude-sonnet-4-6';

/** A session of each format, with a bill for each reply where the format has one. */
const FORMATS: Readonly<Record<string, (file: Written) => string | Promise<string>>> = {
  'claude-code': ({ id, turns }) =>
    lines(
      turns.flatMap((turn, place) => {
        const facts = { sessionId: uuid(id), cwd: '/home/kim', version: '2.1.240' };
        const parent = place === 0 ? null : `a${turns[place - 1]}`;
        const usage = { input_tokens: prompt(turn), output_tokens: 1 };
        return [
          {
            ...{
              ...facts,
              type: 'user',
              uuid: `u${turn}`,
              parentUuid: parent,
              timestamp: at(turn),
            },
            message: { role: 'user', content: ask(turn) },
          },
          {
            ...{ ...facts, type: 'assistant', uuid: `a${turn}`, parentUuid: `u${turn}` },
            timestamp: at(turn, 1),
            message: {
              ...{ id: `msg_${turn}`, role: 'assistant', model: MODEL, stop_reason: 'end_turn' },
              ...{ content: text('text', turn, say), usage },
            },
          },
        ];
      }),
    ),
  codex: ({ id, turns }) => {
    let total = 0;
    const line = (turn: number, part: number, type: string, payload: object) => ({
      ...{ timestamp: at(turn, part), type, payload },
    });
    const usage = (input_tokens: number) => ({
      ...{ input_tokens, cached_input_tokens: 0, output_tokens: 1 },
    });
    return lines([
      line(turns[0] ?? 0, 0, 'session_meta', { id: uuid(id), cwd: '/home/kim' }),
      ...turns.flatMap((turn) => {
        total += prompt(turn);
        const info = { total_token_usage: usage(total), last_token_usage: usage(prompt(turn)) };
        const reply = { type: 'message', role: 'assistant', id: `msg_${turn}` };
        const asked = { type: 'message', role: 'user', content: text('input_text', turn, ask) };
        return [
          line(turn, 0, 'turn_context', { turn_id: `t${turn}`, model: 'gpt-5.5' }),
          line(turn, 0, 'response_item', asked),
          line(turn, 1, 'response_item', { ...reply, content: text('output_text', turn, say) }),
          line(turn, 1, 'event_msg', { type: 'token_count', info }),
        ];
      }),
    ]);
  },
  'copilot-cli': ({ id, turns }) =>
    lines([
      { type: 'session.start', data: { sessionId: uuid(id) }, id: 's', timestamp: at(0) },
      ...turns.flatMap((turn) => [
        ...[
          {
            type: 'user.message',
            data: { content: ask(turn) },
            id: `u${turn}`,
            timestamp: at(turn),
          },
        ],
        {
          ...{ type: 'assistant.message', id: `a${turn}`, timestamp: at(turn, 1) },
          data: { messageId: `m${turn}`, model: MODEL, content: say(turn), outputTokens: 1 },
        },
      ]),
    ]),
  opencode: ({ id, turns }) =>
    json({
      info: { id: `ses_${id}`, version: '1.4.3' },
      messages: turns.flatMap((turn) => [
        {
          info: { id: `u${turn}`, role: 'user', time: { created: ms(turn) } },
          parts: text('text', turn, ask),
        },
        {
          info: {
            ...{ id: `a${turn}`, role: 'assistant', modelID: MODEL, finish: 'stop' },
            ...{ time: { created: ms(turn, 1) } },
            tokens: { input: prompt(turn), output: 1, reasoning: 0, cache: { read: 0, write: 0 } },
          },
          parts: text('text', turn, say),
        },
      ]),
    }),
  pi: ({ id, turns }) =>
    lines([
      { type: 'session', version: 3, id: uuid(id), cwd: '/home/kim', timestamp: at(0) },
      ...turns.flatMap((turn, place) => [
        {
          ...{ type: 'message', id: `u${turn}`, timestamp: at(turn) },
          parentId: place === 0 ? null : `a${turns[place - 1]}`,
          message: { role: 'user', content: text('text', turn, ask) },
        },
        {
          ...{ type: 'message', id: `a${turn}`, parentId: `u${turn}`, timestamp: at(turn, 1) },
          message: {
            ...{ role: 'assistant', model: MODEL, stopReason: 'stop', timestamp: ms(turn, 1) },
            content: text('text', turn, say),
            usage: { input: prompt(turn), output: 1, cacheRead: 0, cacheWrite: 0 },
          },
        },
      ]),
    ]),
  'gemini-cli': ({ id, turns }) =>
    json({
      ...{ sessionId: uuid(id), projectHash: 'p', startTime: at(0), kind: 'main' },
      messages: turns.flatMap((turn) => [
        { id: `u${turn}`, timestamp: at(turn), type: 'user', content: [{ text: ask(turn) }] },
        {
          ...{ id: `a${turn}`, timestamp: at(turn, 1), type: 'gemini', content: say(turn) },
          model: 'gemini-3-flash-preview',
          tokens: { input: prompt(turn), output: 1, cached: 0, thoughts: 0, tool: 0 },
        },
      ]),
    }),
  'qwen-code': ({ id, turns }) =>
    lines(
      turns.flatMap((turn, place) => {
        const facts = { sessionId: uuid(id), cwd: '/home/kim', version: '0.9.1' };
        const parent = place === 0 ? null : `a${turns[place - 1]}`;
        const said = (role: string, words: string) => ({ role, parts: [{ text: words }] });
        return [
          {
            ...{
              ...facts,
              uuid: `u${turn}`,
              parentUuid: parent,
              type: 'user',
              timestamp: at(turn),
            },
            message: said('user', ask(turn)),
          },
          {
            ...{ ...facts, uuid: `a${turn}`, parentUuid: `u${turn}`, type: 'assistant' },
            ...{ timestamp: at(turn, 1), message: said('model', say(turn)), model: 'qwen3-coder' },
            usageMetadata: { promptTokenCount: prompt(turn), candidatesTokenCount: 1 },
          },
        ];
      }),
    ),
  goose: ({ id, turns }) =>
    lines([
      { working_dir: '/home/kim', description: id, message_count: 2 * turns.length },
      ...turns.flatMap((turn) => [
        { role: 'user', created: ms(turn) / 1000, content: text('text', turn, ask) },
        { role: 'assistant', created: ms(turn, 1) / 1000, content: text('text', turn, say) },
      ]),
    ]),
  atif: ({ id, turns }) =>
    json({
      ...{ schema_version: 'ATIF-v1.7', session_id: id, agent: { name: 'a', model_name: MODEL } },
      steps: turns.flatMap((turn, place) => [
        { step_id: 2 * place + 1, timestamp: at(turn), source: 'user', message: ask(turn) },
        {
          ...{
            step_id: 2 * place + 2,
            timestamp: at(turn, 1),
            source: 'agent',
            message: say(turn),
          },
          metrics: { prompt_tokens: prompt(turn), completion_tokens: 1, cached_tokens: 0 },
        },
      ]),
    }),
  'swe-agent': ({ turns }) =>
    json({
      trajectory: [],
      history: [
        { role: 'system', content: 'Mend the boat.', agent: 'main' },
        ...turns.flatMap((turn) => [
          { role: 'user', content: ask(turn), agent: 'main' },
          { role: 'assistant', content: say(turn), action: '', agent: 'main' },
        ]),
      ],
      info: {},
    }),
  'openhands-output': ({ turns }) =>
    lines([
      {
        instance_id: `boat-${turns[0]}`,
        history: turns.flatMap((turn, place) => [
          {
            ...{ id: 2 * place, timestamp: at(turn), source: 'user', action: 'message' },
            ...{ message: ask(turn), args: { content: ask(turn) } },
          },
          {
            ...{ id: 2 * place + 1, timestamp: at(turn, 1), source: 'agent', action: 'message' },
            ...{ message: say(turn), args: { content: say(turn) } },
          },
        ]),
      },
    ]),
  'anthropic-messages': ({ turns }) =>
    json({
      ...{ model: MODEL, system: 'Mend.' },
      messages: turns.flatMap((turn) => [
        { role: 'user', content: text('text', turn, ask) },
        { role: 'assistant', content: text('text', turn, say) },
      ]),
    }),
  'openai-chat': ({ turns }) =>
    json({
      ...{ model: 'gpt-5.5', tools: [] },
      messages: [
        { role: 'system', content: 'Mend.' },
        ...turns.flatMap((turn) => [
          { role: 'user', content: ask(turn) },
          { role: 'assistant', content: say(turn), tool_calls: [] },
        ]),
      ],
    }),
  'openai-responses': ({ turns }) =>
    json({
      ...{ model: 'gpt-5.5', instructions: 'Mend.' },
      input: turns.flatMap((turn) => [
        { type: 'message', role: 'user', content: text('input_text', turn, ask) },
        { type: 'message', role: 'assistant', content: text('output_text', turn, say) },
      ]),
    }),
  varve: async ({ turns }) => {
    const messages = turns.flatMap((turn) => [
      { role: 'user', content: ask(turn) },
      {
        ...{ role: 'assistant', id: `msg_${turn}`, model: MODEL, content: text('text', turn, say) },
        ...{ stop_reason: 'end_turn', usage: { input_tokens: prompt(turn), output_tokens: 1 } },
      },
    ]);
    const bytes = new TextEncoder().encode(json(messages));
    const { threads } = await importSession([bytes], { name: 'boat' });
    const entries = threads[0]?.entries ?? [];
    return entries.map((entry) => `${serializeEntry(entry)}\n`).join('');
  },
};

const SEED = 15;
const RUNS = 15;

async function write(format: string, name: string, file: Written): Promise<string> {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, (await FORMATS[format]?.(file)) ?? '');
  return path;
}

async function factsOf(format: string, paths: readonly string[]): Promise<Counted> {
  const all = paths.map(async (path, place) => {
    const name = `${place}.json`;
    const session = await importNamed({ path, name, place: name, named: false });
    expect(session.format).toBe(format);
    return sessionFacts(session, name);
  });
  return countOnce(await Promise.all(all));
}

const numbers = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, place) => from + place);

describe.each(Object.keys(FORMATS))('%s: law 3', (format) => {
  test(`copies with lines that are damaged add no reply and no bill (seed ${SEED}, ${RUNS} sessions)`, async () => {
    const copy = fc.record({
      turns: fc.integer({ min: 5, max: 9 }),
      damaged: fc.array(fc.array(fc.nat(99), { minLength: 1, maxLength: 3 }), {
        minLength: 1,
        maxLength: 3,
      }),
    });
    await fc.assert(
      fc.asyncProperty(copy, async ({ turns, damaged }) => {
        const file = { id: '1', turns: numbers(1, turns) };
        const path = await write(format, '0.json', file);
        const whole = readFileSync(path, 'utf8').trimEnd().split('\n');
        // of one that is a line as a whole nothing is left
        if (whole.length < 3) return;
        const copies = damaged.map((places, at) => {
          const cut = new Set(places.map((place) => 1 + (place % (whole.length - 1))));
          const left = whole.map((line, place) =>
            cut.has(place) ? line.slice(0, line.length / 2) : line,
          );
          const copied = join(temporaryFolder(), `${at + 1}.json`);
          writeFileSync(copied, left.join('\n'));
          return copied;
        });
        const alone = await factsOf(format, [path]);
        const { bills, leftOut } = await factsOf(format, [...copies, path]);
        expect({ ...bills, sharedRequests: 0 }).toEqual({ ...alone.bills, sharedRequests: 0 });
        expect(copies.length + 1 - leftOut.filter((each) => !each.counted).length).toBe(1);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  test(`a session, its copies, resumes and forks count as one, in any order (seed ${SEED}, ${RUNS} families)`, async () => {
    const family = fc.record({
      turns: fc.integer({ min: 4, max: 8 }),
      forks: fc.array(
        fc.record({ keeps: fc.integer({ min: 3, max: 8 }), own: fc.integer({ min: 0, max: 3 }) }),
        { minLength: 1, maxLength: 3 },
      ),
      order: fc.integer({ min: 0, max: 99 }),
    });
    let files = 0;
    await fc.assert(
      fc.asyncProperty(family, async ({ turns, forks, order }) => {
        const all = numbers(1, turns);
        let next = turns + 1;
        const written: Written[] = [
          { id: '1', turns: all },
          { id: '1', turns: all },
        ];
        for (const [place, { keeps, own }] of forks.entries()) {
          written.push({
            id: `${place + 2}`,
            turns: [...all.slice(0, keeps), ...numbers(next, own)],
          });
          next += own;
        }
        const paths = await Promise.all(
          written.map((file, place) => write(format, `${place}.json`, file)),
        );
        files += paths.length;
        const turned = paths.map((_, place) => paths[(place + order) % paths.length] ?? '');
        const [there, back] = [await factsOf(format, paths), await factsOf(format, turned)];
        expect(there.bills.requests).toBe(next - 1);
        expect(back.bills).toEqual(there.bills);
        if (there.bills.billedRequests > 0) {
          const said = new Set(written.flatMap((file) => file.turns));
          const sum = [...said].reduce((tokens, turn) => tokens + prompt(turn), 0);
          expect(there.bills.promptTokens).toBe(sum);
        }
        const counted = paths.length - there.leftOut.filter((each) => !each.counted).length;
        expect(counted).toBe(1);
      }),
      { seed: SEED, numRuns: RUNS },
    );
    expect(files).toBeGreaterThanOrEqual(3 * RUNS);
  });

  test('twenty files of one turn, and the order of all, change no mean', async () => {
    const folder = temporaryFolder();
    const put = async (name: string, file: Written): Promise<string> => {
      const path = join(folder, name);
      writeFileSync(path, (await FORMATS[format]?.(file)) ?? '');
      return path;
    };
    const run = (sessions: readonly string[]) =>
      runEval({ sessions, strategies: ['sliding-clear'] });
    const two = [
      await put('one.json', { id: '1', turns: numbers(1, 6) }),
      await put('two.json', { id: '2', turns: numbers(101, 6) }),
    ];
    const short = await Promise.all(
      numbers(1, 20).map((at) => put(`s${at}.json`, { id: `${at + 50}`, turns: [1000 + at] })),
    );
    const [before, after] = [await run(two), await run([...short, ...two.toReversed()])];
    expect(before.totals.length).toBeGreaterThan(0);
    expect(after.totals).toEqual(before.totals);
    expect(after.verdict).toEqual(before.verdict);
    expect(after.bills.requests).toBe(before.bills.requests + 20);
  });
});
