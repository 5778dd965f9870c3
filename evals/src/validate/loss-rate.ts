/**
 * The share of a warm prefix that is lost for no reason in the file: a prior, moved by what the session itself shows. A
 * rule cannot say when such a miss comes, but its expected value belongs into a bill.
 */
export interface LossRate {
  /** Of a request with this prior. @default that of the session */
  rate(prior?: number): number;
  /** A request that should have read everything lost this share of it, from 0 to 1. */
  observe(lostShare: number, prior?: number): void;
}

/** `strength`: after how many requests of the session they count as much as the prior. */
export function createLossRate(base: number, strength: number): LossRate {
  let [lost, expected] = [base * strength, base * strength];
  return {
    rate: (prior = base) => Math.min(1, expected > 0 ? (prior * lost) / expected : prior),
    observe(lostShare, prior = base) {
      lost += lostShare;
      expected += prior;
    },
  };
}
