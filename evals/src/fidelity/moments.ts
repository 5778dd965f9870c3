import type { Message } from '@varve/messages';
import type { SessionPlan } from '../replay/session-plan.ts';
import { recordsOf } from './context-text.ts';
import { createFactExtractor } from './facts/extract.ts';
import type { Fact } from './facts/fact.ts';
import { createReturns } from './facts/said-facts.ts';
import { createSource, type Source } from './precision.ts';

/** A place in a session, and what was true and said until then. */
export interface Moment<Place> {
  readonly place: Place;
  readonly past: readonly Message[];
  readonly facts: readonly Fact[];
  readonly source: Source;
  /** Of the messages before the place. */
  readonly tokens: number;
}

/** One after the other, each with all that came before it. The source grows: use a moment before asking for the next. */
export function* momentsAt<Place extends { readonly messageIndex: number }>(
  places: readonly Place[],
  { history, head, sizes }: SessionPlan['recording'],
): Generator<Moment<Place>> {
  const extractor = createFactExtractor({ returns: createReturns(history) });
  const source = createSource();
  source.add(head.system.map(({ text }) => text));
  let tokens = 0;
  let next = 0;
  for (const place of places) {
    const added = history.slice(next, place.messageIndex);
    next = place.messageIndex;
    for (const message of added) {
      extractor.add(message);
      tokens += sizes.message(message);
    }
    source.add(recordsOf(added));
    source.add(added.map(({ id }) => id));
    yield { place, past: history.slice(0, next), facts: extractor.facts(), source, tokens };
  }
}
