/**
 * The share of a warm prefix that is lost for no reason in the file: a prior, moved by what the session itself shows. A
 * rule cannot say when such a miss comes, but its expected value belongs into a bill.
 */
export interface LossRate {
  rate(): number;
  /** A request that should have read everything lost this share of it, from 0 to 1. */
  observe(lostShare: number): void;
}

/** `strength`: after how many requests of the session they count as much as the prior. */
export function createLossRate(prior: number, strength: number): LossRate {
  let [lost, requests] = [prior * strength, strength];
  return {
    rate: () => lost / requests,
    observe(lostShare) {
      lost += lostShare;
      requests += 1;
    },
  };
}
