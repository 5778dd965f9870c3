import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { createContext } from '@varve/context';
import { type ReplyLike, startEmulator } from '@varve/emulator';
import { createFork } from '@varve/fork-agent';
import {
  anthropicProfile,
  checkRequest,
  isToolResult,
  type Message,
  promptTokens,
  type Request,
  toolUses,
  type Usage,
} from '@varve/messages';
import { type ModelClient, send } from '@varve/models';
import { createAnthropicClient } from '@varve/models/anthropic';
import { createSessionMemory, memoryNotes, type RunFork } from '@varve/session-memory';
import type { ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import { importFile } from '@varve/transcript/node';
import { describe, expect, onTestFinished, test } from 'vitest';

const MODEL = 'claude-opus-5-5';
const sessions = join(import.meta.dirname, '../../fixtures/sessions');

/** The model with a window that a session of 86,000 tokens outgrows. */
const SMALL: ModelInfo = {
  ...(findModel(MODEL) as ModelInfo),
  id: MODEL,
  aliases: [],
  windowTokens: 44_000,
  maxOutputTokens: 8_000,
};

const EDIT = {
  name: 'Edit',
  description: 'Replaces text in a file.',
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
};

const SUMMARY = `<summary>${'The checks of the arguments were read. '.repeat(20)}</summary>`;

interface Sent {
  readonly request: Request;
  readonly usage: Usage;
}

/** Tokens of the longest earlier request that a request begins with. */
function longestPrefix({ messages }: Request, sent: readonly Sent[]): number {
  const last = sent.findLast(({ request }) =>
    request.messages.every((message, index) => message === messages[index]),
  );
  return last ? promptTokens(last.usage) : Number.POSITIVE_INFINITY;
}

const isPersons = ({ role, content }: Message): boolean =>
  role === 'user' && !content.some(isToolResult);

/** The real SDK at an emulator that answers what it is told to; the provider refuses what does not fit the window. */
async function provider(answer: () => ReplyLike) {
  const emulator = await startEmulator({ replies: answer, models: [SMALL], keepRequests: 500 });
  onTestFinished(() => emulator.close());
  const sdk = new Anthropic({ baseURL: emulator.url, apiKey: 'test', maxRetries: 0 });
  const client: ModelClient = createAnthropicClient({ sdk });
  return { emulator, client };
}

async function recordedMessages(name: string): Promise<readonly Message[]> {
  const { threads } = await importFile(join(sessions, `${name}.jsonl`));
  const entries = threads[0]?.entries ?? [];
  return entries.flatMap((entry) => (entry.type === 'message' ? entry.message : []));
}

interface Driver {
  readonly context: ReturnType<typeof createContext>;
  /** What the model says next. */
  answer(reply: ReplyLike): void;
}

/** Plays a recorded session: what people and tools said goes in as recorded, and the model says what it said. */
async function replay(messages: readonly Message[], { context, answer }: Driver): Promise<void> {
  for (const { role, content } of messages) {
    if (role === 'assistant') {
      answer({ content: content.filter(({ type }) => type === 'text' || type === 'tool_use') });
      await context.send();
      continue;
    }
    const results = content.filter(isToolResult);
    if (results.length === 0) await context.user(content);
    for (const { tool_use_id: toolUseId, content: given = '', is_error: isError } of results) {
      await context.results([{ toolUseId, content: given, isError }]);
    }
  }
}

describe('a context with a compaction over the SDK of Anthropic', () => {
  test.each([
    { name: 'alone', layers: [] },
    { name: 'with the layers as they come', layers: undefined },
  ])(
    '$name: a session that outgrows its window is compacted, the summaries read the cache, and it goes on',
    async ({ layers }) => {
      const messages = await recordedMessages('argument-files');
      let next: ReplyLike = '';
      let isSummary = false;
      const { emulator, client } = await provider(() => (isSummary ? SUMMARY : next));
      const sent: Sent[] = [];
      const summaries: Sent[] = [];
      const context = createContext({
        model: MODEL,
        models: [SMALL],
        system: 'You fix failing tests.',
        tools: [EDIT],
        ...(layers && { layers }),
        async call(request, options) {
          const reply = await send(client, request, options);
          sent.push({ request, usage: reply.usage });
          return reply;
        },
        compaction: {
          async summarize(request, options) {
            isSummary = true;
            const reply = await send(client, request, options);
            isSummary = false;
            const read = reply.usage.cache_read_input_tokens ?? 0;
            expect(read).toBeGreaterThan(longestPrefix(request, sent) * 0.9);
            summaries.push({ request, usage: reply.usage });
            return reply;
          },
        },
      });
      await replay(messages, {
        context,
        answer(reply) {
          next = reply;
        },
      });

      expect(summaries.length).toBeGreaterThanOrEqual(3);
      const compacted = context
        .entries()
        .filter((entry) => 'by' in entry && entry.by === 'compact');
      const receipts = compacted.flatMap((entry) => (entry.type === 'edit' ? [entry.receipt] : []));
      const expected = { engine: 'summary', trigger: 'auto', calls: 1 };
      expect(receipts).toEqual(summaries.map(() => expect.objectContaining(expected)));
      expect(emulator.report().refused).toBe(0);
      const profile = anthropicProfile({ thinking: 'prefix-bound' });
      expect(sent.flatMap(({ request }) => checkRequest(request, profile))).toEqual([]);
      expect(sent).toHaveLength(messages.filter(({ role }) => role === 'assistant').length);
      const log = JSON.stringify(context.entries());
      for (const { content } of messages.filter(isPersons)) {
        expect(log).toContain(JSON.stringify(content).slice(1, -1));
      }
    },
    120_000, // two hundred requests of up to 40,000 tokens
  );

  test('a request that the provider refuses as too long is compacted and sent again', async () => {
    let isSummary = false;
    const { emulator, client } = await provider(() =>
      isSummary ? '<summary>Read.</summary>' : 'Done.',
    );
    const context = createContext({
      model: MODEL,
      system: 'You fix failing tests.',
      // believes in a window that the provider does not have
      models: [{ ...SMALL, windowTokens: 500_000 }],
      call: (request, options) => send(client, request, options),
      compaction: {
        async summarize(request, options) {
          isSummary = true;
          return send(client, request, options).finally(() => {
            isSummary = false;
          });
        },
      },
    });
    for (let part = 0; part < 5; part++) {
      await context.user(`Part ${part}: ${'x y z '.repeat(2_500)}`);
      const reply = await context.send();
      expect(reply.content).toMatchObject([{ type: 'text', text: 'Done.' }]);
    }
    expect(emulator.report().refused).toBeGreaterThan(0);
  });

  test('a fork of the conversation takes the notes that stand in for a summary', async () => {
    const guidance = '_What was asked for._';
    const edit = {
      type: 'tool_use',
      name: 'Edit',
      input: { path: 'notes.md', old_str: guidance, new_str: `${guidance}\nNo recursion.` },
    };
    const answers: ReplyLike[] = [];
    const { client } = await provider(() => answers.shift() ?? 'Go on.');
    let last: Request | undefined;
    const read: number[] = [];
    const runFork: RunFork = async ({ view, runTool, ...run }) => {
      const messages = view.open ? [...view.messages, view.open.assistant] : view.messages;
      const parent = { ...(last as Request), messages };
      const fork = createFork({ client, parent, tools: runTool });
      const result = await fork.run(run);
      read.push(result.cachedShare ?? 0);
      const isDone = result.stopReason === 'end' || result.stopReason === 'empty';
      return isDone
        ? { kind: 'done', usage: result.usage }
        : { kind: 'failed', reason: result.stopReason, cause: result.error };
    };
    const memory = createSessionMemory({
      file: memoryNotes('notes.md'),
      template: `# Task\n${guidance}\n`,
      runFork,
      appendNote: (note) => context.note(note),
    });
    let summaries = 0;
    const context = createContext({
      model: MODEL,
      models: [SMALL],
      system: 'You fix failing tests. '.repeat(100),
      tools: [EDIT],
      call: (request, options) => {
        last = request;
        return send(client, request, options);
      },
      compaction: {
        summarize: (request, options) => {
          summaries++;
          return send(client, request, options);
        },
        notes: { memory, tail: { minTokens: 2_000, minTextMessages: 2 } },
      },
    });
    answers.push('Read.', { content: [edit] }, 'Noted.');
    await context.user(`Fix the parser. ${'x y z '.repeat(2_200)}`);
    await context.send();
    await memory.settle();
    expect(await memory.notes()).toContain('No recursion.');
    expect(Math.min(...read)).toBeGreaterThan(0.8);
    await context.user(`And this. ${'x y z '.repeat(2_600)}`);
    await context.send();
    await memory.settle();
    await context.user('What is left?');
    await context.send();
    expect(summaries).toBe(0);
    const compaction = context.entries().find((entry) => entry.type === 'edit');
    expect(compaction).toMatchObject({ by: 'compact', receipt: { engine: 'notes' } });
    expect(JSON.stringify(last?.messages)).toContain('No recursion.');
    expect(toolUses(context.view().messages.at(-1) as Message)).toEqual([]);
  });
});
