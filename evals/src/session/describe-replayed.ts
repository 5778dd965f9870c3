import type { Message } from '@varve/messages';
import type { ThreadBackground } from '../replay/replay-file.ts';
import type { SessionPlan } from '../replay/session-plan.ts';
import type { ReplayedThread } from '../report/report-schema.ts';
import { recordedModel } from '../thread-pricing.ts';
import type { NamedThread } from './import-threads.ts';

/** What a report says of a thread that was replayed: everything that is the same for all strategies. */
export function describeReplayed(
  { session, thread }: NamedThread,
  { recording, pricing, needs }: SessionPlan,
  { foreignSessions, project }: Pick<ThreadBackground, 'foreignSessions' | 'project'>,
): ReplayedThread {
  const { history, replies, sizes, headSize, times, repairs, removedEdits } = recording;
  const outputs = replies.map((reply) => {
    const message = history[reply] as Message;
    return message.response?.usage?.output_tokens ?? sizes.message(message);
  });
  const outputTokens = sum(outputs);
  return {
    session,
    requests: replies.length,
    tokens: sum(history.map(sizes.message)),
    headTokens: headSize.tokens,
    headSource: headSize.source,
    clock: times.source,
    recordedModel: recordedModel(thread) ?? null,
    pricedAs: pricing.model.id,
    policy: pricing.policy.name,
    windowTokens: pricing.window,
    outputTokens,
    outputDollars: outputTokens * pricing.rates.output,
    repairs,
    removedEdits,
    foreignSessions,
    project,
    hindsightUses: needs.calls.uses,
    namedUses: needs.words.uses,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
