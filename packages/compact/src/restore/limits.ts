/** How much a restoration may bring back. Sizes in tokens. */
export interface RestoreLimits {
  /** Files with content. */
  readonly files: number;
  readonly fileTokens: number;
  readonly allFileTokens: number;
  /** Further files, by path only. */
  readonly namedFiles: number;
  readonly skillTokens: number;
  readonly allSkillTokens: number;
  /** The list of stored results. */
  readonly storedTokens: number;
}

export const RESTORE_LIMITS: RestoreLimits = {
  files: 5,
  fileTokens: 5_000,
  allFileTokens: 50_000,
  namedFiles: 10,
  skillTokens: 5_000,
  allSkillTokens: 25_000,
  storedTokens: 1_200,
};
