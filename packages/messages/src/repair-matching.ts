import { createFreeNames, isPlainId, plainId } from './call-ids.ts';
import type { MessageLike } from './like.ts';
import type { ProviderProfile } from './profiles.ts';
import type { Draft, Part } from './repair-draft.ts';
import { pairId } from './validity-pairs.ts';

interface Located {
  readonly part: Part;
  readonly messageIndex: number;
}

export interface Call extends Located {
  /** What call and result are named after the repair: not empty, unique in the message, taken by the provider. */
  readonly id: string;
  result?: Located;
}

/**
 * Pairs calls and results by id over a whole history. A call arms its id until a later message uses the id again; a
 * result consumes the first call of its id that is still unanswered, in whatever message it stands. `rounds` are the
 * calls by the index of their draft, `strays` the results that answer nothing.
 */
export function pairDrafts<M extends MessageLike>(
  drafts: readonly Draft<M>[],
  { callIds }: Pick<ProviderProfile, 'callIds'>,
) {
  const rounds = new Map<number, readonly Call[]>();
  const strays: Located[] = [];
  const armed = new Map<string, Call[]>();
  for (const [draftIndex, draft] of drafts.entries()) {
    const calls = callsOf(draft, callIds === 'plain');
    if (calls.length > 0) rounds.set(draftIndex, calls);
    arm(calls, armed);
    for (const result of resultsOf(draft)) {
      const call = armed
        .get(pairId(result.part.block, 'tool_result', 'tool_use_id') as string)
        ?.pop();
      if (call) call.result = result;
      else strays.push(result);
    }
  }
  return { rounds, strays };
}

function arm(calls: readonly Call[], armed: Map<string, Call[]>): void {
  const fresh = new Map<string, Call[]>();
  for (const call of calls) {
    const id = pairId(call.part.block, 'tool_use', 'id') as string;
    const sharing = fresh.get(id);
    if (sharing) sharing.push(call);
    else fresh.set(id, [call]);
  }
  // the first is answered first, and is cheap to take off the end
  for (const [id, sharing] of fresh) armed.set(id, sharing.reverse());
}

function callsOf<M extends MessageLike>(
  { role, parts, messageIndex }: Draft<M>,
  isPlain: boolean,
): Call[] {
  if (role !== 'assistant') return [];
  const calls = parts.filter((part) => pairId(part.block, 'tool_use', 'id') !== undefined);
  const names = createFreeNames(calls.map((part) => pairId(part.block, 'tool_use', 'id')));
  const seen = new Set<string>(['']);
  return calls.map((part) => {
    const original = pairId(part.block, 'tool_use', 'id') as string;
    const unique = seen.has(original) ? names.numbered(original || 'call', '-', 2) : original;
    const id = isPlain && !isPlainId(unique) ? plainId(unique, names) : unique;
    seen.add(id);
    names.take(id);
    return { part, messageIndex, id };
  });
}

function resultsOf<M extends MessageLike>({ role, parts, messageIndex }: Draft<M>): Located[] {
  if (role !== 'user') return [];
  return parts
    .filter((part) => pairId(part.block, 'tool_result', 'tool_use_id') !== undefined)
    .map((part) => ({ part, messageIndex }));
}
