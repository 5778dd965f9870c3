import { type Expectation, isRecord } from '@varve/guards';

const isList = (fits: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(fits);

export const A_LEDGER: Expectation = {
  what: 'a ledger, as `createLedger` of `@varve/ledger` makes it',
  fits: (value) =>
    isRecord(value) && ['observe', 'facts'].every((name) => typeof value[name] === 'function'),
};

const isHook = (value: unknown): boolean =>
  isRecord(value) && typeof value.name === 'string' && typeof value.run === 'function';

const HOOKS: Expectation = {
  what: 'a list of hooks `{ name, run }`',
  fits: isList(isHook),
};

/** Hooks by phase. */
export const HOOK_PHASES = { before: HOOKS, sessionStart: HOOKS, after: HOOKS };

export const SOME_HOOKS: Expectation = {
  what: 'an object with lists of hooks `before`, `sessionStart`, `after`',
  fits: (value) => isRecord(value) && Object.keys(value).every((name) => name in HOOK_PHASES),
};
