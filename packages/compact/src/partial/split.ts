import { expected } from '@varve/guards';
import { legalCuts, type Message } from '@varve/messages';
import { sumOf } from '../full/draft.ts';
import { earlierOf, plainSituation } from '../full/plain-situation.ts';
import type { Situation } from '../full/situation.ts';
import { shownAlone } from '../full/thinking.ts';
import type { Trigger } from '../types.ts';

/** `from`: what comes from a message on is summarised; `up-to`: what comes before it. */
export type PartialDirection = 'from' | 'up-to';

/** Which side of a conversation is summarised. The pivot is a position, or the id of a message of a log. */
export interface Around<Pivot = number> {
  readonly direction: PartialDirection;
  readonly pivot: Pivot;
}

/**
 * Undefined where all of it is.
 *
 * @throws TypeError where only one of both options is given
 */
export function aroundOf<Pivot>({
  direction,
  pivot,
}: { readonly [Name in keyof Around<Pivot>]?: Around<Pivot>[Name] | undefined }):
  | Around<Pivot>
  | undefined {
  if (direction !== undefined && pivot !== undefined) return { direction, pivot };
  if (direction !== undefined)
    throw expected('pivot', { what: 'a message for `direction`' }, pivot);
  if (pivot !== undefined)
    throw expected('direction', { what: "'from' or 'up-to' for `pivot`" }, direction);
  return undefined;
}

/** Kebab-case, for the receipt. */
export function reasonOf(trigger: Trigger, around: Around<unknown> | undefined): string {
  if (around !== undefined) return `partial-${around.direction}`;
  return trigger === 'manual' ? 'manual' : 'over-threshold';
}

export interface Split {
  readonly direction: PartialDirection;
  /** Where the conversation is cut: the wanted position, or the nearest legal one before it. */
  readonly cut: number;
  /** The part that is summarised, as a conversation of its own. */
  readonly part: Situation;
  /** What stays as it is. */
  readonly rest: readonly Message[];
}

/**
 * Cuts a conversation in two around a message. Undefined where the part to summarise would be empty, or
 * would end in a reply that is nothing but bound thinking. A part that is
 * shown without what stood before it loses the thinking that is bound to that.
 */
export function splitAt(situation: Situation, { direction, pivot }: Around): Split | undefined {
  const { messages, sizeOf } = situation;
  const cut = situation.cuts.findLast(
    (place) => place <= pivot && mayCut(place, direction, messages),
  );
  if (cut === undefined) return undefined;
  const [earlier, later] = [messages.slice(0, cut), messages.slice(cut)];
  const isFrom = direction === 'from';
  const shown = isFrom ? shownAlone(later, situation.thinking) : earlier;
  const endsAlike = shown.at(-1)?.id === (isFrom ? later : earlier).at(-1)?.id;
  if (shown.length === 0 || !endsAlike) return undefined;
  const rest = isFrom ? earlier : later;
  const restTokens = sumOf(rest, sizeOf);
  const part = {
    ...situation,
    earlier: earlierOf(shown),
    restTokens,
    messages: shown,
    cuts: cutsOf(shown, { cut, isFrom, situation }),
  };
  const facts = factsOfPart(shown, situation);
  return { direction, cut, part: { ...part, facts }, rest };
}

/** A request for a summary begins with a user message. */
const mayCut = (place: number, direction: PartialDirection, messages: readonly Message[]) =>
  direction === 'up-to' ? place > 0 : messages[place]?.role === 'user';

interface CutSource {
  readonly cut: number;
  readonly isFrom: boolean;
  readonly situation: Situation;
}

function cutsOf(
  shown: readonly Message[],
  { cut, isFrom, situation: { cuts, messages } }: CutSource,
): readonly number[] {
  if (!isFrom) return cuts.filter((place) => place <= cut);
  if (shown.length !== messages.length - cut) return legalCuts(shown, { behindSummary: true });
  return cuts.filter((place) => place >= cut).map((place) => place - cut);
}

/** Facts of the part alone: what stays says the rest itself. */
function factsOfPart(shown: readonly Message[], situation: Situation): Situation['facts'] {
  const { head, windowTokens, thinking, maxOutputTokens } = situation;
  return plainSituation(shown, { head, windowTokens, thinking, maxOutputTokens }).facts;
}
