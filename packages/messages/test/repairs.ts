import { syntheticResult } from '../src/fit.ts';
import { repairHistory } from '../src/index.ts';
import type { TestMessage } from './build.ts';
import { free } from './profiles.ts';

export const repair = (messages: readonly TestMessage[], profile = free) =>
  repairHistory(messages, { profile });

/** Kinds with their places, as `kind@message.block`. */
export const done = (messages: readonly TestMessage[], profile = free) =>
  repair(messages, profile).repairs.map(
    ({ kind, messageIndex, blockIndex }) =>
      `${kind}@${[messageIndex, blockIndex].filter((part) => part !== undefined).join('.')}`,
  );

/** What stands for the result of a call whose outcome nobody knows. */
export const unknown = (id: string) => ({ ...syntheticResult(id) });
