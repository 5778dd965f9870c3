import { ContextError, createContext } from '@varve/context';
import { createFork, ForkError } from '@varve/fork-agent';
import type { JsonObject, Request } from '@varve/messages';
import { createModelStream, type ModelClient } from '@varve/models';
import { createEstimator, type ModelInfo, resolveModel } from '@varve/tokens';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

type Vendor = 'anthropic' | 'openai';
type Kind = 'summary' | 'part' | 'provider' | 'collapse' | 'fork';

const MODELS = { anthropic: 'claude-sonnet-4-6', openai: 'gpt-5.5' } as const;
const TOOLS = [{ name: 'bash', description: 'Runs it.', input_schema: { type: 'object' } }];
const SUMMARY = `<summary>## 1. Request and intent\nThe parser was read.</summary>`;

interface Given {
  readonly vendor: Vendor;
  readonly windowTokens: number;
  readonly budget: number;
  readonly shares: readonly number[];
  readonly by: 'model' | 'provider';
  readonly folds: boolean;
}

/** Words that count in no vocabulary as one each. */
const output = (tokens: number): string => 'line of output 12345 '.repeat(Math.max(1, tokens / 6));

const paramsOf = ({ vendor, budget }: Given): JsonObject =>
  vendor === 'anthropic' && budget > 0
    ? { thinking: { type: 'enabled', budget_tokens: budget } }
    : {};

/** A conversation that fills its window, compacted and forked: what did not fit, and how many of each kind were asked for. */
async function play(given: Given) {
  const { vendor, windowTokens, shares, by, folds } = given;
  const id = MODELS[vendor];
  const { model } = resolveModel(id);
  const entry: ModelInfo = { ...model, id, aliases: [], windowTokens };
  const estimator = createEstimator({ family: model.tokenizer });
  const misfits: string[] = [];
  const counts: Record<Kind, number> = { summary: 0, part: 0, provider: 0, collapse: 0, fork: 0 };

  function look(kind: Kind, { head, messages, maxOutputTokens }: Request): void {
    counts[kind]++;
    const sent = kind === 'provider' && vendor === 'openai' ? { ...head, tools: [] } : head;
    const prompt = messages.reduce(
      (sum, each) => sum + estimator.message(each),
      estimator.head(sent),
    );
    if (prompt + maxOutputTokens > windowTokens)
      misfits.push(`${kind}: ${prompt} and ${maxOutputTokens} of ${windowTokens}`);
    const { budget_tokens: left = 0 } = Object(head.params.thinking);
    if (maxOutputTokens <= left) misfits.push(`${kind}: ${maxOutputTokens} thinks ${left}`);
  }

  const usage = { input_tokens: 10, output_tokens: 5 };
  const client: ModelClient = {
    provider: 'scripted',
    stream(request, { signal } = {}) {
      look('fork', request);
      return createModelStream(async function* () {
        const content = [{ type: 'text', text: 'a.ts' }];
        const response = { id: 'm', model: id, stopReason: 'end_turn', usage, content } as const;
        yield { type: 'response-start', id: 'm', model: id };
        yield { type: 'response-end', response };
      }, signal);
    },
  };
  const answer = { content: [{ type: 'text', text: SUMMARY }], stopReason: 'end_turn' } as const;
  const context = createContext({
    ...{ model: id, models: [entry], params: paramsOf(given), tools: TOOLS, layers: [] },
    system: 'You fix tests.',
    compaction: {
      async summarize(request) {
        look(request.head.id.endsWith(':part') ? 'part' : 'summary', request);
        return answer;
      },
      wait: async () => {},
      ...(by === 'provider' && {
        byProvider: {
          provider: vendor,
          async call(request) {
            look('provider', request);
            const block = { type: 'compaction', content: 'The parser was read.' };
            return { content: [block], stopReason: 'compaction' };
          },
        },
      }),
      ...(folds && {
        collapse: {
          async summarize(request) {
            look('collapse', request);
            return answer;
          },
          minSpanTokens: 200,
        },
      }),
    },
  });
  await context.user('Run all of it.');
  for (const [at, share] of shares.entries()) {
    await context.request();
    const call = { type: 'tool_use', id: `k${at}`, name: 'bash', input: { command: `run ${at}` } };
    await context.reply({ content: [call], stopReason: 'tool_use' });
    await context.results([{ toolUseId: `k${at}`, content: output(share * windowTokens) }]);
  }
  const last = context.lastRequest()?.request;
  if (last) {
    const { messages } = context.view();
    const fork = createFork({ client, models: [entry], parent: { ...last, messages } });
    await fork.run({ directive: 'Name the file.' }).catch(asDeclined);
  }
  await context.compact();
  return { misfits, counts };
}

/** What is refused by a typed error was not sent. */
function asDeclined(error: unknown): undefined {
  if (ContextError.is(error) || ForkError.is(error) || error instanceof RangeError)
    return undefined;
  throw error;
}

// Siblings with laws of their own: collapse and the provider in @varve/compact, forks in @varve/fork-agent, memory in @varve/memdir.
describe('what we ask of a model beside the conversation fits the window, or is not asked', () => {
  test('any window from 4,000 tokens to a million, with and without thinking, both vendors', async () => {
    const sums: Record<string, number> = { summary: 0, provider: 0, collapse: 0, fork: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          vendor: fc.constantFrom<Vendor>('anthropic', 'openai'),
          windowTokens: fc.oneof(
            fc.integer({ min: 4_000, max: 64_000 }),
            fc.integer({ min: 4_000, max: 200_000 }),
            fc.constantFrom(4_000, 8_000, 16_000, 32_000, 64_000, 1_000_000),
          ),
          budget: fc.constantFrom(0, 1_024, 2_000, 10_000, 31_999),
          shares: fc.array(fc.double({ min: 0.01, max: 0.4, noNaN: true }), {
            minLength: 2,
            maxLength: 8,
          }),
          by: fc.constantFrom('model' as const, 'provider' as const),
          folds: fc.boolean(),
        }),
        async (given) => {
          const played = await play(given).catch(asDeclined);
          if (played === undefined) return;
          expect(played.misfits).toEqual([]);
          for (const [kind, count] of Object.entries(played.counts))
            sums[kind] = (sums[kind] ?? 0) + count;
        },
      ),
    );
    process.stdout.write(`asked beside the conversation: ${JSON.stringify(sums)}\n`);
    for (const kind of ['summary', 'provider', 'collapse', 'fork'])
      expect(sums[kind], kind).toBeGreaterThan(0);
  });
});
