import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isWhole, oneIn } from '../../internal/src/share.ts';
import { defaultSessions } from '../src/default-paths.ts';
import { runFidelity } from '../src/fidelity/run-fidelity.ts';
import { everyNth } from './files.ts';

const { VARVE_SESSIONS: recorded = '', VARVE_SOAK } = process.env;
/** Every fourth session; all of them take minutes, and come with `pnpm soak`. */
const SHARE = VARVE_SOAK ? 1 : 4;
const compactors = ['ledger-compact'];
const budgets = [0.1, 0.2];

const own = readdirSync(defaultSessions()).map((name) => join(defaultSessions(), name));

/**
 * Shares of what is asked of a compaction without a model: of the vital facts at 10 %, of what people said at 20 %, after five in
 * a row of the first. They are those of all sessions together; one alone may be too small for its budget.
 */
const corpora = [
  ['our own sessions', oneIn(2, own), { vital: 0.8, said: 0.99, later: 0.95 }],
  [
    'recorded sessions',
    oneIn(6, everyNth(recorded, SHARE)),
    isWhole ? { vital: 0.7, said: 0.99, later: 0.9 } : { vital: 0.5, said: 0.5, later: 0.5 },
  ],
] as const;

describe.for(corpora)('ledger-compact on %s (C17, EVALS 4)', ([, sessions, least]) => {
  test.skipIf(sessions.length === 0)(
    'keeps the vital facts, everybody’s words and every condition, and makes nothing up',
    async () => {
      const { totals, stabilityTotals, attackTotals } = await runFidelity({
        sessions,
        compactors,
        budgets,
      });
      const at = (budget: number) =>
        totals.find((each) => each.compactor === 'ledger-compact' && each.budget === budget);
      expect(at(0.1)?.vital).toBeGreaterThanOrEqual(least.vital);
      expect(at(0.2)?.types['user-message']).toBeGreaterThan(least.said);
      for (const budget of budgets) {
        expect(at(budget)).toMatchObject({ fabricated: 0, wrongClaims: 0 });
      }
      const rounds = stabilityTotals.find(({ compactor }) => compactor === 'ledger-compact');
      const [first, ...later] = rounds?.vital ?? [];
      for (const each of later) expect(each).toBeGreaterThanOrEqual((first ?? 1) * least.later);
      expect(rounds?.survived).toBe(rounds?.canaries);
      expect(rounds?.canaries).toBeGreaterThan(0);
      const [attacked] = attackTotals;
      expect(attacked).toMatchObject({
        ...{ stale: 0, promoted: 0, leaked: 0 },
        ...{ survived: attacked?.canaries, current: attacked?.decisions },
      });
      expect(attacked?.orders).toBeGreaterThan(0);
    },
  );
});
