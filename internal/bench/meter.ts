import { isText, type Message, toolResults, toolUses } from '@varve/messages';
import { createTokenMeter } from '@varve/tokens';
import { loadExactCounter } from '@varve/tokens/exact';
import type { BenchRow } from './bench-row.ts';
import { BENCH_SIZES, createBenchSession, UNITS_PER_RESULT } from './bench-session.ts';

type ExactCounter = Awaited<ReturnType<typeof loadExactCounter>>;

const SETTLED = 50;

/**
 * G7: how far the meter is from the next bill. The provider is played by exact counts in a vocabulary that the estimator
 * was not made for (cl100k), every request is billed, and the errors are shares of the bill.
 */
export async function run(): Promise<BenchRow[]> {
  const errors = errorsOf(await loadExactCounter({ encoding: 'cl100k_base' }));
  const settled = errors.slice(SETTLED).sort((left, right) => left - right);
  const p95 = settled[Math.ceil(0.95 * settled.length) - 1] ?? Number.NaN;
  return [
    toRow('G7 p95', { error: p95, goal: 0.005, what: '95th percentile' }),
    toRow('G7 max', { error: settled.at(-1) ?? Number.NaN, goal: 0.05, what: 'largest' }),
  ];
}

function errorsOf(counter: ExactCounter): number[] {
  const { head, messages } = createBenchSession({
    turns: BENCH_SIZES['1M'],
    unitsPerResult: UNITS_PER_RESULT,
  });
  const meter = createTokenMeter({ model: 'gpt-5.4', windowTokens: 2_000_000 });
  const headTokens = head.system.reduce((sum, { text }) => sum + counter.count(text), 0);
  const errors: number[] = [];
  let promptTokens = headTokens;
  for (const message of messages) {
    const tokens = billedTokens(message, counter);
    if (message.role === 'assistant') {
      errors.push(Math.abs(meter.size().tokens - promptTokens) / promptTokens);
      meter.anchor({ input_tokens: promptTokens, output_tokens: tokens });
    }
    meter.add(message);
    promptTokens += tokens;
  }
  return errors;
}

/** What a provider with this vocabulary would bill: the text, and four tokens of framing. */
function billedTokens(message: Message, counter: ExactCounter): number {
  const texts = [
    ...message.content.map((block) => (isText(block) ? block.text : '')),
    ...toolUses(message).map(({ name, input }) => name + JSON.stringify(input)),
    ...toolResults(message).map(({ content }) => String(content)),
  ];
  return texts.reduce((sum, text) => sum + counter.count(text), 4);
}

interface Measured {
  readonly error: number;
  readonly goal: number;
  readonly what: string;
}

function toRow(id: string, { error, goal, what }: Measured): BenchRow {
  return {
    id,
    what: `${what} error of the next size after ${SETTLED} messages, against bills in another vocabulary`,
    ours: 100 * error,
    peer: 100,
    unit: '%',
    ratio: error,
    goal: `≤ ${goal * 100} %`,
    met: error <= goal,
  };
}
