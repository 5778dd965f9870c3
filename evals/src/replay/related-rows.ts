import type { ReportRow } from '../report/report-schema.ts';
import { share } from './metrics.ts';

/** Rows of one session in one window, each with its cost relative to what was sent, and what foresight would pay of it. */
export function relatedRows(rows: readonly ReportRow[]): readonly ReportRow[] {
  const priced = (name: string): number | undefined =>
    rows.find(({ strategy, invalidRequests }) => strategy === name && invalidRequests === 0)
      ?.dollars;
  const [asItWas, oracle] = [priced('as-it-was'), priced('legal-oracle')];
  return rows.map((row) => {
    const isComparable = row.relativeToKeepAll !== null;
    return {
      ...row,
      relativeToAsItWas: isComparable && asItWas !== undefined ? share(row.dollars, asItWas) : null,
      oracleShare: isComparable && oracle !== undefined ? share(oracle, row.dollars) : null,
    };
  });
}
