/** What is told of a block that could be needed again; see `needFeatures`. */
export type NeedFeature =
  | 'logAge'
  | 'logTokens'
  | 'read'
  | 'search'
  | 'shell'
  | 'editInput'
  | 'otherInput'
  | 'sinceNamed'
  | 'mentions'
  | 'pathUses'
  | 'superseded'
  | 'sameTurn'
  | 'coverage';

/** A logistic model of whether something is needed again within so many requests. */
export interface NeedWeights {
  readonly horizonRequests: number;
  readonly intercept: number;
  readonly weights: Readonly<Record<NeedFeature, number>>;
  /** What the sum is multiplied by and what is then added, so that of what is said to be needed with one in four, one in four is. */
  readonly calibration: { readonly scale: number; readonly shift: number };
}

/**
 * Fitted on 33,435 samples (a result or input of 200 tokens and more at an age of 2, 3, 5, 8, 12, 18, 27, 40, 60, 90, 135 or 200
 * requests) of the 22 long sessions of docs/results.md, seven projects and more, 15 % of them needed within 30 requests.
 * Held out, project by project: AUC .829 (.747 by age and kind of tool alone), at equal age .745 (.572), weighted by tokens
 * .832; said and found .05 / .06, .13 / .14, .23 / .24, .34 / .32, .46 / .46, .54 / .53.
 */
export const NEED_WEIGHTS: NeedWeights = {
  horizonRequests: 30,
  intercept: -0.73,
  weights: {
    logAge: -0.833,
    logTokens: 0.292,
    read: -0.929,
    search: -1.212,
    shell: -1.723,
    editInput: -0.358,
    otherInput: -0.338,
    sinceNamed: -0.333,
    mentions: 0.366,
    pathUses: -0.034,
    superseded: -1.26,
    sameTurn: 0.228,
    coverage: -3.228,
  },
  calibration: { scale: 0.957, shift: -0.053 },
};
