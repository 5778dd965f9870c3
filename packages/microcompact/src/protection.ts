import type { Candidate, Protection } from './candidate.ts';
import type { FoldRules, LogMemory, ViewState } from './fold-state.ts';

interface Fold {
  readonly rules: FoldRules;
  readonly memory: LogMemory;
  readonly state: ViewState;
}

/** Why a candidate must stay, the strongest reason first. */
export function protectionOf(
  fold: Fold,
  candidate: Candidate,
  keepRecent: number,
): Protection | undefined {
  const { state } = fold;
  if (candidate.round === state.round) return 'newest-round';
  if (candidate.unacted) return 'unacted-error';
  if (isStillEdited(fold, candidate)) return 'still-edited-file';
  if (isRepeated(state, candidate)) return 'repeated-call';
  return candidate.ordinal >= state.results - keepRecent ? 'recent' : undefined;
}

/** The last read of a file that was edited a short while ago, or the last edit of it: the next edit builds on them. */
function isStillEdited({ state, memory, rules }: Fold, candidate: Candidate): boolean {
  const record = candidate.path === undefined ? undefined : state.names.get(candidate.path);
  if (!record || record.lastEditAt < 0) return false;
  if (memory.requests - record.lastEditAt > rules.editingRequests) return false;
  return candidate.order === record.lastReadOrder || candidate.order === record.lastEditOrder;
}

/** The newest output of a call that was made again after an earlier output of it had been cleared. */
function isRepeated(state: ViewState, { kind, callKey, order, addedAt }: Candidate): boolean {
  if (kind !== 'result' || callKey === undefined) return false;
  const clearedAt = state.clearedAt.get(callKey);
  return clearedAt !== undefined && addedAt > clearedAt && state.newestOrder.get(callKey) === order;
}
