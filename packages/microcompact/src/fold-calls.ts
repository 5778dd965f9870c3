import type { ToolResultBlock } from '@varve/messages';
import type { RatedCall } from './call-facts.ts';
import type { Candidate } from './candidate.ts';
import type { Live, NameRecord, ViewState } from './fold-state.ts';
import { isCleared } from './placeholder.ts';

/** A call was made: whatever it names is used, and edited if the tool edits. */
export function noteCall(
  { names }: ViewState,
  facts: RatedCall,
  { request, order }: { readonly request: number; readonly order: number },
): void {
  for (const name of facts.names) recordOf(names, name).lastUseAt = request;
  if (facts.path === undefined || !changesFiles(facts)) return;
  const record = recordOf(names, facts.path);
  record.lastEditAt = request;
  record.lastEditOrder = order;
}

export interface ResultAdded {
  readonly block: ToolResultBlock;
  readonly order: number;
  readonly candidate: Live | undefined;
  /** In requests, if it is cleared. */
  readonly clearedAt: number;
}

/** A result came: the newest output of its call, and the end of errors that its success answers. */
export function noteResult(state: ViewState, facts: RatedCall, added: ResultAdded): void {
  const { block, order, candidate, clearedAt } = added;
  const { key, path } = facts;
  if (key !== undefined) {
    state.newestOrder.set(key, order);
    if (isCleared(block)) firstCleared(state, key, clearedAt);
  }
  if (block.is_error === true) {
    if (candidate) openError(state, errorKey(facts), candidate);
    return;
  }
  if (path !== undefined && facts.toolClass === 'read') {
    recordOf(state.names, path).lastReadOrder = order;
  }
  for (const error of state.openErrors.get(errorKey(facts)) ?? []) error.unacted = false;
  state.openErrors.delete(errorKey(facts));
}

/** The output of a call was cleared: a later call that asks the same repeats it. */
export function noteCleared(state: ViewState, { kind, callKey }: Live, request: number): void {
  if (kind === 'result' && callKey !== undefined) firstCleared(state, callKey, request);
}

/** The first time counts: clearing one more old output does not make the newest one less of a repetition. */
function firstCleared({ clearedAt }: ViewState, key: string, request: number): void {
  clearedAt.set(key, Math.min(request, clearedAt.get(key) ?? request));
}

function openError({ openErrors }: ViewState, key: string, candidate: Live): void {
  const open = openErrors.get(key);
  if (open) open.push(candidate);
  else openErrors.set(key, [candidate]);
}

const errorKey = ({ toolName, path }: RatedCall): string => `${toolName} ${path ?? ''}`;

const changesFiles = ({ toolClass }: RatedCall): boolean =>
  toolClass === 'edit' || toolClass === 'write';

function recordOf(names: Map<string, NameRecord>, name: string): NameRecord {
  let record = names.get(name);
  if (!record) {
    record = { lastUseAt: -1, lastEditAt: -1, lastReadOrder: -1, lastEditOrder: -1 };
    names.set(name, record);
  }
  return record;
}

/** The request in which a candidate was last used. */
export function lastUseAt({ names }: ViewState, candidate: Candidate): number {
  let last = candidate.addedAt;
  for (const name of candidate.names) last = Math.max(last, names.get(name)?.lastUseAt ?? -1);
  if (candidate.handle !== undefined) {
    last = Math.max(last, names.get(candidate.handle)?.lastUseAt ?? -1);
  }
  return last;
}
