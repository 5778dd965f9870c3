/** What a person decided, and decided otherwise later. */
export interface Decision {
  readonly before: string;
  readonly after: string;
  /** The value that holds no longer, and the one that does. */
  readonly old: string;
  readonly current: string;
}

export const DECISIONS: readonly ((old: number, current: number) => Decision)[] = [
  (old, current) =>
    decision(old, current, (n, again) => `${again ? 'No, use' : 'Use'} port ${n} for the preview.`),
  (old, current) =>
    decision(old, current, (n, again) =>
      again ? `Set the timeout to ${n} ms instead.` : `Always set the timeout to ${n} ms.`,
    ),
  (old, current) =>
    decision(old, current, (n, again) =>
      again
        ? `The release branch is now release/${n}.`
        : `The release branch is release/${n}, keep to it.`,
    ),
];

const decision = (
  old: number,
  current: number,
  say: (value: number, again: boolean) => string,
): Decision => ({
  before: say(old, false),
  after: say(current, true),
  old: String(old),
  current: String(current),
});
