import type { Message } from '@varve/messages';
import { refusalOf } from '../full/accept.ts';
import { type EngineResult, type Occasion, runEngine } from '../full/engine.ts';
import type { Done } from '../full/receipt.ts';
import type { Settings } from '../full/settings.ts';
import type { Situation } from '../full/situation.ts';
import { unbindTail } from '../full/thinking.ts';
import { type PartialDirection, type Split, splitAt } from './split.ts';

export interface Around {
  readonly direction: PartialDirection;
  /** Position of the message. */
  readonly pivot: number;
}

export type PartialEngineResult =
  | {
      readonly kind: 'compacted';
      /** What stays in front of the summary. */
      readonly before: readonly Message[];
      /** As it is for the part, with the sizes of the whole conversation. */
      readonly done: Done;
      /** The conversation that the edit is made of. */
      readonly situation: Situation;
    }
  | Extract<EngineResult, { readonly kind: 'failed' }>;

/**
 * Has one side of a conversation summarised by the engine of full compaction, and changes nothing.
 *
 * @throws the signal's reason, an `AbortError` unless one was given
 */
export async function runPartialEngine(
  situation: Situation,
  around: Around,
  { settings, occasion }: { readonly settings: Settings; readonly occasion: Occasion },
): Promise<PartialEngineResult> {
  const split = splitAt(situation, around);
  if (!split) return { kind: 'failed', reason: 'nothing-to-compact', calls: 0 };
  const start = split.direction === 'up-to' ? split.cut : situation.messages.length;
  const tail = unbindTail(situation.messages, { start, rule: situation.thinking });
  if (tail.kind === 'thinking-bound') return { kind: 'failed', reason: 'thinking-bound', calls: 0 };
  const done = await runEngine(
    split.part,
    { ...settings, keepTokens: 0, tooLong: 'drop-oldest' },
    occasion,
  );
  if (done.kind === 'failed') return done;
  const partly =
    split.direction === 'from' ? inFront(split, done) : behind(tail.messages, done, situation);
  const reason = refusalOf(partly.done.tokensAfter, situation, settings.minSavings);
  if (!reason) return partly;
  return { kind: 'failed', reason, calls: done.calls, ...(done.usage && { usage: done.usage }) };
}

type Partly = Extract<PartialEngineResult, { readonly kind: 'compacted' }>;

/** The rest stands in front of the summary, and the edit is made of the part alone. */
function inFront({ rest, part }: Split, done: Done): Partly {
  const text = `${done.text}\n\n${COVERS_LATER}`;
  const tokensAfter = done.tokensAfter + part.sizeOfText(`\n\n${COVERS_LATER}`);
  return { kind: 'compacted', done: { ...done, text, tokensAfter }, situation: part, before: rest };
}

/** The rest stands behind the summary, like any tail that is kept. */
function behind(rest: readonly Message[], done: Done, situation: Situation): Partly {
  const region = { ...done.region, tail: [...done.region.tail, ...rest] };
  return { kind: 'compacted', done: { ...done, region }, situation, before: [] };
}

const COVERS_LATER =
  'It stands for what came after the messages before it; those are unchanged and still hold.';
