import { isRecord } from '@varve/guards';
import { fingerprint, type Json } from '@varve/messages';
import type { KeptReason, StoredReason, TruncatedReason } from './outcome.ts';

/** What was decided about one result, for good: the model has seen it so. Plain JSON. */
export type Decision = { readonly toolUseId: string; readonly fingerprint: string } & (
  | {
      readonly kind: 'kept';
      readonly reason: KeptReason;
      /** It stands in the context without its terminal escapes. */
      readonly isClean?: true | undefined;
    }
  | ({ readonly kind: 'stored'; readonly reason: StoredReason; readonly handle: string } & Shown)
  | ({ readonly kind: 'truncated'; readonly reason: TruncatedReason } & Shown)
);

interface Shown {
  /** The text that stands in place of the result's text. */
  readonly shown: string;
  readonly bytes: number;
  readonly lines: number;
  /** `sha256:…` of what was stored. */
  readonly hash: string;
}

/** What a storage writes into the log, and finds there again. */
export const NOTE_BY = 'tool-storage';

/** Decisions by call id and content: an id that comes again with another result is another decision. */
export function createDecisions(initial: readonly Decision[] = []) {
  const known = new Map<string, Decision>();
  const fresh: Decision[] = [];
  const keyOf = ({ toolUseId, fingerprint }: Pick<Decision, 'toolUseId' | 'fingerprint'>) =>
    `${fingerprint} ${toolUseId}`;
  const hashes = new Map<string, string>();
  /** The first one holds. */
  const restore = (decision: Decision): boolean => {
    const key = keyOf(decision);
    if (known.has(key)) return false;
    known.set(key, decision);
    if (decision.kind === 'stored') hashes.set(decision.handle, decision.hash);
    if (decision.kind !== 'kept') see(decision.toolUseId, fingerprint(decision.shown));
    return true;
  };
  /** What stands in the context already stays as it is, what we put there above all. */
  const see = (toolUseId: string, shownFingerprint: string): void => {
    restore({ toolUseId, fingerprint: shownFingerprint, kind: 'kept', reason: 'seen' });
  };
  for (const decision of initial) restore(decision);
  return {
    find: (toolUseId: string, fingerprint: string) => known.get(keyOf({ toolUseId, fingerprint })),
    restore,
    see,
    add(decision: Decision) {
      const isNew = restore(decision);
      if (isNew && decision.kind !== 'kept') fresh.push(decision); // the message itself tells what was kept
    },
    /** Hash of what was stored under a handle, as far as it is known here. */
    hashOf: (handle: string): string | undefined => hashes.get(handle),
    handles: (): string[] => [...hashes.keys()],
    all: (): Decision[] => [...known.values()],
    /** The decisions since the last call that a message alone does not tell. */
    takeFresh: (): Decision[] => fresh.splice(0),
  };
}

export type Decisions = ReturnType<typeof createDecisions>;

/** The decisions in a note; what is none is left out. */
export function decisionsIn(data: Json): Decision[] {
  const list = isRecord(data) ? data.decisions : undefined;
  return Array.isArray(list) ? (list as unknown[]).filter(isDecision) : [];
}

function isDecision(value: unknown): value is Decision {
  if (!isRecord(value)) return false;
  const { kind, reason, shown, handle, toolUseId, fingerprint, hash, bytes, lines } = value;
  if (![toolUseId, fingerprint, reason].every(isString)) return false;
  if (kind === 'kept') return true;
  const isWhole = [shown, hash].every(isString) && [bytes, lines].every(Number.isInteger);
  return isWhole && (kind === 'truncated' || (kind === 'stored' && isString(handle)));
}

const isString = (value: unknown): value is string => typeof value === 'string';
