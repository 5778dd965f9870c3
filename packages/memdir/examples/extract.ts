import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemdir } from '@varve/memdir';
import { createExtraction } from '@varve/memdir/extract';
import { diskFolder } from '@varve/memdir/node';
import { memoryRules, memoryStart } from '@varve/memdir/rules';
import { createModelStream, type ModelClient } from '@varve/models';

// stands for a provider, so that this runs without a key: it saves one statement, and ends
const quote = 'Releases go out on Tuesdays only.';
const statements = [{ part: 'rule', text: quote, turn: 1, quote }];
const input = { name: 'Release day', description: quote, type: 'feedback', statements };
let calls = 0;
const client: ModelClient = {
  provider: 'example',
  stream: () =>
    createModelStream(async function* () {
      calls += 1;
      const use = { type: 'tool_use', id: 'c1', name: 'save_memory', input };
      const content = calls === 1 ? [use] : [{ type: 'text', text: 'Done.' }];
      const stopReason = calls === 1 ? ('tool_use' as const) : ('end_turn' as const);
      const usage = { input_tokens: 40, output_tokens: 9 };
      const response = { id: `r${calls}`, model: 'claude-haiku-4-5', content, stopReason, usage };
      yield { type: 'response-end', response } as const;
    }),
};
const model = 'claude-haiku-4-5';
const path = mkdtempSync(join(tmpdir(), 'memdir-'));
const memory = createMemdir({ folder: diskFolder(path), now: Date.now });

const system = `You are a coding agent.\n\n${memoryRules({ folder: path })}`;
const first = memoryStart({ index: await memory.loadIndex(), todayMs: Date.now() });
const extraction = createExtraction({ memory, client, model, onEvent: ({ kind }) => log(kind) });

const messages = [
  { id: 'm1', role: 'user' as const, content: [text(first), text(quote)] },
  { id: 'm2', role: 'assistant' as const, content: [text('Understood.')] },
];
extraction.afterTurn(messages); // after each answer of the agent: returns at once, never throws
await extraction.flush(); // when the session ends

log(
  system.length > 0,
  (await memory.scan()).files.map((file) => file.path),
);
rmSync(path, { recursive: true });

function text(value: string) {
  return { type: 'text', text: value };
}

function log(...values: readonly unknown[]): void {
  console.log(...values);
}
