export interface ThresholdWatchOptions {
  readonly thresholdTokens: number;
  /** Called once each time the size reaches the threshold from below. */
  readonly onCross?: ((tokens: number) => void) | undefined;
}

export interface ThresholdWatch {
  /**
   * Takes the size of the next request. `crossed` the first time it is at or above the threshold, then `above` until it
   * was `below` again.
   */
  update(tokens: number): 'below' | 'crossed' | 'above';
}

/** Says once that a threshold was reached, however many sizes above it follow. */
export function createThresholdWatch(options: ThresholdWatchOptions): ThresholdWatch {
  const { thresholdTokens, onCross } = options;
  let isAbove = false;
  return {
    update(tokens) {
      const was = isAbove;
      isAbove = tokens >= thresholdTokens;
      if (!isAbove) return 'below';
      if (was) return 'above';
      onCross?.(tokens);
      return 'crossed';
    },
  };
}
