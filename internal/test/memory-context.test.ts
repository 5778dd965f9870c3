import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContextEvent, createContext } from '@varve/context';
import type { ReplyLike } from '@varve/emulator';
import { createMemdir } from '@varve/memdir';
import { diskFolder } from '@varve/memdir/node';
import { type Entry, isToolResult, type Message } from '@varve/messages';
import { isPerson } from '@varve/messages/persons';
import { send } from '@varve/models';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../src/share.ts';
import { FIXTURES, type Fixture, passesOf } from './compact-fixtures.ts';
import { clientOf, start } from './fork-support.ts';
import { filesOf, NOW, rule, save, temporaryFolder } from './memory-support.ts';

type ContextMemory = NonNullable<Parameters<typeof createContext>[0]['memory']>;

const MODEL = 'claude-opus-5-5';

interface Body {
  readonly model: string;
  readonly system: readonly { readonly text: string }[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
}

interface Block {
  readonly type: string;
  readonly text?: string;
}

/** A context over the real SDK, with memory on disk or without. Extraction is asked by another model, so its requests stand apart. */
async function begin(
  replies: (at: number) => ReplyLike,
  option?: Partial<ContextMemory> & { readonly files?: Readonly<Record<string, string>> },
  more: {
    readonly path?: string;
    readonly entries?: readonly Entry[];
    readonly system?: string;
  } = {},
) {
  const { path = temporaryFolder(), entries, system = 'You check files.' } = more;
  const extracted: ReplyLike[] = [];
  let at = 0;
  const emulator = await start({
    replies: ({ body }) => (body.model === MODEL ? replies(at++) : (extracted.shift() ?? 'None.')),
    keepRequests: 1_000,
  });
  const client = clientOf('anthropic', emulator);
  const memory = createMemdir({ folder: diskFolder(path), now: () => NOW });
  const { files = {}, ...rest } = option ?? {};
  for (const [name, text] of Object.entries(files))
    await memory.folder.replace(name, text, { basis: undefined });
  const events: ContextEvent[] = [];
  const context = createContext({
    ...{ model: MODEL, system, now: () => NOW, onEvent: (event) => events.push(event) },
    ...(entries && { entries }),
    ...(option && { memory: { memory, ...rest } }),
    call: (request, options) => send(client, request, options),
  });
  const sent = (): readonly Body[] =>
    emulator.requests.map(({ body }) => JSON.parse(new TextDecoder().decode(body)) as Body);
  return {
    ...{ context, memory, events, client, emulator, path, extracted },
    /** What went to the model of the conversation. */
    requests: () => sent().filter(({ model }) => model === MODEL),
    asides: () => sent().filter(({ model }) => model !== MODEL),
  };
}

const fileText = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: About ${name}\ntype: feedback\nmodified: 2026-03-01T10:00:00Z\n---\n\n${body}\n`;

const FILES = {
  'release_day.md': fileText('Release day', 'Release on Tuesdays, never on Fridays.'),
  'MEMORY.md': '- [Release day](release_day.md) — when releases go out\n',
};

const isReminder = (block: Block): boolean => block.text?.startsWith('<system-reminder>') === true;

/** Without markers, which stand at the end of whatever there is. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, each) => (key === 'cache_control' ? undefined : each)));

test('D3, P6: memory adds a block to the system prompt, one to the first message, and messages; no other byte is another one', async () => {
  const turns = ['Can we release the new version today?', 'Go on.', 'What is the capital of it?'];
  const run = async (option?: Parameters<typeof begin>[1]) => {
    const started = await begin((at) => `Answer ${at}.`, option);
    for (const turn of turns) {
      await started.context.user(turn);
      await started.context.send();
    }
    return started;
  };
  const without = await run();
  const withMemory = await run({ files: FILES });
  const [bare, full] = [without.requests(), withMemory.requests()];
  expect(full).toHaveLength(3);
  for (const [at, body] of full.entries()) {
    const rules = body.system.at(-1)?.text ?? '';
    expect(rules).toMatch(/^# Long-term memory/);
    expect(plain(body.system.slice(0, -1))).toEqual(plain(bare[at]?.system));
    // the index stands in the first message, and what was recalled behind the message that it fits
    const own = body.messages.map(({ role, content }) => ({
      role,
      content: content.filter((block) => !isReminder(block)),
    }));
    expect(plain(own.filter(({ content }) => content.length > 0))).toEqual(
      plain(bare[at]?.messages),
    );
    expect(body.messages[0]?.content[0]?.text).toMatch(
      /Today is 2026-03-04[\s\S]*\(release_day\.md\)/,
    );
    const reminders = body.messages.flatMap(({ content }) => content.filter(isReminder));
    expect(reminders).toHaveLength(2);
    expect(reminders[1]?.text).toContain('Release on Tuesdays, never on Fridays.');
  }
  // what was sent once begins every later request
  for (const [earlier, later] of [
    [full[0], full[1]],
    [full[1], full[2]],
  ] as const) {
    const length = earlier?.messages.length ?? 0;
    expect(plain(later?.messages.slice(0, length))).toEqual(plain(earlier?.messages));
    expect(plain(later?.system)).toEqual(plain(earlier?.system));
  }
  const found = withMemory.events.flatMap((event) =>
    event.layer === 'memory' && event.kind === 'recall' ? [event.found] : [],
  );
  expect(found).toEqual([
    { kind: 'recalled', paths: ['release_day.md'] },
    { kind: 'none', reason: 'nothing-to-search' },
    { kind: 'none', reason: 'nothing-fits' },
  ]);
});

test('D5: what this session wrote is found by its next turns, and the index in the first message stays', async () => {
  const { context, memory, requests } = await begin(() => 'Good.', { files: FILES });
  await context.user('Hello there.');
  await context.send();
  await memory.save({
    ...{ name: 'Mirror', description: 'Where to push', type: 'project' },
    body: 'Push to the mirror of the staging host.',
  });
  await context.user('Where do I push, to which mirror host?');
  await context.send();
  const text = JSON.stringify(requests().at(-1));
  expect(text).toContain('Push to the mirror of the staging host.');
  expect(requests().at(-1)?.messages[0]?.content[0]?.text).not.toContain('Mirror');
});

test('case 78: what is saved between turns changes no byte that was sent before, and is found at once', async () => {
  const { context, memory, requests } = await begin((at) => `Answer ${at}.`, { files: FILES });
  for (const [at, name] of ['Mirror host', 'Kiln door', 'Dam level'].entries()) {
    await context.user(`This is turn ${at}.`);
    await context.send();
    const saved = await memory.save({
      ...{ name, description: `About ${name}`, type: 'project' },
      body: `The ${name} is number ${at}.`,
    });
    expect(saved.kind).toBe('saved');
  }
  await context.user('Which number is the dam level?');
  await context.send();
  const all = requests();
  for (const [earlier, later] of all.slice(1).map((body, at) => [all[at], body] as const)) {
    expect(later.system).toEqual(earlier?.system);
    const length = earlier?.messages.length ?? 0;
    expect(plain(later.messages.slice(0, length))).toEqual(plain(earlier?.messages));
  }
  expect(JSON.stringify(all.at(-1)?.messages.at(-1))).toContain('The Dam level is number 2.');
});

test('case 220: a wish to forget brings the path and the name into its request and no text; gone, it is in none', async () => {
  const path = 'user_phone.md';
  const { context, memory, requests } = await begin(() => 'Done.', {
    files: { [path]: fileText('Phone number', 'It is 555 0199.') },
  });
  for (const turn of [
    'Can you forget my phone number?',
    'Delete what you know of my phone number.',
  ])
    await context.user(turn).then(() => context.send());
  for (const body of requests()) {
    expect(JSON.stringify(body)).toContain(`${path}: Phone number`);
    expect(JSON.stringify(body)).not.toContain('0199');
  }
  expect(await memory.forget(path, { reason: 'asked' })).toMatchObject({ kind: 'forgotten' });
  await context.user('What is my phone number?');
  await context.send();
  expect(JSON.stringify(requests().at(-1))).not.toContain('0199');
  const again = { name: 'Phone', description: 'Of the user', type: 'user' } as const;
  expect(await memory.save({ ...again, body: 'It is 555 0199.' })).toMatchObject({
    reason: 'forgotten',
  });
});

test('D15: the folder is there before the first request, for one that is off it is not made; one that cannot be made is told and fails no call', async () => {
  const path = join(temporaryFolder(), 'deep', 'memory');
  const { context } = await begin(() => 'Good.', { isOn: false }, { path });
  await context.user('Hello there.');
  expect(existsSync(path)).toBe(false);
  const on = await begin(() => 'Good.', {}, { path });
  await on.context.user('Hello there.');
  expect(readdirSync(path)).toEqual([]);
  await on.context.send();
  expect(on.requests()[0]?.system.at(-1)?.text).toContain(`The folder is ${path}\nIt is there`);
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, 'x');
  const without = await begin(() => 'Good.', {}, { path: file });
  await without.context.user('Hello there.');
  expect((await without.context.send()).content).toHaveLength(1);
  expect(without.events).toContainEqual(
    expect.objectContaining({ layer: 'memory', kind: 'failed', reason: 'folder-not-made' }),
  );
});

test('D15: without extraction the agent itself can write, and what it wrote is recalled', async () => {
  const { context, path, requests, asides } = await begin(() => 'Good.', {});
  await context.user('Remember: the kiln door sticks.');
  writeFileSync(join(path, 'kiln.md'), fileText('Kiln door', 'The kiln door sticks.'));
  await context.send();
  await context.user('What about the kiln door?');
  await context.send();
  await context.close();
  expect(requests()[0]?.system.at(-1)?.text).toContain('Saving takes two steps');
  expect(JSON.stringify(requests().at(-1)?.messages.at(-1))).toContain('/kiln.md');
  expect(asides()).toEqual([]);
});

test('case 209, D15: off, the one line stands in the system prompt and nothing else happens', async () => {
  const { context, requests, asides } = await begin(() => 'Good.', {
    ...{ files: FILES, isOn: false },
    extraction: { runFork: () => Promise.reject(new Error('Memory is off.')) },
  });
  await context.user('Can we release the new version today?');
  await context.send();
  await context.close();
  const [body] = requests();
  expect(body?.system).toHaveLength(2);
  expect(body?.system[1]?.text.split('\n')).toHaveLength(1);
  expect(body?.messages).toHaveLength(1);
  expect(asides()).toEqual([]);
});

test('D10: the memory of an agent stands in place of the project’s, its index in its system prompt', async () => {
  const path = temporaryFolder();
  const memory = createMemdir({ folder: diskFolder(path), now: () => NOW });
  await memory.save({
    name: 'Reviews',
    description: 'How to',
    type: 'feedback',
    body: 'Read tests first.',
  });
  const agent = { scope: 'local', index: await memory.loadIndex() } as const;
  const { context, requests } = await begin(() => 'Good.', { agent }, { path });
  await context.user('Hello there.');
  await context.send();
  const [body] = requests();
  expect(body?.system.at(-1)?.text).toMatch(/yours alone[\s\S]*\(feedback_reviews\.md\)/);
  expect(body?.messages[0]?.content).toHaveLength(1);
});

test('D8, case 210: a plain answer at the end of a loop is one extraction, whose notes and bill are in the log', async () => {
  const text = 'Always answer in short sentences.';
  const replies: ReplyLike[] = [
    { content: [{ type: 'tool_use', id: 'c1', name: 'Run', input: { command: 'ls' } }] },
    'Understood.',
    'Good.',
  ];
  const started = await begin((at) => replies[at] ?? 'Good.');
  const { path, client } = started;
  const events: ContextEvent[] = [];
  const memory = createMemdir({ folder: diskFolder(path), now: () => NOW });
  started.extracted.push({
    content: [save({ name: 'Style', type: 'feedback', statements: [rule(text, 1)] })],
  });
  const options = {
    ...{ model: MODEL, system: 'You check files.', now: () => NOW },
    tools: [{ name: 'Run', description: 'Runs.', input_schema: { type: 'object' } }],
    memory: { memory, extraction: { client, model: 'claude-haiku-4-5' } },
    onEvent: (event: ContextEvent) => events.push(event),
    call: (request: Parameters<typeof send>[1], calling: object) => send(client, request, calling),
  };
  const context = createContext(options);
  await context.user(text);
  await context.send();
  expect(started.asides()).toHaveLength(0); // a call is no end
  await context.results([{ toolUseId: 'c1', content: 'a.ts' }]);
  await context.send();
  await context.close();
  expect(Object.keys(filesOf(path))).toEqual(['MEMORY.md', 'feedback_style.md']);
  expect(started.asides()).toHaveLength(2);
  expect(context.usage().callers.map(({ by, calls }) => [by, calls])).toContainEqual(['memory', 2]);
  // a process that goes on has looked through all of it, and has the index in its first message
  const again = createContext({ ...options, entries: context.entries() });
  await again.user('Thanks.');
  await again.send();
  await again.close();
  const last = started.asides().at(-1)?.messages[0]?.content[0]?.text;
  expect(last).toContain('"text":"Thanks."');
  expect(last).not.toContain('"text":"Always answer');
  const bodies = started.requests();
  expect(plain(bodies.at(-1)?.messages[0])).toEqual(plain(bodies[0]?.messages[0]));
  expect(bodies.at(-1)?.messages.flatMap(({ content }) => content.filter(isReminder))).toHaveLength(
    1,
  );
});

test('a folder that cannot be read, and a provider that is gone, fail no call', async () => {
  const { context, events, memory } = await begin(() => 'Good.', {
    ...{
      extraction: {
        model: 'm',
        client: clientOf('anthropic', { url: 'http://127.0.0.1:9' } as never),
      },
    },
  });
  Object.assign(memory, {
    loadIndex: async () => {
      throw new Error('no disk');
    },
  });
  await context.user('Always answer in short sentences.');
  await context.send();
  await context.close();
  expect(
    events.flatMap((event) =>
      event.layer === 'memory' && event.kind === 'failed' ? [event.reason] : [],
    ),
  ).toEqual(['index-not-read']);
  expect(events).toContainEqual(
    expect.objectContaining({
      kind: 'extraction',
      event: expect.objectContaining({ kind: 'failed' }),
    }),
  );
});

test('D3, D5: after a compaction the index is given again, and what was recalled before may be', async () => {
  const path = temporaryFolder();
  const { client, requests } = await begin(() => 'Good. '.repeat(400), { files: FILES }, { path });
  const memory = createMemdir({ folder: diskFolder(path), now: () => NOW });
  const context = createContext({
    ...{ model: MODEL, now: () => NOW, memory: { memory } },
    compaction: { summarize: 'ledger', keepTokens: 100 },
    call: (request, options) => send(client, request, options),
  });
  const turn = async (text: string) => {
    await context.user(text);
    await context.send();
    const blocks =
      requests()
        .at(-1)
        ?.messages.flatMap(({ content }) => content) ?? [];
    const has = (part: string) => blocks.filter(({ text: own }) => own?.includes(part)).length;
    return [has('(release_day.md)'), has('Release on Tuesdays')];
  };
  expect(await turn('Can we release the new version today?')).toEqual([1, 1]);
  expect(await turn('And release the other version today?')).toEqual([1, 1]);
  for (const at of [1, 2, 3, 4]) await turn(`What is the capital of country ${at}?`);
  expect((await context.compact()).kind).toBe('compacted');
  expect(await turn('Can we release the third version today?')).toEqual([1, 1]);
  expect(JSON.stringify(context.view().messages[0])).not.toContain('(release_day.md)');
});

/** Plays a recorded session through a context: its persons, its replies and its results. */
async function replay(fixture: Fixture, all: readonly Message[], withMemory: boolean) {
  // a reply that was cut off and asked for again is answered once
  const messages = all.filter(
    ({ role }, at) => role !== 'assistant' || all[at + 1]?.role !== 'assistant',
  );
  const replies = messages.filter(({ role }) => role === 'assistant');
  const files = Object.fromEntries(
    messages.filter(isPerson).map((message, at) => {
      const words = JSON.stringify(message.content)
        .replace(/[^A-Za-z]+/g, ' ')
        .slice(0, 600);
      return [`note_${at}.md`, fileText(`Note ${at}`, words)];
    }),
  );
  const started = await begin(
    (at) => ({
      content: (replies[at]?.content ?? []).filter(({ type }) => !/thinking/.test(type)),
    }),
    withMemory ? { files } : undefined,
    { system: fixture.head.system.map(({ text }) => text).join('\n') || 'You check files.' },
  );
  const { context } = started;
  for (const message of messages) {
    if (message.role === 'assistant') {
      await context.send();
      continue;
    }
    const results = message.content.filter(isToolResult);
    if (results.length > 0) {
      await context.results(
        results.map(({ tool_use_id: toolUseId, content = '', is_error: isError }) => ({
          ...{ toolUseId, content, isError },
        })),
      );
    } else await context.user(message.content);
  }
  return { ...started, hitRate: started.emulator.report().hitRate ?? 0 };
}

describe('recall in a recorded session', () => {
  test.each(oneIn(6, FIXTURES).map((fixture) => [fixture.name, fixture] as const))(
    '%s: the share read from the cache is at most .2 points below that without memory, and no break is unexpected',
    async (_, fixture) => {
      const messages: Message[] = [];
      for (const message of passesOf(fixture)) {
        if (messages.length >= fixture.messages.length * 2) break;
        messages.push(message);
      }
      const without = await replay(fixture, messages, false);
      const withMemory = await replay(fixture, messages, true);
      const recalls = withMemory.events.filter(
        (event) =>
          event.layer === 'memory' && event.kind === 'recall' && event.found.kind === 'recalled',
      );
      expect(recalls.length).toBeGreaterThan(0);
      const breaks = withMemory.events.filter(({ kind }) => kind === 'unexpected-break');
      expect(breaks).toEqual([]);
      // more is no loss: rules and index are read from the cache as well
      expect((without.hitRate - withMemory.hitRate) * 100).toBeLessThanOrEqual(0.2);
    },
  );
});
