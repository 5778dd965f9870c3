import type { Estimator } from '@varve/tokens';
import { createModelEstimators } from '@varve/tokens/models';
import type { ImportedThread } from '@varve/transcript/import';
import { type Cut, cutPlaces } from '../demand/hindsight.ts';
import { type LowerBounds, lowerBounds } from '../demand/lower-bounds.ts';
import { createNeeds, type Needs } from '../demand/needs.ts';
import {
  createSessionDemand,
  type Need,
  type SessionDemand,
  type SessionDemandOptions,
} from '../demand/session-demand.ts';
import type { Pricing } from '../resolve-pricing.ts';
import { createRecording, type Recording } from '../session/recording.ts';
import { neededRanges } from './ranges.ts';
import type { RecordedConditions } from './recorded-conditions.ts';
import { createRequestDigests, type RequestDigests } from './request-digests.ts';

/** What of a session does not depend on the strategy; read once, replayed as often as there are strategies. */
export interface SessionPlan {
  readonly thread: ImportedThread;
  readonly recording: Recording;
  readonly pricing: Pricing;
  readonly demand: SessionDemand;
  /** Before every request, of either kind. */
  readonly needs: Readonly<Record<Need, Needs>>;
  /** Where compactions are compared. */
  readonly cuts: readonly Cut[];
  readonly bounds: LowerBounds;
  /** Shared by the replays, so that a recorded message is hashed once. */
  readonly digests: RequestDigests;
  /** What the bills say; undefined without any, and where the session is priced as another model. */
  readonly conditions: RecordedConditions | undefined;
}

export interface PlanSessionOptions extends SessionDemandOptions {
  /** Counts tokens of messages, blocks and tools. @default that of the model's tokenizer */
  readonly estimator?: Pick<Estimator, 'block' | 'message' | 'head'> | undefined;
  /** The conditions that the session ran under. @default the same for every session */
  readonly conditions?: RecordedConditions | undefined;
}

/** Prepares a thread for its replays. */
export function planSession(
  thread: ImportedThread,
  pricing: Pricing,
  options: PlanSessionOptions = {},
): SessionPlan {
  const { profile, model, rates, rereadFactor, rereads } = pricing;
  const { conditions, isGuessable } = options;
  // without another, the one that contexts count with as well, so that what they send is counted already
  const shared = createModelEstimators({ models: [model] })(model.id);
  const { estimator = conditions?.estimator ?? shared } = options;
  const recording = createRecording(thread, { profile, modelId: model.id, estimator });
  const { history, replies, sizes, headSize } = recording;
  const demand = createSessionDemand(history, { isGuessable });
  const input = { history, replies, demand, sizeOf: sizes.message };
  const needs = { calls: createNeeds(input, 'calls'), words: createNeeds(input, 'words') };
  return {
    thread,
    conditions,
    recording,
    pricing,
    demand,
    needs,
    cuts: cutPlaces(input).map((messageIndex) => ({
      messageIndex,
      calls: needs.calls.before(messageIndex),
      words: needs.words.before(messageIndex),
    })),
    digests: createRequestDigests(),
    bounds: lowerBounds({
      ...input,
      sizeOf: sizes.part,
      headTokens: headSize.tokens,
      rates,
      rereadFactor,
      ...(rereads === 'ranges' && {
        fetchedTokens: (result, units) => sizes.part(neededRanges(result, units, demand.index)),
      }),
    }),
  };
}
