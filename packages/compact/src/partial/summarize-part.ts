import type { Message } from '@varve/messages';
import { acceptSize } from '@varve/tokens/limits';
import { type Made, type Occasion, summarizeAll } from '../full/engine.ts';
import type { CompactFailure } from '../full/failure.ts';
import type { Settings } from '../full/settings.ts';
import { type Situation, wholeBounds } from '../full/situation.ts';
import { unbindTail } from '../full/thinking.ts';
import type { CompactionFailed } from '../types.ts';
import { type Around, type Split, splitAt } from './split.ts';

/**
 * Finds what takes the place of a conversation, or of one side of it, and changes nothing.
 *
 * @throws the signal's reason, an `AbortError` unless one was given
 */
export function summarize(
  situation: Situation,
  settings: Settings,
  occasion: Occasion & { readonly around?: Around | undefined },
): Promise<Made | CompactionFailed<CompactFailure>> {
  const { around } = occasion;
  return around === undefined
    ? summarizeAll(situation, settings, occasion)
    : summarizePart(situation, around, { settings, occasion });
}

async function summarizePart(
  situation: Situation,
  around: Around,
  { settings, occasion }: { readonly settings: Settings; readonly occasion: Occasion },
): Promise<Made | CompactionFailed<CompactFailure>> {
  const split = splitAt(situation, around);
  if (!split) return { kind: 'failed', reason: 'nothing-to-compact', calls: 0 };
  const start = split.direction === 'up-to' ? split.cut : situation.messages.length;
  const tail = unbindTail(situation.messages, { start, rule: situation.thinking });
  if (tail === undefined) return { kind: 'failed', reason: 'thinking-bound', calls: 0 };
  const forPart = { ...settings, keepTokens: 0, tooLong: 'drop-oldest' } as const;
  const made = await summarizeAll(split.part, forPart, occasion);
  if (made.kind === 'failed') return made;
  const placed =
    split.direction === 'from' ? behindRest(made, split) : { ...beforeRest(made, tail), situation };
  const size = acceptSize(placed.tokensAfter, wholeBounds(situation, settings.minSavings));
  if (size.kind === 'accepted') return placed;
  const { calls, usage } = made;
  return { kind: 'failed', reason: size.reason, calls, ...(usage && { usage }) };
}

/** The rest stands in front of the summary, and the edit is made of the part alone. */
function behindRest(made: Made, { rest, part }: Split): Made {
  const text = `${made.text}\n\n${COVERS_LATER}`;
  const tokensAfter = made.tokensAfter + part.sizeOfText(`\n\n${COVERS_LATER}`);
  return { ...made, text, tokensAfter, before: rest };
}

/** The rest stands behind the summary, like any tail that is kept. */
function beforeRest(made: Made, rest: readonly Message[]): Made {
  return { ...made, region: { ...made.region, tail: [...made.region.tail, ...rest] } };
}

const COVERS_LATER =
  'It stands for what came after the messages before it; those are unchanged and still hold.';
