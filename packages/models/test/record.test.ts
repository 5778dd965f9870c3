import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Request } from '@varve/messages';
import { messageHistory } from '@varve/messages/testing';
import { SECRET_KINDS } from '@varve/redact/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ModelClient, ModelError, type ModelEvent, send } from '../src/index.ts';
import { fileRecordStore } from '../src/node/index.ts';
import { memoryRecordStore, recordClient, replayClient } from '../src/record.ts';
import { startLoopback } from './loopback.ts';
import { ANTHROPIC, answering, CONTENT, message, PROVIDERS, request } from './providers.ts';

const MODEL = ANTHROPIC.model;

function live(): ModelClient {
  return ANTHROPIC.connect({ fetch: answering(ANTHROPIC.frames(ANTHROPIC.whole).join('')) });
}

async function eventsOf(client: ModelClient, asked: Request): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of client.stream(asked)) events.push(event);
  return events;
}

const failure = (sent: Promise<unknown>): Promise<ModelError> =>
  sent.then(
    () => expect.unreachable(),
    (error) => error,
  );

describe.each(PROVIDERS)('recordClient and replayClient with $name', (provider) => {
  test('give the same events and the same answer again, without a server', async () => {
    const server = await startLoopback(() => ({ frames: provider.frames(provider.whole) }));
    const store = memoryRecordStore();
    const asked = request(provider.model);
    const recorded = await eventsOf(
      recordClient(provider.connect({ url: server.url }), store),
      asked,
    );
    await server.close();
    const replay = replayClient(store);
    expect(await eventsOf(replay, asked)).toEqual(recorded);
    expect(server.requests).toHaveLength(1);
    await replay.finish();
  });

  test('give the same error again', async () => {
    const body = {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' },
    };
    const server = await startLoopback(() => ({ status: 400, body }));
    const store = memoryRecordStore();
    const asked = request(provider.model);
    const recorded = await failure(
      send(recordClient(provider.connect({ url: server.url }), store), asked),
    );
    await server.close();
    const replayed = await failure(send(replayClient(store), asked));
    expect(ModelError.is(replayed)).toBe(true);
    expect({ ...replayed, message: replayed.message }).toEqual({
      ...recorded,
      message: recorded.message,
    });
    expect(replayed).toMatchObject({ code: 'prompt-too-long', actualTokens: 9, limitTokens: 8 });
  });
});

describe('recordClient', () => {
  test('records nothing of an aborted request', async () => {
    const store = memoryRecordStore();
    const controller = new AbortController();
    const stream = recordClient(live(), store).stream(request(MODEL), {
      signal: controller.signal,
    });
    await expect(
      (async () => {
        for await (const _ of stream) controller.abort();
      })(),
    ).rejects.toMatchObject({ name: 'AbortError' });
    expect(await store.lines()).toEqual([]);
  });

  test('has the answer in the store before it is handed on', async () => {
    const store = memoryRecordStore();
    for await (const { type } of recordClient(live(), store).stream(request(MODEL))) {
      expect(await store.lines()).toHaveLength(type === 'response-end' ? 1 : 0);
    }
  });

  test('hands the failure of a store on', async () => {
    const store = { ...memoryRecordStore(), append: () => Promise.reject(new Error('disk full')) };
    await expect(send(recordClient(live(), store), request(MODEL))).rejects.toThrow('disk full');
  });

  test('case 160: writes no text that is redacted, and still answers the request', async () => {
    const store = memoryRecordStore();
    const redact = (text: string) => text.replaceAll('hunter2', '[secret]');
    const asked = request(MODEL, { messages: [message('user', 'My "password" is hunter2.')] });
    await send(recordClient(live(), store, { redact }), asked);
    expect((await store.lines()).join()).not.toContain('hunter2');
    expect((await store.lines()).join()).toContain('[secret]');
    expect((await send(replayClient(store), asked)).content).toEqual(CONTENT);
  });

  test.each([1, 3, 50])(
    'L325: no kind of secret reaches a recording, neither of the request nor of an answer in pieces of %i',
    async (size) => {
      for (const { name, make } of SECRET_KINDS) {
        const store = memoryRecordStore();
        const [said, command, answered] = [make(1), make(2), make(3)];
        const asked = request(MODEL, {
          messages: [
            message('user', said.text),
            {
              ...message('assistant', ''),
              content: [
                { type: 'tool_use', id: 't', name: 'Bash', input: { command: command.text } },
              ],
            },
            {
              ...message('user', ''),
              content: [{ type: 'tool_result', tool_use_id: 't', content: command.text }],
            },
          ],
        });
        const content = [{ type: 'text', text: answered.text }];
        const frames = ANTHROPIC.frames({ ...ANTHROPIC.whole, content }, size).join('');
        const client = ANTHROPIC.connect({ fetch: answering(frames) });
        await send(recordClient(client, store), asked);
        const written = (await store.lines()).join();
        const events = (JSON.parse(written) as { events: ModelEvent[] }).events;
        const joined = events
          .map((event) => (event.type === 'text-delta' ? event.text : ''))
          .join('');
        const held = [said, command, answered].filter(
          ({ secret }) => written.includes(secret) || joined.includes(secret),
        );
        expect([name, held]).toEqual([name, []]);
        expect(await send(replayClient(store), asked)).toBeDefined();
      }
    },
  );

  test('`redact: false` writes texts as they are', async () => {
    const store = memoryRecordStore();
    const asked = request(MODEL, { messages: [message('user', 'The password is hunter2.')] });
    await send(recordClient(live(), store, { redact: false }), asked);
    expect((await store.lines()).join()).toContain('hunter2');
  });

  test.each([1, 3, 50])(
    'case 160: redacts a secret that the answer brings in pieces of %i characters',
    async (size) => {
      const store = memoryRecordStore();
      const text = 'The password is hunter2, not more.';
      const content = [{ type: 'text', text }];
      const frames = ANTHROPIC.frames({ ...ANTHROPIC.whole, content }, size).join('');
      const client = ANTHROPIC.connect({ fetch: answering(frames) });
      const redact = (each: string) => each.replaceAll('hunter2', '[secret]');
      await send(recordClient(client, store, { redact }), request(MODEL));
      const { events } = JSON.parse((await store.lines())[0] as string) as { events: ModelEvent[] };
      const written = events.map((event) => (event.type === 'text-delta' ? event.text : ''));
      expect(written.join('')).toBe(redact(text));
    },
  );
});

describe('replayClient', () => {
  const asked = (text: string, changes: Partial<Request> = {}) =>
    request(MODEL, { messages: [message('user', text)], ...changes });

  async function recording(...requests: readonly Request[]) {
    const store = memoryRecordStore();
    const client = recordClient(live(), store);
    for (const each of requests) await send(client, each);
    return store;
  }

  test('knows a request by what is sent: not by ids and times', async () => {
    const store = await recording(asked('One.'));
    const copy = asked('One.');
    const [first] = copy.messages;
    const renamed = {
      ...copy,
      head: { ...copy.head, id: 'other' },
      messages: [{ ...first, id: 'x', createdAt: '2026-01-01T00:00:00Z' } as never],
    };
    expect((await send(replayClient(store), renamed)).content).toEqual(CONTENT);
  });

  test.each([
    {
      name: 'a text',
      change: { messages: [message('user', 'Fix the tests.')] },
      path: 'messages[0].content[0].text (character 12)',
      recorded: 'Fix the test.',
      now: 'Fix the tests.',
    },
    {
      name: 'the limit',
      change: { maxOutputTokens: 5 },
      path: 'maxOutputTokens',
      recorded: '1000',
      now: '5',
    },
    {
      name: 'one message more',
      change: { messages: [message('user', 'Fix the test.'), message('user', 'Now.')] },
      path: 'messages[1]',
      recorded: '(nothing)',
      now: '{"content":[{"text":"Now.","type":"text"}],"role":"user"}',
    },
    {
      name: 'a marker',
      change: { markers: [{ at: 'system' as const }] },
      path: 'markers[0]',
      recorded: '(nothing)',
      now: '{"at":"system"}',
    },
  ])(
    'case 156: refuses a request that changed in $name, and says where',
    async ({ change, path, recorded, now }) => {
      const store = await recording(asked('Something else.'), asked('Fix the test.'));
      const error = await failure(send(replayClient(store), asked('Fix the test.', change)));
      expect(error).toMatchObject({
        code: 'no-recording',
        difference: { path, recorded, asked: now },
      });
      expect(error.message).toContain(path);
      expect(error.message).not.toContain('Fix');
    },
  );

  test('case 156: names a space in the description of a tool', async () => {
    const store = await recording(asked('One.'));
    const changed = asked('One.');
    const tools = changed.head.tools.map((tool) => ({ ...tool, description: 'Reads. ' }));
    const error = await failure(
      send(replayClient(store), { ...changed, head: { ...changed.head, tools } }),
    );
    expect(error.difference?.path).toBe('head.tools[0].description (character 6)');
  });

  test('answers a request as often as it was recorded, in the order of the recording', async () => {
    const store = await recording(asked('One.'), asked('One.'));
    const replay = replayClient(store);
    await send(replay, asked('One.'));
    await send(replay, asked('One.'));
    expect(await failure(send(replay, asked('One.')))).toMatchObject({ code: 'no-recording' });
  });

  test('case 160: refuses another order where it is told to', async () => {
    const store = await recording(asked('One.'), asked('Two.'));
    await send(replayClient(store), asked('Two.'));
    const strict = replayClient(store, { inOrder: true });
    expect(await failure(send(strict, asked('Two.')))).toMatchObject({ code: 'out-of-order' });
    await send(strict, asked('One.'));
    await send(strict, asked('Two.'));
    await strict.finish();
  });

  test('case 160: tells of recorded answers that were not asked for', async () => {
    const replay = replayClient(await recording(asked('One.'), asked('Two.')));
    await send(replay, asked('One.'));
    expect(await failure(replay.finish())).toMatchObject({ code: 'unused-recording' });
  });

  test('case 160: has nothing for an empty recording', async () => {
    expect(await failure(send(replayClient(memoryRecordStore()), asked('One.')))).toMatchObject({
      code: 'no-recording',
    });
  });

  test.each([
    { name: 'a torn line', line: '{"version":1,"key":"a', says: 'is not JSON' },
    {
      name: 'a later version',
      line: '{"version":2,"key":"a","request":"{}","events":[],"response":{}}',
      says: 'has version 2',
    },
    { name: 'something else', line: '[]', says: 'is not a recorded exchange' },
    {
      name: 'an exchange without an end',
      line: '{"version":1,"key":"a","request":"{}","events":[]}',
      says: 'is incomplete',
    },
  ])('case 160: refuses $name and says which line', async ({ line, says }) => {
    const lines = await (await recording(asked('One.'))).lines();
    const error = await failure(
      send(replayClient(memoryRecordStore([...lines, line])), asked('One.')),
    );
    expect(error).toMatchObject({ code: 'bad-recording' });
    expect(error.message).toContain(`Line 2 of the recording ${says}`);
  });

  test('answers every request of a conversation that was recorded, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(messageHistory(), fc.nat(), async (history, at) => {
        const store = memoryRecordStore();
        const recorded = request(MODEL, { messages: history });
        await send(recordClient(live(), store), recorded);
        const copy: Request = JSON.parse(JSON.stringify(recorded));
        expect((await send(replayClient(store), copy)).content).toEqual(CONTENT);
        if (history.length === 0) return;
        const shorter = { ...copy, messages: copy.messages.toSpliced(at % history.length, 1) };
        expect(await failure(send(replayClient(store), shorter))).toMatchObject({
          code: 'no-recording',
        });
      }),
      // each run records and replays through a real SDK
      { numRuns: 60 },
    );
  });
});

describe('fileRecordStore', () => {
  test('keeps lines in a file, also those of parallel requests, and reads them back', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'varve-models-'));
    const path = join(dir, 'deep', 'recording.jsonl');
    expect(await fileRecordStore(path).lines()).toEqual([]);
    const client = recordClient(live(), fileRecordStore(path));
    const texts = Array.from({ length: 20 }, (_, index) => `Number ${index}.`);
    const requests = texts.map((text) => request(MODEL, { messages: [message('user', text)] }));
    await Promise.all(requests.map((each) => send(client, each)));
    expect((await readFile(path, 'utf8')).endsWith('\n')).toBe(true);
    const replay = replayClient(fileRecordStore(path));
    await Promise.all(requests.map((each) => send(replay, each)));
    await replay.finish();
    await rm(dir, { recursive: true });
  });

  test('O356, O354: a line the disk takes by half is taken off, the next has a line of its own', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'varve-models-'));
    const path = join(dir, 'recording.jsonl');
    await writeFile(path, '{"torn":', { mode: 0o644 });
    const node = new URL('../src/node/index.ts', import.meta.url).href;
    const script = `import { fileRecordStore } from '${node}';
      const store = fileRecordStore('${path}');
      await store.append('{"a":1}');
      const error = await store.append('"' + 'x'.repeat(5_000) + '"').catch((error) => error);
      await store.append('{"b":2}');
      console.log(error.name, error.code, error.cause.code);`;
    const limit = 'ulimit -f 4; exec "$0" --input-type=module -e "$1"'; // 2 or 4 KiB
    const { stdout } = await promisify(execFile)('sh', ['-c', limit, process.execPath, script]);
    expect(stdout).toBe('ModelError recording-failed EFBIG\n');
    expect(await readFile(path, 'utf8')).toBe('{"torn":\n{"a":1}\n{"b":2}\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await rm(dir, { recursive: true });
  });

  test('throws what is not a missing file, and goes on after a failed line', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'varve-models-'));
    await expect(fileRecordStore(dir).lines()).rejects.toMatchObject({ code: 'EISDIR' });
    const blocked = join(dir, 'file');
    await writeFile(blocked, '');
    const store = fileRecordStore(join(blocked, 'recording.jsonl'));
    await expect(store.append('{}')).rejects.toThrow();
    await rm(blocked);
    await store.append('{"a":1}');
    expect(await store.lines()).toEqual(['{"a":1}']);
    await rm(dir, { recursive: true });
  });
});
