import type { SessionPlan } from '../replay/session-plan.ts';
import type { Compacted } from './compactor.ts';
import { createHaystack } from './match.ts';
import type { Moment } from './moments.ts';
import { precisionOf } from './precision.ts';
import { scoreFacts } from './score.ts';

/** What is left of a moment after a compaction. */
export function look(
  { messages, synthesised }: Compacted,
  { facts, source, tokens: before }: Moment<unknown>,
  { sizes }: SessionPlan['recording'],
) {
  const { types, recall, recallWithRecovery, vital, contradicted } = scoreFacts(
    facts,
    createHaystack(messages),
  );
  const { entities, fabricated, wrongClaims } = precisionOf(synthesised, { source, facts });
  const tokens = messages.reduce((sum, message) => sum + sizes.message(message), 0);
  return {
    share: tokens / before,
    tokens,
    facts: facts.length,
    vital,
    recall,
    recallWithRecovery,
    contradicted,
    types,
    entities,
    fabricated: fabricated.length,
    wrongClaims,
  };
}
