import { isAbortError, untilAborted } from '@varve/guards';
import { attachment } from './attachment.ts';
import { headWithin, type SizeOf } from './head-within.ts';
import type { RestoreLimits } from './limits.ts';
import type { IsShown } from './shown.ts';

/** Reads a file as text; undefined where there is none. */
export type ReadFile = (
  path: string,
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<string | undefined>;

export interface RestoredFile {
  readonly path: string;
  /** Whether all of it is there; an edit of one that is not needs a fresh read. */
  readonly whole: boolean;
}

/** What became of the files that were asked for. */
export interface FileRestoration {
  readonly restored: readonly RestoredFile[];
  /** By path only. */
  readonly named: readonly string[];
  /** What stays shows them as they are. */
  readonly shown: readonly string[];
  readonly missing: readonly string[];
  /** Could not be read. */
  readonly failed: readonly { readonly path: string; readonly cause: unknown }[];
}

export interface FileContext {
  readonly readFile: ReadFile;
  readonly sizeOf: SizeOf;
  readonly isShown: IsShown;
  readonly limits: RestoreLimits;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the newest files again until the limits are reached; the next ones are named. Each path counts once, at its
 * newest read. `reads` are paths, the oldest first.
 */
export async function restoreFiles(
  reads: readonly string[],
  context: FileContext,
): Promise<FileRestoration & { readonly texts: readonly string[]; readonly tokens: number }> {
  const { limits } = context;
  const found = { restored: [], named: [], shown: [], missing: [], failed: [] } as Found;
  const texts: string[] = [];
  let tokens = 0;
  for (const path of new Set(reads.toReversed())) {
    const room = Math.min(limits.fileTokens, limits.allFileTokens - tokens);
    if (found.restored.length >= limits.files || room <= 0) {
      if (found.named.length >= limits.namedFiles) break;
      found.named.push(path);
      continue;
    }
    const text = await restoreFile(path, room, { ...context, found });
    if (text === undefined) continue;
    texts.push(text);
    tokens += context.sizeOf(text);
  }
  return { ...found, texts, tokens };
}

interface Found {
  readonly restored: RestoredFile[];
  readonly named: string[];
  readonly shown: string[];
  readonly missing: string[];
  readonly failed: { path: string; cause: unknown }[];
}

async function restoreFile(
  path: string,
  budgetTokens: number,
  { found, ...context }: FileContext & { readonly found: Found },
): Promise<string | undefined> {
  const read = await readOnce(path, context);
  if (read.kind === 'failed') found.failed.push({ path, cause: read.cause });
  if (read.kind === 'missing') found.missing.push(path);
  if (read.kind !== 'read') return undefined;
  const head = fileHead(path, read.text, { budgetTokens, sizeOf: context.sizeOf });
  const hasNoRoom = head.shown === '' && !head.whole;
  if (hasNoRoom || context.isShown(path, head.shown)) {
    if (!hasNoRoom) found.shown.push(path);
    else if (found.named.length < context.limits.namedFiles) found.named.push(path);
    return undefined;
  }
  found.restored.push({ path, whole: head.whole });
  return head.text;
}

/** The attachment of a file within a budget, its tags included. */
function fileHead(
  path: string,
  content: string,
  { budgetTokens, sizeOf }: { readonly budgetTokens: number; readonly sizeOf: SizeOf },
): { readonly text: string; readonly shown: string; readonly whole: boolean } {
  const tags = sizeOf(attachment('restored-file', '', { path, part: PART }));
  const { text, whole } = headWithin(content, budgetTokens - tags, sizeOf);
  const part = whole ? undefined : PART;
  return { text: attachment('restored-file', text, { path, part }), shown: text, whole };
}

const PART = 'start only; read the file for the rest';

type Read =
  | { readonly kind: 'read'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly cause: unknown };

/** @throws the signal's reason, an `AbortError` unless one was given */
export async function readOnce(
  path: string,
  { readFile, signal }: Pick<FileContext, 'readFile' | 'signal'>,
): Promise<Read> {
  try {
    const text = await untilAborted(() => readFile(path, { signal }), signal);
    return text === undefined ? { kind: 'missing' } : { kind: 'read', text };
  } catch (cause) {
    signal?.throwIfAborted();
    if (isAbortError(cause)) throw cause;
    return { kind: 'failed', cause };
  }
}
