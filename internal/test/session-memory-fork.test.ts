import { createFork } from '@varve/fork-agent';
import {
  createProjection,
  isToolResult,
  promptTokens,
  type Request,
  type Usage,
  type View,
} from '@varve/messages';
import { type ModelClient, send } from '@varve/models';
import {
  createSessionMemory,
  memoryNotes,
  type RunFork,
  type SessionMemory,
} from '@varve/session-memory';
import { describe, expect, test } from 'vitest';
import { clientOf, MODELS, parentOf, start } from './fork-support.ts';

const EDIT = {
  name: 'Edit',
  description: 'Replaces text in a file.',
  input_schema: { type: 'object', properties: { file_path: { type: 'string' } } },
};

const GUIDANCE =
  '_What is in work right now, and what is still to be done. Written anew every time._';

const edit = (id: string, file_path: string, newText: string) => ({
  type: 'tool_use',
  id,
  name: 'Edit',
  input: { file_path, old_string: GUIDANCE, new_string: `${GUIDANCE}\n${newText}` },
});

/** What an agent writes to let its forks take notes: the newest view in place of the messages of its last request. */
const forkOf =
  (client: ModelClient, parent: Request): RunFork =>
  async ({ view, runTool, ...run }) => {
    const messages = view.open ? [...view.messages, view.open.assistant] : view.messages;
    const fork = createFork({ client, parent: { ...parent, messages }, tools: runTool });
    const result = await fork.run(run);
    const { stopReason, usage, error } = result;
    if (stopReason === 'end' || stopReason === 'empty') return { kind: 'done', usage };
    return { kind: 'failed', reason: stopReason, cause: error };
  };

/** Feeds a parent's messages and the reply to it. */
function feed(
  memory: SessionMemory,
  { messages }: Request,
  reply: View['messages'][number]['content'],
) {
  const log = createProjection();
  const all = [...messages, { id: 'reply', role: 'assistant' as const, content: reply }];
  for (const [index, message] of all.entries()) {
    const at = '2026-01-31T12:00:00Z';
    const entry = { id: `e${index}`, at, type: 'message', message } as const;
    memory.observe(entry, log.append(entry));
  }
}

describe.each(MODELS)('notes taken by a fork: %s on %s (N3)', (model, provider) => {
  test('it reads the prefix, edits the notes and nothing else', async () => {
    const calls = [
      edit('e1', '/etc/passwd', 'x'),
      { type: 'tool_use', id: 'r1', name: 'read', input: { path: 'f0.ts' } },
      edit('e2', 'notes.md', 'The parser is half done.'),
    ];
    const emulator = await start({
      replies: ['Half done.', { content: calls }, 'Noted.'],
    });
    const client = clientOf(provider, emulator);
    const bare = parentOf(model, 20_000);
    const parent = { ...bare, head: { ...bare.head, tools: [...bare.head.tools, EDIT] } };
    const reply = await send(client, parent);
    const runFork = forkOf(client, parent);
    const memory = createSessionMemory({ file: memoryNotes('notes.md'), runFork });
    feed(memory, parent, reply.content);
    const result = await memory.extractNow();
    expect(result).toMatchObject({
      kind: 'extracted',
      edits: 1,
      checkpoint: { cursorId: 'reply' },
    });
    expect(await memory.notes()).toContain(`${GUIDANCE}\nThe parser is half done.`);
    const last = JSON.stringify(
      JSON.parse(new TextDecoder().decode(emulator.requests.at(-1)?.body)),
    );
    expect(last.match(/only Edit may be used here/g)).toHaveLength(2);
    const usage = (result as { usage: Usage }).usage;
    const read = usage.cache_read_input_tokens ?? 0;
    expect(read).toBeGreaterThanOrEqual(promptTokens(reply.usage) * 2 * 0.97);
  });

  test('a tool loop that is open is no obstacle', async () => {
    const open = {
      content: [{ type: 'tool_use', id: 'r1', name: 'read', input: { path: 'a.ts' } }],
    };
    const replies = [open, { content: [edit('e1', 'notes.md', 'Reading on.')] }, 'Never asked.'];
    const emulator = await start({ replies });
    const client = clientOf(provider, emulator);
    const bare = parentOf(model, 5_000);
    const parent = { ...bare, head: { ...bare.head, tools: [...bare.head.tools, EDIT] } };
    const reply = await send(client, parent);
    const memory = createSessionMemory({
      file: memoryNotes('notes.md'),
      runFork: forkOf(client, parent),
    });
    feed(memory, parent, reply.content);
    const result = await memory.extractNow();
    expect(result).toMatchObject({ kind: 'extracted', edits: 1 });
    expect(emulator.requests).toHaveLength(2);
    const closed = parent.messages.findLast(({ content }) => content.some(isToolResult));
    expect(memory.snapshot().cursorId).toBe(closed?.id);
  });

  test('a provider that fails leaves the notes as they were', async () => {
    const emulator = await start({ replies: ['Done.'] });
    const client = clientOf(provider, emulator);
    const parent = parentOf(model, 2_000);
    const reply = await send(client, parent);
    await emulator.close();
    const memory = createSessionMemory({
      file: memoryNotes('notes.md', '# Task\nmine'),
      runFork: forkOf(client, parent),
    });
    feed(memory, parent, reply.content);
    expect(await memory.extractNow()).toMatchObject({ kind: 'failed', reason: 'fork-failed' });
    expect(await memory.notes()).toBe('# Task\nmine');
  });
});
