import { formatRatio } from '../../report/format.ts';
import type { Foresight } from '../fidelity-schema.ts';

/** What was found, in words; empty where no compaction was recorded. */
export function foresightText(foresight: Foresight | null): string {
  if (foresight === null) return '';
  const { compactions, sessions, edits, lost, readAgain, usualEdits, usualReadAgain } = foresight;
  const { differenceLow, differenceHigh, auc, aucWithUsual } = foresight;
  const share = (value: number | null): string => formatRatio(value, 2);
  return `Does a loss show in what is read again? Behind ${compactions} recorded compactions of ${sessions} sessions stand ${edits} first edits of files that were in work; ${share(lost)} of what they need was no longer to be seen, and before ${share(readAgain)} of them the file was looked at again. Behind other places of the same sessions it was ${share(usualReadAgain)} of ${usualEdits}; the difference has a 95 % interval of ${share(differenceLow)} to ${share(differenceHigh)} over sessions. How much an edit has lost tells with an AUC of ${share(auc)} which of those behind compactions are read again, and of ${share(aucWithUsual)} among all.`;
}
