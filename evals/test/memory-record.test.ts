import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isToolUse } from '@varve/messages';
import { send } from '@varve/models';
import { describe, expect, test } from 'vitest';
import { type Chain, itemsOf } from '../src/memory/chain.ts';
import { loadChain } from '../src/memory/load-chains.ts';
import { nextRequests, recordStep } from '../src/memory/record-step.ts';
import { type Recording, readRecordings } from '../src/memory/recordings.ts';
import type { Writer } from '../src/memory/run-chain.ts';
import type { Dreamer } from '../src/memory/run-dream.ts';
import { shippedDreamer } from '../src/memory/shipped-dreamer.ts';
import { shippedWriter } from '../src/memory/shipped-writer.ts';
import { temporaryFolder } from './files.ts';

const root = join(import.meta.dirname, '..', '..');
const chain = await loadChain(join(import.meta.dirname, 'chains', 'tide-gauge.json'), root);

const SAVE = { name: 'save', description: 'Saves.', input_schema: { type: 'object' } };
const requestOf = (prompt: string, text: string) => ({
  head: {
    ...{ id: 'head', model: 'any', params: {}, tools: [SAVE] },
    system: [{ type: 'text', text: prompt }] as const,
  },
  messages: [{ id: '1', role: 'user', content: [{ type: 'text', text }] }] as const,
  markers: [],
  maxOutputTokens: 100,
});

/** Asks once a session about what was said in it, and saves what is answered. */
const writer = (prompt = 'Save what lasts.'): Writer => ({
  promptVersion: '',
  async write({ memory, client, messages }) {
    const said = JSON.stringify(messages.map(({ content }) => content));
    const response = await send(client, requestOf(prompt, said)).catch(() => undefined);
    const calls = (response?.content ?? []).filter(isToolUse);
    for (const { input } of calls) {
      const { name, body } = input as { name: string; body: string };
      await memory.save({ name, body, description: `About ${name}`, type: 'project' });
    }
    return { writes: calls.length, held: 0, refused: {} };
  },
});

/** Asks once about the files of the folder. */
const dreamer: Dreamer = {
  promptVersion: '',
  open: ({ memory, client }) => {
    let isDone = false;
    return {
      async dream() {
        if (isDone) return undefined;
        isDone = true;
        const { files } = await memory.folder.list('');
        const texts = await Promise.all(files.map(({ path }) => memory.folder.read(path)));
        const all = texts.map((each) => each?.text).join('\n');
        return (await send(client, requestOf('Dream.', all)).catch(() => undefined)) === undefined
          ? 'failed'
          : undefined;
      },
      async undo() {},
    };
  },
};

const folders = () => ({ requests: temporaryFolder(), recordings: temporaryFolder() });
type Folders = ReturnType<typeof folders>;

async function step(at: Folders, { by = writer(), of = chain, take = 1 } = {}) {
  const known = await readRecordings(at.recordings);
  const recording: Recording = known.find((each) => each.take === take) ?? {
    ...{ chain: of.name, take },
    exchanges: new Map(),
  };
  return recordStep({
    ...{ ...at, chain: of, recording, today: '2026-03-12' },
    asking: { writer: by, dreamer },
  });
}

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

const NONE = { model: 'any', text: 'none', calls: [] };

/** Fills an answer in. */
function answer(folder: string, name: string, given: object = NONE): void {
  const file = { ...JSON.parse(read(folder, name)), ...given };
  writeFileSync(join(folder, name), JSON.stringify(file));
}

/** Everything that is asked along a take, in order. */
async function all(at: Folders, by = writer()): Promise<readonly string[]> {
  const asked: string[] = [];
  for (;;) {
    const { open } = await step(at, { by });
    if (open.length === 0) return asked;
    for (const { request, answer: name } of open) {
      asked.push(`${request}\n${read(at.requests, request)}`);
      const session = asked.length;
      const calls =
        session === 3
          ? [
              {
                tool: 'save',
                input: { name: 'Archive server', body: 'The archive server listens on port 7070.' },
              },
            ]
          : [];
      answer(at.requests, name, { ...NONE, calls });
    }
  }
}

describe('V6 recordStep', () => {
  test('asks one request of a take at a time, and names the file of its answer in it', async () => {
    const at = folders();
    const { open } = await step(at);
    expect(open).toEqual([
      { request: 'tide-gauge.1.1.request.md', answer: 'tide-gauge.1.1.answer.json' },
    ]);
    expect(readdirSync(at.requests).sort()).toEqual([
      'tide-gauge.1.1.answer.json',
      'tide-gauge.1.1.request.md',
    ]);
    const text = read(at.requests, 'tide-gauge.1.1.request.md');
    expect(text).toContain('tide-gauge.1.1.answer.json');
    expect(text).toContain('Save what lasts.');
    expect(text).toContain('I write Python for a living');
    expect(Object.keys(JSON.parse(read(at.requests, 'tide-gauge.1.1.answer.json')))).toEqual([
      'request',
      'model',
      'date',
      'text',
      'calls',
    ]);
  });

  test('an answer is taken, the next request stands under the same name, the model is filled in', async () => {
    const at = folders();
    await step(at);
    const before = read(at.requests, 'tide-gauge.1.1.request.md');
    answer(at.requests, 'tide-gauge.1.1.answer.json');
    expect(await step(at)).toMatchObject({ taken: 1, used: 1, refused: [] });
    expect(read(at.requests, 'tide-gauge.1.1.request.md')).not.toBe(before);
    expect(JSON.parse(read(at.requests, 'tide-gauge.1.1.answer.json'))).toMatchObject({
      ...{ model: 'any', date: '2026-03-12', text: null, calls: null },
    });
    expect(await step(at)).toMatchObject({ taken: 0, used: 1 });
  });

  test('sessions come first, then the dream over what was written, the turns, and the polluted memory last', async () => {
    const asked = await all(folders());
    const kinds = asked.map((text) => {
      if (text.includes('Save what lasts.')) return 'session';
      if (text.includes('Dream.')) return text.includes('port 7171') ? 'polluted' : 'written';
      return text.includes('<system-reminder>') ? 'turn' : 'turn without memory';
    });
    expect(kinds.slice(0, chain.sessions.length)).toEqual(chain.sessions.map(() => 'session'));
    expect([...new Set(kinds.slice(chain.sessions.length))]).toEqual([
      ...['written', 'turn without memory', 'turn', 'polluted'],
    ]);
    expect(kinds.filter((kind) => kind === 'polluted')).toHaveLength(1);
  });

  test('no name and no text says where along the chain it stands, or what is measured', async () => {
    const ids = [...chain.items, ...chain.turns]
      .map(({ id }) => id)
      .filter((id) => id.includes('-'));
    for (const text of await all(folders())) {
      const [name = ''] = text.split('\n');
      expect(name).toMatch(/^tide-gauge\.1\.\d\.request\.md$/);
      expect(text).not.toMatch(/polluted|without-memory|held.?back/i);
      expect(ids.filter((id) => text.includes(id))).toEqual([]);
    }
  });

  test('what a request shows of a session is what was said up to it', async () => {
    const asked = await all(folders());
    const textsOf = (session: number) =>
      chain.sessions[session]?.messages.map(({ text }) => text) ?? [];
    const sessions = chain.sessions.map((_, session) => session);
    const saidFirst = sessions.map((session) =>
      textsOf(session).filter(
        (text) => !sessions.slice(0, session).flatMap(textsOf).includes(text),
      ),
    );
    for (const at of sessions)
      expect(
        saidFirst
          .slice(at + 1)
          .flat()
          .filter((text) => asked[at]?.includes(text)),
      ).toEqual([]);
  });

  test.each<[string, object | string, string]>([
    ['no JSON', '{ "request": ', 'it is no JSON'],
    ['no model', { ...NONE, model: '' }, '"model": name the model that answers'],
    ['no day', { ...NONE, date: 'today' }, '"date": a day as YYYY-MM-DD'],
    ['a call without its input', { ...NONE, calls: [{ tool: 'save' }] }, '"calls.0.input"'],
    ['a call by another word', { ...NONE, calls: [{ name: 'save', input: {} }] }, '"calls.0.tool"'],
    ['a field that nobody knows', { ...NONE, call: [] }, 'call'],
    [
      'a tool that is not offered',
      { ...NONE, calls: [{ tool: 'rm', input: {} }] },
      'no tool "rm"; the request offers save',
    ],
    ['nothing', { ...NONE, text: '' }, 'it says nothing'],
    ['an answer to another request', { ...NONE, request: 'abc' }, '"request" is abc'],
  ])('%s is refused in a sentence, left as it is, and asked again', async (_name, given, why) => {
    const at = folders();
    const { open } = await step(at);
    const name = 'tide-gauge.1.1.answer.json';
    if (typeof given === 'string') writeFileSync(join(at.requests, name), given);
    else answer(at.requests, name, given);
    const written = read(at.requests, name);
    const refused = await step(at);
    expect(refused).toMatchObject({ taken: 0, used: 0, open });
    expect(refused.refused).toHaveLength(1);
    expect(refused.refused[0]).toContain(`${name} is not taken: `);
    expect(refused.refused[0]).toContain(why);
    expect(read(at.requests, name)).toBe(written);
    expect(await readRecordings(at.recordings)).toEqual([]);
    rmSync(join(at.requests, name));
    await step(at);
    answer(at.requests, name);
    expect(await step(at)).toMatchObject({ taken: 1, refused: [] });
  });

  test('a stale recording is continued from the first request that changed', async () => {
    const at = folders();
    await all(at);
    const [before] = await readRecordings(at.recordings);
    const changed: Chain = {
      ...chain,
      sessions: chain.sessions.map((session) =>
        session.id === 5
          ? { ...session, messages: [...session.messages, { origin: 'user', text: 'One more.' }] }
          : session,
      ),
    };
    const again = await step(at, { of: changed });
    expect(again).toMatchObject({
      used: 4,
      stale: 1,
      open: [{ request: 'tide-gauge.1.1.request.md' }],
    });
    expect(read(at.requests, 'tide-gauge.1.1.request.md')).toContain('One more.');
    answer(at.requests, 'tide-gauge.1.1.answer.json');
    // what comes behind it was asked the same way: its answers still fit
    const { used, open } = await step(at, { of: changed });
    expect([used, open]).toEqual([before?.exchanges.size, []]);
  });

  test('answers to what is asked no more are dropped at the end', async () => {
    const at = folders();
    await all(at);
    const path = join(at.recordings, 'tide-gauge.1.json');
    const file = JSON.parse(readFileSync(path, 'utf8'));
    const [first] = Object.values(file.exchanges);
    file.exchanges['03.extract.7'] = first;
    writeFileSync(path, JSON.stringify(file));
    await step(at);
    const [recording] = await readRecordings(at.recordings);
    expect([...(recording?.exchanges.keys() ?? [])]).not.toContain('03.extract.7');
  });

  test('takes are recorded beside each other', async () => {
    const at = folders();
    await step(at);
    await step(at, { take: 2 });
    expect(readdirSync(at.requests)).toHaveLength(4);
    answer(at.requests, 'tide-gauge.2.1.answer.json');
    expect(await step(at)).toMatchObject({ taken: 0 });
    expect(await step(at, { take: 2 })).toMatchObject({ taken: 1 });
  });
});

describe('V6 what ships', () => {
  test('calls have names that do not tell what is measured', async () => {
    const recording: Recording = { chain: chain.name, take: 1, exchanges: new Map() };
    const asking = { writer: shippedWriter, dreamer: shippedDreamer };
    const exchanges = new Map(recording.exchanges);
    let text = '';
    let isPolluted = false;
    for (let steps = 0; steps < 60; steps++) {
      const { wanted } = await nextRequests(chain, { ...recording, exchanges }, asking);
      if (wanted.length === 0) break;
      for (const { place, name: request, prompt, request: asked } of wanted) {
        text = JSON.stringify([asked.head, asked.messages.map(({ content }) => content)]);
        isPolluted ||= place.includes('polluted');
        expect(text).not.toMatch(/polluted|without-memory|_extract_/);
        const [tool] = asked.head.tools;
        const isFirst = place.endsWith('.1') && tool !== undefined;
        const calls = isFirst ? [{ tool: tool?.name ?? '', input: {} }] : [];
        const answer = { text: 'none', calls };
        exchanges.set(place, { prompt, request, model: 'any', date: '2026-03-12', answer });
      }
    }
    expect(isPolluted).toBe(true);
    expect(itemsOf(chain.items, 'secret').some(({ value }) => text.includes(value.join('')))).toBe(
      false,
    );
  });
});
