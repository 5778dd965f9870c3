import type { Block, Entry, Head, Message } from '@varve/messages';
import { createCorpus } from './corpus.ts';

export interface BenchSession {
  readonly head: Head;
  /** A user message, then for each turn an assistant message with a call, and its result. */
  readonly messages: readonly Message[];
}

export interface BenchSessionOptions {
  readonly turns: number;
  /** UTF-16 units of each tool result. */
  readonly unitsPerResult: number;
}

/** A session of real tool output in made-up turns. Every call gives new objects, so that nothing is remembered of it. */
export function createBenchSession({ turns, unitsPerResult }: BenchSessionOptions): BenchSession {
  const texts = toolOutputs();
  const messages = [toMessage(0, 'user', [{ type: 'text', text: 'Fix the failing test.' }])];
  for (let turn = 0; turn < turns; turn++) {
    const id = `toolu_${turn}`;
    const text = texts[turn % texts.length] as string;
    const from = (turn * 97) % Math.max(1, text.length - unitsPerResult);
    const input = { command: `sed -n ${turn},${turn + 40}p src/file-${turn}.ts` };
    messages.push(
      toMessage(messages.length, 'assistant', [
        { type: 'text', text: `Step ${turn}: looking at the next file. `.repeat(4) },
        { type: 'tool_use', id, name: 'shell', input },
      ]),
      toMessage(messages.length + 1, 'user', [
        { type: 'tool_result', tool_use_id: id, content: text.slice(from, from + unitsPerResult) },
      ]),
    );
  }
  return { head: HEAD, messages };
}

/** The same session as a log. */
export function toEntries({ head, messages }: BenchSession): Entry[] {
  const at = LOGGED_AT;
  return [
    { id: 'head', at, type: 'head', head },
    ...messages.map((message): Entry => ({ id: `e-${message.id}`, at, type: 'message', message })),
  ];
}

/** When every entry of such a log was written. */
export const LOGGED_AT = '2026-01-02T03:04:05.000Z';

export const BENCH_MODEL = 'claude-opus-5-5';

/** About ten thousand, a hundred thousand and a million tokens of o200k, in results of the same size. */
export const BENCH_SIZES = { '10K': 10, '100K': 97, '1M': 979 } as const;

export const UNITS_PER_RESULT = 3_600;

const HEAD: Head = {
  id: 'head',
  model: BENCH_MODEL,
  system: [{ type: 'text', text: 'You are a careful engineer. '.repeat(500) }],
  tools: [
    { name: 'shell', description: 'Runs a command. '.repeat(50), input_schema: { type: 'object' } },
  ],
  params: {},
};

let outputs: readonly string[] | undefined;

function toolOutputs(): readonly string[] {
  if (outputs) return outputs;
  const { code, grep, json, log, test } = createCorpus({ half: 'fit', units: 200_000 });
  outputs = [code, grep, json, log, test];
  return outputs;
}

const toMessage = (index: number, role: Message['role'], content: readonly Block[]): Message => ({
  id: `m${index}`,
  role,
  content,
});
