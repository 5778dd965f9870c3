import { isRecord } from '@varve/guards';
import { fingerprint, type Json } from '@varve/messages';
import { isSame, type Mark, markBy, withoutText } from './mark.ts';
import type { KeptReason, StoredReason, TruncatedReason } from './outcome.ts';

/** What was decided about one result, for good: the model has seen it so. Plain JSON. */
export type Decision = { readonly toolUseId: string; readonly fingerprint: string } & Verdict;

/** The same, without what it is about. */
export type Verdict =
  | {
      readonly kind: 'kept';
      readonly reason: KeptReason;
      /** It stands in the context without its terminal escapes. */
      readonly isClean?: true | undefined;
    }
  | ({ readonly kind: 'stored'; readonly reason: StoredReason; readonly handle: string } & Shown)
  | ({ readonly kind: 'truncated'; readonly reason: TruncatedReason } & Shown);

/** A verdict and the content that it is about. */
interface Known {
  readonly toolUseId: string;
  mark: Mark;
  readonly verdict: Verdict;
}

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

/** What was decided about the results of a call. */
interface OfCall {
  readonly list: Known[];
  /** Where there are many: some clients give every call the same id. */
  byFingerprint?: Map<string, Known>;
}

/** So many contents are compared one by one; there is hardly ever more than one. */
const FEW = 8;

/** Decisions by call id and content: an id that comes again with another result is another decision. */
export function createDecisions(initial: readonly Decision[] = []) {
  const all: Known[] = [];
  const byCall = new Map<string, OfCall>();
  const fresh: Known[] = [];
  const hashes = new Map<string, string>();
  /** Their texts are not in the log yet, and may never be. */
  let unseen: Known[] = [];

  function entryOf(toolUseId: string, mark: Mark): Known | undefined {
    const ofCall = byCall.get(toolUseId);
    if (ofCall === undefined) return undefined;
    if (ofCall.list.length <= FEW) return ofCall.list.find((known) => isSame(known.mark, mark));
    ofCall.byFingerprint ??= new Map(ofCall.list.map((known) => [known.mark.fingerprint(), known]));
    return ofCall.byFingerprint.get(mark.fingerprint());
  }

  /** The first one holds. */
  function put(toolUseId: string, mark: Mark, verdict: Verdict): Known | undefined {
    if (entryOf(toolUseId, mark) !== undefined) return undefined;
    const known = { toolUseId, mark, verdict };
    all.push(known);
    const ofCall = byCall.get(toolUseId) ?? { list: [] };
    byCall.set(toolUseId, ofCall);
    ofCall.list.push(known);
    ofCall.byFingerprint?.set(mark.fingerprint(), known);
    if (verdict.kind === 'stored') hashes.set(verdict.handle, verdict.hash);
    if (verdict.kind !== 'kept') put(toolUseId, markBy(fingerprint(verdict.shown)), SEEN);
    return known;
  }

  function restore({ toolUseId, fingerprint: known, ...verdict }: Decision): void {
    put(toolUseId, markBy(known), verdict);
  }

  for (const decision of initial) restore(decision);
  return {
    find: (toolUseId: string, mark: Mark) => entryOf(toolUseId, mark)?.verdict,
    restore,
    /** What stands in the context already stays as it is, what we put there above all. Its text is held by the log as well. */
    see(toolUseId: string, mark: Mark): void {
      const known = entryOf(toolUseId, mark);
      if (known === undefined) put(toolUseId, mark, SEEN);
      else known.mark = mark;
      if (unseen.length > 0) unseen = unseen.filter((each) => each !== known);
    },
    add(toolUseId: string, mark: Mark, verdict: Verdict): void {
      const known = put(toolUseId, mark, verdict);
      if (known === undefined) return;
      if (verdict.kind !== 'kept') fresh.push(known); // the message itself tells what was kept
      unseen.push(known);
    },
    /** Lets go of the texts of a round that no log has shown since: who has no log would keep each of them here. */
    letGo(): void {
      for (const known of unseen) known.mark = withoutText(known.mark);
      unseen = [];
    },
    /** Hash of what was stored under a handle, as far as it is known here. */
    hashOf: (handle: string): string | undefined => hashes.get(handle),
    handles: (): string[] => [...hashes.keys()],
    all: (): Decision[] => all.map(toDecision),
    /** The decisions since the last call that a message alone does not tell. */
    takeFresh: (): Decision[] => fresh.splice(0).map(toDecision),
  };
}

const SEEN: Verdict = { kind: 'kept', reason: 'seen' };

const toDecision = ({ toolUseId, mark, verdict }: Known): Decision => ({
  toolUseId,
  fingerprint: mark.fingerprint(),
  ...verdict,
});

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
