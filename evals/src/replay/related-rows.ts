import type { ReportRow } from '../report/report-schema.ts';
import { AS_IT_WAS } from '../strategies/as-it-was.ts';
import { LEGAL_ORACLE } from '../strategies/legal-oracle.ts';
import { share } from './metrics.ts';

/** Rows of one session in one window, each with its cost relative to what was sent, and what foresight would pay of it. */
export function relatedRows(rows: readonly ReportRow[]): readonly ReportRow[] {
  const priced = (name: string): number | undefined =>
    rows.find(({ strategy, invalidRequests }) => strategy === name && invalidRequests === 0)
      ?.dollars;
  const asItWas = priced(AS_IT_WAS);
  const oracles = [LEGAL_ORACLE, `${LEGAL_ORACLE}+fold`].flatMap((name) => priced(name) ?? []);
  const oracle = oracles.length > 0 ? Math.min(...oracles) : undefined;
  return rows.map((row) => {
    const isComparable = row.relativeToKeepAll !== null;
    return {
      ...row,
      relativeToAsItWas: isComparable && asItWas !== undefined ? share(row.dollars, asItWas) : null,
      oracleShare: isComparable && oracle !== undefined ? share(oracle, row.dollars) : null,
    };
  });
}
