import { type Calibration, type CalibrationState, createCalibration } from './calibration.ts';
import type { Weight } from './meter-weight.ts';
import { createReplySurplus, type ReplySurplus, type SurplusState } from './reply-surplus.ts';

/** What a meter learned about one model. Plain data. */
export interface ModelLearningState {
  readonly calibration: CalibrationState;
  readonly replies: SurplusState;
}

/** What billed usage teaches about one model's tokens. */
export interface ModelLearning {
  readonly calibration: Calibration;
  readonly replies: ReplySurplus;
  /** Tokens a weight is expected to be billed; not rounded. */
  price(weight: Weight): number;
}

function createModelLearning(state?: ModelLearningState): ModelLearning {
  const calibration = createCalibration({ state: state?.calibration });
  const replies = createReplySurplus(state?.replies);
  return {
    calibration,
    replies,
    price: ({ shown, shownReplies, hiddenReplies, droppedTokens }) =>
      calibration.predict(shown) +
      shownReplies * replies.surplus(false) +
      hiddenReplies * replies.surplus(true) -
      droppedTokens,
  };
}

/** Learnings by model id: what one model's bills teach says nothing about another's. */
export interface Learnings {
  of(modelId: string): ModelLearning;
  state(): Readonly<Record<string, ModelLearningState>>;
}

export function createLearnings(
  states: Readonly<Record<string, ModelLearningState>> = {},
): Learnings {
  const known = new Map<string, ModelLearning>();
  for (const [id, state] of Object.entries(states)) known.set(id, createModelLearning(state));
  return {
    of(modelId) {
      const found = known.get(modelId) ?? createModelLearning();
      known.set(modelId, found);
      return found;
    },
    state: () => Object.fromEntries([...known].map(([id, learning]) => [id, stateOf(learning)])),
  };
}

const stateOf = ({ calibration, replies }: ModelLearning): ModelLearningState => ({
  calibration: calibration.state(),
  replies: replies.state(),
});
