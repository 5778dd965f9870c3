import { createAnthropic } from '@ai-sdk/anthropic';
import { type ReplyLike, startEmulator } from '@varve/emulator';
import { generateText, isStepCount, jsonSchema, type SystemModelMessage, tool } from 'ai';

/** What the model says: it reads five files, then sums up. */
const replies: ReplyLike[] = [
  ...[1, 2, 3, 4, 5].map((file) => ({
    content: [{ type: 'tool_use', name: 'read', input: { path: `file-${file}.ts` } }],
  })),
  'All five are fine.',
];

/**
 * Runs an agent loop of the AI SDK against the emulator and fails where its cache-hit rate is below 70 %. Whether the
 * agent keeps its prompt stable is what is tested: the emulator neither knows nor cares which loop it is.
 */
export async function gate(systemPrompt: () => string): Promise<number | undefined> {
  await using emulator = await startEmulator({ replies });
  const anthropic = createAnthropic({ baseURL: `${emulator.url}/v1`, apiKey: 'any' });
  await generateText({
    model: anthropic('claude-opus-5-5'),
    tools: { read },
    stopWhen: isStepCount(10),
    prompt: 'Review the project.',
    prepareStep: () => ({ instructions: cached(systemPrompt()) }),
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  });
  emulator.expectHitRate(0.7);
  return emulator.report().hitRate;
}

const read = tool({
  description: 'Reads a file.',
  inputSchema: jsonSchema<{ path: string }>({
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
  }),
  execute: async ({ path }) => `// ${path}\n${'export const answer = 42;\n'.repeat(100)}`,
});

const cached = (content: string): SystemModelMessage => ({
  role: 'system',
  content,
  providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
});
