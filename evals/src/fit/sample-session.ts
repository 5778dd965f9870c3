import { type Block, createProjection, type Entry, type Message } from '@varve/messages';
import { createMicrocompact } from '@varve/microcompact';
import { createEstimator } from '@varve/tokens';
import { goneWith } from '../demand/gone-with.ts';
import type { SessionPlan } from '../replay/session-plan.ts';
import { createFutureNeeds } from './future-needs.ts';

type Planner = ReturnType<typeof createMicrocompact>;
export type Candidate = Planner['candidates']['list'][number];

/** Something that stood in the context, at one of its ages. */
export interface Sample {
  /** What was known of it then, by name. */
  readonly features: Readonly<Record<string, number>>;
  /** Requests since it came. */
  readonly age: number;
  readonly tokens: number;
  /** A call within {@link HORIZON_REQUESTS} used what it alone showed. */
  readonly isNeeded: boolean;
}

/** What is said of a candidate before a request: the product's own features, read from the log as the rule reads it. */
export interface FeatureSource {
  observe(entry: Entry, view: ReturnType<ReturnType<typeof createProjection>['append']>): void;
  candidates(): readonly Candidate[];
  requests(): number;
  featuresOf(candidate: Candidate): Readonly<Record<string, number>>;
}

export type CreateFeatureSource = (sizeOf: (block: Block) => number) => FeatureSource;

/** The features that `@varve/microcompact` decides by. */
export const productFeatures: CreateFeatureSource = (sizeOf) => {
  const { candidates, observe } = createMicrocompact({ sizeOf, rent: { by: 'need' } });
  return {
    observe,
    candidates: () => candidates.list,
    requests: () => candidates.requests,
    featuresOf: (candidate) => candidates.needs?.featuresOf(candidate) ?? {},
  };
};

/** Within so many requests. */
export const HORIZON_REQUESTS = 30;
/** Each step a third larger: the young are many and change fast. */
const AGES: ReadonlySet<number> = new Set([
  ...[1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 48, 64, 85, 113, 150, 200, 266, 355],
]);

/**
 * Plays a session in which nothing is cleared, and looks at every candidate at each of its ages. What stands so near the end that
 * its future was not recorded whole says nothing where it was not needed.
 */
export function sampleSession(
  { recording, demand, pricing }: SessionPlan,
  create: CreateFeatureSource = productFeatures,
): readonly Sample[] {
  const { history, replies, head } = recording;
  const { block: sizeOf } = createEstimator({ family: pricing.model.tokenizer });
  const source = create(sizeOf);
  const projection = createProjection();
  const future = createFutureNeeds({ history, replies, demand });
  const samples: Sample[] = [];
  const log = (entry: Omit<Entry, 'id' | 'at'>, at: number): void => {
    const whole = { id: `e${at}`, at: new Date(0).toISOString(), ...entry } as Entry;
    source.observe(whole, projection.append(whole));
  };
  log({ type: 'head', head } as never, -1);
  let next = 0;
  let known = 0;
  for (const [request, reply] of replies.entries()) {
    for (; next < reply; next++) log({ type: 'message', message: history[next] } as never, next);
    const candidates = source.candidates().filter(({ kind }) => kind !== 'thinking');
    const places = new Map(candidates.map((each) => [placeOf(each.messageId, each.index), each]));
    for (; known < reply; known++) addMessage(history[known] as Message, places, future);
    for (const candidate of candidates) {
      const age = source.requests() - candidate.addedAt + 1;
      if (!AGES.has(age)) continue;
      const needed = future.nextNeedOf(candidate.block, request);
      const isNeeded = needed !== undefined && needed - request < HORIZON_REQUESTS;
      if (!isNeeded && replies.length - request < HORIZON_REQUESTS) continue;
      const features = source.featuresOf(candidate);
      samples.push({ features, age, tokens: candidate.tokens, isNeeded });
    }
  }
  return samples;
}

const placeOf = (messageId: string, index: number): string => `${messageId} ${index}`;

function addMessage(
  message: Message,
  places: ReadonlyMap<string, Candidate>,
  future: ReturnType<typeof createFutureNeeds>,
): void {
  for (const [index, block] of message.content.entries()) {
    const candidate = places.get(placeOf(message.id, index));
    if (candidate === undefined) future.addLasting(block);
    else future.addClearable(candidate.block, goneWith(candidate.block));
  }
}
