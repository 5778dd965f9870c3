import type { OwnCall } from '../../strategy.ts';

/** Calls that were made and not handed over yet. */
export interface OwnCalls {
  made(call: OwnCall): void;
  take(): readonly OwnCall[];
}

export function createOwnCalls(): OwnCalls {
  let calls: OwnCall[] = [];
  return {
    made: (call) => void calls.push(call),
    take() {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
}
