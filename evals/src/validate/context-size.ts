import { createProjection, type Entry, promptTokens } from '@varve/messages';
import { createTokenMeter, type TokenMeter } from '@varve/tokens';
import type { ImportedThread } from '@varve/transcript/import';

/** How far predicted prompt sizes are from the billed ones, as shares of the billed one, without sign. */
export interface ContextSizeErrors {
  /** Each request from the fourth on, the bill of the one before it known. */
  readonly withUsage: readonly number[];
  /** The same where the last bill lies 50 requests back. */
  readonly afterFifty: readonly number[];
  /** The same where nothing was ever billed: sizes from the transcript alone. */
  readonly transcriptOnly: readonly number[];
  /** First requests after a compaction: whether the meter said that no bill stands behind its size. */
  readonly afterCompaction: readonly { readonly anchored: boolean; readonly error: number }[];
}

const FIRST_SCORED = 3;
const BLIND_REQUESTS = 50;
const BLIND_EVERY = 10;

/** Feeds a thread to token meters and compares what they say before each reply with its bill. */
export function contextSizeErrors(thread: ImportedThread, model: string): ContextSizeErrors {
  const errors = {
    withUsage: [] as number[],
    afterFifty: [] as number[],
    transcriptOnly: [] as number[],
  };
  const afterCompaction: { anchored: boolean; error: number }[] = [];
  const meter = createTokenMeter({ model });
  const blind = createTokenMeter({ model });
  const withUsage = createProjection();
  const withoutUsage = createProjection();
  let forks: Fork[] = [];
  let [requests, isCompacted] = [0, false];
  for (const entry of thread.entries) {
    const billed = billedTokens(entry);
    if (billed !== undefined) {
      const errorOf = (size: ReturnType<TokenMeter['size']>) =>
        Math.abs(size.tokens - billed) / billed;
      const size = meter.size();
      if (isCompacted) afterCompaction.push({ anchored: size.anchored, error: errorOf(size) });
      else if (requests >= FIRST_SCORED) errors.withUsage.push(errorOf(size));
      if (requests >= FIRST_SCORED) errors.transcriptOnly.push(errorOf(blind.size()));
      for (const fork of forks.filter((each) => requests - each.from === BLIND_REQUESTS)) {
        if (!fork.isCompacted) errors.afterFifty.push(errorOf(fork.meter.size()));
      }
      forks = forks.filter((each) => requests - each.from < BLIND_REQUESTS);
      isCompacted = false;
      requests += 1;
    }
    const bare = withoutBill(entry);
    const bareView = withoutUsage.append(bare);
    for (const fork of forks) fork.meter.observe(bare, bareView);
    blind.observe(bare, bareView);
    meter.observe(entry, withUsage.append(entry));
    if (billed !== undefined && requests > FIRST_SCORED && requests % BLIND_EVERY === 0) {
      forks.push({ meter: meter.fork(), from: requests - 1, isCompacted: false });
    }
    if (entry.type !== 'edit') continue;
    isCompacted = true;
    for (const fork of forks) fork.isCompacted = true;
  }
  return { ...errors, afterCompaction };
}

/** A meter that gets no bill from here on. */
interface Fork {
  readonly meter: TokenMeter;
  readonly from: number;
  isCompacted: boolean;
}

function billedTokens(entry: Entry): number | undefined {
  if (entry.type !== 'message' || entry.message.origin?.kind === 'synthetic') return undefined;
  const usage = entry.message.response?.usage;
  const tokens = usage ? promptTokens(usage) : 0;
  return tokens > 0 ? tokens : undefined;
}

function withoutBill(entry: Entry): Entry {
  if (entry.type !== 'message' || !entry.message.response?.usage) return entry;
  const { usage: _usage, ...response } = entry.message.response;
  return { ...entry, message: { ...entry.message, response } };
}
