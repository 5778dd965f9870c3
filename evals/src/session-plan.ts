import { createEstimator } from '@varve/tokens';
import type { ImportedThread } from '@varve/transcript/import';
import { type Cut, hindsightCuts } from './hindsight.ts';
import { type LowerBounds, lowerBounds } from './lower-bounds.ts';
import type { Pricing } from './pricing.ts';
import { createRecording, type Recording } from './recording.ts';
import {
  createSessionDemand,
  type SessionDemand,
  type SessionDemandOptions,
} from './session-demand.ts';

/** What of a session does not depend on the strategy; read once, replayed as often as there are strategies. */
export interface SessionPlan {
  readonly recording: Recording;
  readonly pricing: Pricing;
  readonly demand: SessionDemand;
  readonly cuts: readonly Cut[];
  readonly bounds: LowerBounds;
}

/** Prepares a thread for its replays. */
export function planSession(
  thread: ImportedThread,
  pricing: Pricing,
  options: SessionDemandOptions = {},
): SessionPlan {
  const estimator = createEstimator({ family: pricing.model.tokenizer });
  const { profile, model, rates } = pricing;
  const recording = createRecording(thread, { profile, modelId: model.id, estimator });
  const { history, replies, sizes, headSize } = recording;
  const demand = createSessionDemand(history, options);
  const input = { history, replies, demand, sizeOf: sizes.message };
  return {
    recording,
    pricing,
    demand,
    cuts: hindsightCuts(input),
    bounds: lowerBounds({ ...input, headTokens: headSize.tokens, rates }),
  };
}
