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
 * Written by `pnpm fit --sessions ../shared/sessions --write`: 41306 samples of 22 recorded sessions of 8 projects.
 * On projects left out: AUC at equal age 0.751, all pairs pooled; its mean over projects: 0.692 to 0.754.
 */
export const NEED_WEIGHTS: NeedWeights = {
  horizonRequests: 30,
  intercept: -2.377,
  weights: {
    logAge: -0.635,
    logTokens: 0.386,
    read: -0.68,
    search: -1.418,
    shell: -2.237,
    editInput: -0.453,
    otherInput: -0.39,
    sinceNamed: -0.487,
    mentions: 0.343,
    pathUses: -0.156,
    superseded: -0.784,
    sameTurn: 0.425,
    coverage: -2.841,
  },
  calibration: { scale: 0.975, shift: -0.024 },
};
