/**
 * What a check found. `quote-removed`: the user never said it; `quote-unverified`: close to what the user said, marked;
 * `invented-name`: a path, URL or identifier that never occurred; `invented-approval`: an approval that no person gave, taken
 * out; `stale-value` and `stale-claim`: was true once;
 * `missing-facts`: appended.
 */
export type FindingKind =
  | 'quote-removed'
  | 'quote-unverified'
  | 'invented-name'
  | 'invented-approval'
  | 'stale-value'
  | 'stale-claim'
  | 'missing-facts';

export interface Finding {
  readonly kind: FindingKind;
  /** What was found, in words of the summary. */
  readonly detail: string;
}

/** A text after one check. */
export interface Repaired {
  readonly text: string;
  readonly findings: readonly Finding[];
}
