import { createFork } from '@varve/fork-agent';
import { createProjection, type Request } from '@varve/messages';
import { createModelStream, type ModelClient } from '@varve/models';
import { createSessionMemory, memoryNotes, type RunFork } from '@varve/session-memory';

// stands for a provider, so that this runs without a key: it makes one edit, and ends
const line = '_What the user asked for, and what was decided about the design._';
const input = { path: 'notes.md', old_str: line, new_str: `${line}\nA parser without recursion.` };
let calls = 0;
const client: ModelClient = {
  provider: 'example',
  stream: () =>
    createModelStream(async function* () {
      calls += 1;
      const use = { type: 'tool_use', id: 'c1', name: 'Edit', input };
      const content = calls === 1 ? [use] : [{ type: 'text', text: 'Noted.' }];
      const stopReason = calls === 1 ? ('tool_use' as const) : ('end_turn' as const);
      const usage = { input_tokens: 40, output_tokens: 9 };
      const response = { id: `r${calls}`, model: 'claude-opus-4-8', content, stopReason, usage };
      yield { type: 'response-end', response } as const;
    }),
};
const tools = [{ name: 'Edit', description: 'Edits a file.', input_schema: { type: 'object' } }];
const head = { id: 'head', model: 'claude-opus-4-8', system: [], tools, params: {} };
const text = 'Write a parser without recursion. '.repeat(4_000);
const ask = { id: 'm1', role: 'user' as const, content: [{ type: 'text', text }] };
const lastRequest: Request = { head, messages: [ask], markers: [], maxOutputTokens: 1_000 };

const runFork: RunFork = async ({ view, runTool, ...run }) => {
  const messages = view.open ? [...view.messages, view.open.assistant] : view.messages;
  const fork = createFork({ client, parent: { ...lastRequest, messages }, tools: runTool });
  const { stopReason, usage, error } = await fork.run(run);
  const hasEnded = stopReason === 'end' || stopReason === 'empty';
  return hasEnded ? { kind: 'done', usage } : { kind: 'failed', reason: stopReason, cause: error };
};

const memory = createSessionMemory({ file: memoryNotes('notes.md'), runFork });
const log = createProjection();
const entry = { id: 'e1', at: '2026-01-31T12:00:00Z', type: 'message', message: ask } as const;
memory.observe(entry, log.append(entry));
await memory.extractNow();
console.log(memory.snapshot().notes?.includes('A parser without recursion.'));
