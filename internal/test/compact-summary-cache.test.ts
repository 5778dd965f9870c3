import { compact, createCompaction, type Summarize } from '@varve/compact';
import { promptTokens, type Request, type Usage } from '@varve/messages';
import { send } from '@varve/models';
import { cachePolicy, placeMarkers } from '@varve/prompt-cache';
import { resolveModel } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { SUMMARY } from './compact-models.ts';
import { contextOf, threadOf } from './compact-thread.ts';
import { clientOf, deepFreeze, MODELS, parentOf, start } from './fork-support.ts';

const CONVERSATION_TOKENS = 100_000;

const SENT_ROUNDS = 4;

/** A conversation whose last rounds were just sent, one by one, and a model that then writes a summary. */
async function conversation([model, provider]: (typeof MODELS)[number]) {
  const emulator = await start({
    replies: [...Array.from({ length: SENT_ROUNDS }, () => 'Done.'), SUMMARY],
  });
  const client = clientOf(provider, emulator);
  const policy = cachePolicy(model);
  // before the instruction, where an earlier request may have ended
  const mark = (request: Request) =>
    placeMarkers(request, { policy, parkedAt: request.messages.length - 1 });
  const whole = deepFreeze(parentOf(model, CONVERSATION_TOKENS));
  /** Prompt tokens by how many messages were sent. */
  const sent = new Map<number, number>();
  for (let round = SENT_ROUNDS - 1; round >= 0; round--) {
    const messages = whole.messages.slice(0, whole.messages.length - 2 * round);
    const { usage } = await send(
      client,
      placeMarkers({ ...whole, messages, markers: [] }, { policy }),
    );
    sent.set(messages.length, promptTokens(usage));
  }
  const reply = {
    id: 'reply',
    role: 'assistant',
    content: [{ type: 'text', text: 'Done.' }],
  } as const;
  const history = [...whole.messages, reply];
  const calls: { readonly messages: number; readonly usage: Usage | undefined }[] = [];
  const summarize: Summarize = async (request, options) => {
    const answer = await send(client, request, options);
    calls.push({ messages: request.messages.length - 1, usage: answer.usage });
    return answer;
  };
  const { head } = whole;
  /** Share of the conversation's own prompt that the summary's call read. */
  const readShare = () => {
    expect(calls).toHaveLength(1);
    const [call] = calls;
    // with the reply it shows all that was sent last; without its newest rounds all that was sent before them
    const prompt = sent.get(call?.messages ?? 0) ?? sent.get((call?.messages ?? 0) - 1) ?? 0;
    expect(prompt).toBeGreaterThan(CONVERSATION_TOKENS * 0.9);
    return (call?.usage?.cache_read_input_tokens ?? 0) / prompt;
  };
  return { head, history, options: { summarize, mark }, readShare };
}

/** Where it is cut inside, the newest entry ends a round earlier on models whose tool results take no marker. */
const KEPT = [
  { keepTokens: 0, least: 0.99 },
  { keepTokens: 5_000, least: 0.98 },
];

describe.each(MODELS)(
  'the summary of 100,000 tokens that were just sent: %s on %s (C4)',
  (...model) => {
    test.each(KEPT)(
      'compact, keeping $keepTokens tokens, reads at least $least of it from the cache',
      async ({ keepTokens, least }) => {
        const { head, history, options, readShare } = await conversation(model);
        const result = await compact(history, { ...options, head, keepTokens });
        expect(result).toMatchObject({
          kind: 'compacted',
          receipt: { engine: 'summary', calls: 1 },
        });
        expect(readShare()).toBeGreaterThanOrEqual(least);
      },
    );

    test('and so does the planner on a log', async () => {
      const { head, history, options, readShare } = await conversation(model);
      const planner = createCompaction(options);
      const log = threadOf(head, planner);
      for (const message of history) log.say(message);
      const { windowTokens, thinking } = resolveModel(head.model).model;
      const context = contextOf(log.view, { head, windowTokens, thinking });
      const plan = planner.planNow(context, { trigger: 'manual' });
      if (plan.kind !== 'work') throw new Error(plan.reason);
      const result = await planner.run(plan.work);
      expect(result).toMatchObject({ kind: 'compacted', receipt: { calls: 1 } });
      expect(readShare()).toBeGreaterThanOrEqual(0.99);
    });
  },
);
