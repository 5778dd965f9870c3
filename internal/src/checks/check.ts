/** One thing `pnpm test` holds besides the tests. Returns what is wrong, one line each; nothing when all is well. */
export interface Check {
  readonly name: string;
  run(): Promise<readonly string[]>;
}
