/**
 * The code that several packages had copies of and that stands in one place now: who said what, cuts, thinking, replies,
 * tools, receipts and locks, guards, redaction and the ledger. `pnpm mutants` takes it where no path is given.
 */
export const MOVED_CODE: readonly string[] = [
  'packages/guards/src',
  'packages/ledger/src',
  'packages/redact/src',
  ...[
    'close-round.ts',
    'entry-shape.ts',
    'legal-cuts.ts',
    'log-index.ts',
    'open-requests.ts',
    'persons.ts',
    'receipt.ts',
    'rounds.ts',
    'sound-reply.ts',
    'stale-thinking.ts',
    'stopped-section.ts',
    'synthetic-result.ts',
    'thinking-drops.ts',
    'tools',
    'who-said.ts',
  ].map((name) => `packages/messages/src/${name}`),
  ...['lock-holder.ts', 'process-identity.ts', 'take-lock.ts', 'take-log-lock.ts'].map(
    (name) => `packages/transcript/src/node/${name}`,
  ),
];
