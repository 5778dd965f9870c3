import '../src/stand-in-provider.ts';
import Anthropic from '@anthropic-ai/sdk';
import { createMemdir, inMemoryFolder } from '@varve/memdir';
import { createExtraction } from '@varve/memdir/extract';
import { memoryRules, memoryStart } from '@varve/memdir/rules';
import { createAnthropicClient } from '@varve/models/anthropic';

const client = createAnthropicClient({ sdk: new Anthropic() });
const memory = createMemdir({ folder: inMemoryFolder(), now: Date.now });
const extraction = createExtraction({ memory, client, model: 'claude-haiku-4-5' });

const system = `You are a coding agent.\n\n${memoryRules({ folder: '/home/me/.agent/memory' })}`;
const first = memoryStart({ index: await memory.loadIndex(), todayMs: Date.now() });
const text = (value: string) => ({ type: 'text', text: value });
const messages = [
  { id: 'm1', role: 'user' as const, content: [text(first), text('Release on Tuesdays.')] },
  { id: 'm2', role: 'assistant' as const, content: [text('Understood.')] },
];
extraction.afterTurn(messages); // after each answer of the agent: returns at once, never throws
await extraction.flush(); // when the session ends; with a `signal` it ends at once

console.log(system.length > 0, extraction.counts());
process.exit(0);
