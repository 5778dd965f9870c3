import { materialOf, type OutputContent, restoreContent } from '../content.ts';
import type { Decisions } from '../decisions.ts';
import { ToolStorageError } from '../error.ts';
import { readableForm } from '../escapes.ts';
import { extensionOf } from '../keys.ts';
import type { Logged } from '../logged.ts';
import type { Settings } from '../options.ts';
import type { Shelf } from '../shelf.ts';
import type { StoreCallOptions } from '../store.ts';
import { listingText, type StoredResult } from './listing.ts';
import type { ReadRange } from './page.ts';
import { readableText, readRange } from './read.ts';
import { describePage, parseReadInput, readToolDefinition } from './tool.ts';

interface ReadingParts {
  readonly settings: Settings;
  readonly shelf: Shelf;
  readonly decisions: Decisions;
  readonly logged: Logged;
  readonly listing: () => readonly StoredResult[];
}

/** Reading back, for code and for the model. */
export function createReading({ settings, shelf, decisions, logged, listing }: ReadingParts) {
  const { readToolName, readChars } = settings;

  async function load(handle: string, options: StoreCallOptions = {}): Promise<OutputContent> {
    options.signal?.throwIfAborted();
    const whole = logged.find(handle);
    if (whole !== undefined) return whole;
    const hash = decisions.hashOf(handle);
    const bytes = await shelf.get(handle, options, hash !== undefined);
    if (hash !== undefined && (await isDamaged(bytes, hash, settings))) throw damaged();
    return restored(bytes, handle, hash);
  }

  async function read(
    handle: string,
    range: ReadRange = { page: 1 },
    options: StoreCallOptions = {},
  ) {
    return readRange(readableText(await load(handle, options)), range, readChars);
  }

  return {
    load,
    read,
    async remove(handle: string, options: StoreCallOptions = {}) {
      await shelf.remove(handle, options);
      logged.remove(handle);
    },
    readTool: readToolDefinition(readToolName),
    async runReadTool(input: unknown, options: StoreCallOptions = {}) {
      try {
        const call = parseReadInput(input);
        const text =
          call.handle === undefined
            ? listingText(listing())
            : readableText(await load(call.handle, options));
        const page = readRange(readableForm(text).toWellFormed(), call.range, readChars);
        return { content: describePage(call, page), isError: false };
      } catch (error) {
        options.signal?.throwIfAborted();
        return { content: `${readToolName}: ${messageOf(error)}`, isError: true };
      }
    },
  };
}

const FINGERPRINT = 'fingerprint:';

/** What was given, checked by the fingerprint that stands for a hash where there is none. */
function restored(bytes: Uint8Array, handle: string, expected?: string): OutputContent {
  try {
    const content = restoreContent(bytes, extensionOf(handle));
    if (!expected?.startsWith(FINGERPRINT)) return content;
    if (expected === `${FINGERPRINT}${materialOf(content).mark.fingerprint()}`) return content;
  } catch (cause) {
    throw damaged(cause);
  }
  throw damaged();
}

/** By the hash of the time it was stored, where that is the one at hand. */
async function isDamaged(
  bytes: Uint8Array,
  expected: string,
  { hash }: Settings,
): Promise<boolean> {
  if (hash === undefined || !expected.startsWith(`${hash.name}:`)) return false;
  return `${hash.name}:${await hash.of(bytes)}` !== expected;
}

const damaged = (cause?: unknown): ToolStorageError =>
  new ToolStorageError('damaged', 'what is stored is not what was put there; run the tool again', {
    cause,
  });

/** Errors of others may say anything; those of ours say what to do. */
const messageOf = (error: unknown): string =>
  ToolStorageError.is(error) ? error.message : 'the result could not be read; run the tool again';
