/** What of replies cannot be seen in them, in tokens per reply: learned means. */
export interface ReplySurplus {
  /** Takes what one reply was billed beyond what it shows, and how much of that was thinking. */
  learn(reply: { hidden: boolean; surplusTokens: number; thinkingTokens: number }): void;
  /** Expected tokens a reply costs beyond what it shows. */
  surplus(hidden: boolean): number;
  /** Expected tokens of thinking a reply does not show. */
  thinking(hidden: boolean): number;
  state(): SurplusState;
}

/** Plain data. `hidden` replies carry thinking blocks that show no text. */
export interface SurplusState {
  readonly shown: SurplusMean;
  readonly hidden: SurplusMean;
}

interface SurplusMean {
  readonly replies: number;
  readonly surplusTokens: number;
  readonly thinkingTokens: number;
}

// Sums, begun with a guess that counts like two replies; the guess for hidden thinking is a short one.
const UNTAUGHT: SurplusState = {
  shown: { replies: 2, surplusTokens: 0, thinkingTokens: 0 },
  hidden: { replies: 2, surplusTokens: 600, thinkingTokens: 600 },
};

/** Each reply weighs this much of the one after it. */
const MEMORY = 0.97;

/** Creates the means of one model. */
export function createReplySurplus(state: SurplusState = UNTAUGHT): ReplySurplus {
  let current = state;
  const lane = (hidden: boolean) => (hidden ? current.hidden : current.shown);
  return {
    learn({ hidden, surplusTokens, thinkingTokens }) {
      const before = lane(hidden);
      const after = {
        replies: before.replies * MEMORY + 1,
        surplusTokens: before.surplusTokens * MEMORY + Math.max(0, surplusTokens),
        thinkingTokens: before.thinkingTokens * MEMORY + Math.max(0, thinkingTokens),
      };
      current = hidden ? { ...current, hidden: after } : { ...current, shown: after };
    },
    surplus: (hidden) => lane(hidden).surplusTokens / lane(hidden).replies,
    thinking: (hidden) => lane(hidden).thinkingTokens / lane(hidden).replies,
    state: () => current,
  };
}
