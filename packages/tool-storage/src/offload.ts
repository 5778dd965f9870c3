import type { BlockLike } from '@varve/messages/blocks';
import { type Material, materialOf } from './content.ts';
import type { Decisions, Verdict } from './decisions.ts';
import { type Draft, keptReason, type Limits } from './draft.ts';
import { markBy } from './mark.ts';
import type { Settings } from './options.ts';
import type { KeptReason, StoredReason, ToolOutput } from './outcome.ts';
import { packUp } from './parcel.ts';
import type { Shelf } from './shelf.ts';
import { storedText, truncatedText } from './shown.ts';
import { isSmaller } from './size.ts';
import type { StoreCallOptions } from './store.ts';

export interface Offloading {
  readonly settings: Settings;
  readonly shelf: Shelf;
  readonly decisions: Decisions;
}

export interface DraftOptions extends StoreCallOptions {
  readonly limitsOf: (toolName: string) => Limits;
}

interface StoreOptions extends StoreCallOptions {
  readonly reason: StoredReason;
  /** What may stay of it where it cannot be stored, in UTF-16 units. */
  readonly maxChars: number;
}

export function createOffloading({ settings, shelf, decisions }: Offloading) {
  /** The decision about one result by its own threshold: an old one, or a new one that is not frozen yet. */
  async function draft<B extends BlockLike>(
    output: ToolOutput<B>,
    { limitsOf, signal }: DraftOptions,
  ): Promise<Draft<B>> {
    const material = safeMaterial(output);
    const { toolUseId } = output;
    const found = decisions.find(toolUseId, material.mark);
    if (found !== undefined) {
      await putAgain(found, { toolUseId, material }, { signal });
      return { output, material, isFresh: false, verdict: found };
    }
    const fresh: Draft<B> = { output, material, isFresh: true, verdict: KEPT };
    if (material === UNWRITABLE) return keep(fresh, 'not-json');
    try {
      const limits = limitsOf(output.toolName);
      const reason = keptReason(output, material, { limits, settings });
      if (reason !== undefined) return keep(fresh, reason);
      const maxChars = Math.min(limits.chars, limits.tokens * CHARS_PER_TOKEN);
      const isBinary = material.binary !== undefined;
      return await store(fresh, {
        signal,
        reason: isBinary ? 'binary' : 'over-threshold',
        maxChars,
      });
    } catch (cause) {
      signal?.throwIfAborted();
      return keep({ ...fresh, cause }, 'store-failed'); // a threshold, counter or clock of the caller's failed
    }
  }

  /** Stores a result and puts a preview in its place; keeps it where that would not be smaller. */
  async function store<B extends BlockLike>(
    draft: Draft<B>,
    { reason, maxChars, signal }: StoreOptions,
  ): Promise<Draft<B>> {
    const { output, material } = draft;
    const { query, toolUseId } = output;
    const parcel = await packUp(material, toolUseId, settings);
    const { handle, data, lines, hash } = parcel;
    const facts = { bytes: data.length, lines, hash };
    const shown = storedText(material, parcel, { ...settings, query });
    if (!isWorth(shown, draft)) return keep(draft, 'not-smaller');
    const put = await shelf.put(parcel, { signal });
    if (put.kind === 'put') {
      if (put.isNew) newHandles.add(handle);
      return { ...draft, verdict: { ...facts, kind: 'stored', reason, handle, shown } };
    }
    const { style } = settings.preview;
    const left = truncatedText(material, parcel, { reason: put.reason, style, maxChars, query });
    const failed = { ...draft, cause: put.cause };
    if (!isWorth(left, draft)) return keep(failed, put.reason);
    return {
      ...failed,
      verdict: { ...facts, kind: 'truncated', reason: put.reason, shown: left },
    };
  }

  const isWorth = (shown: string, { material, output }: Draft): boolean =>
    (material.binary !== undefined && output.content instanceof Uint8Array) ||
    isSmaller(shown, material.text, settings.sizeOf);

  /** A preview must not name what is gone: whoever still has the result at hand brings it back. */
  async function putAgain(
    verdict: Verdict,
    { toolUseId, material }: { readonly toolUseId: string; readonly material: Material },
    options: StoreCallOptions,
  ) {
    if (verdict.kind !== 'stored') return;
    try {
      if (!(await shelf.isMissing(verdict.handle, options))) return;
      const parcel = await packUp(material, toolUseId, settings);
      await shelf.put({ ...parcel, handle: verdict.handle }, options);
    } catch {
      options.signal?.throwIfAborted(); // a store that cannot be asked changes nothing about an old decision
    }
  }

  const newHandles = new Set<string>();
  return {
    draft,
    store,
    /** Handles that were put and are not frozen yet. */
    takeNew: (): string[] => {
      const handles = [...newHandles];
      newHandles.clear();
      return handles;
    },
  };
}

/** Where only tokens are limited, what is left of a truncated result is cut by characters. */
const CHARS_PER_TOKEN = 3;

const KEPT: Verdict = { kind: 'kept', reason: 'below-threshold' };

/** A tool that is left alone keeps its escapes; the read tool has taken them out. */
const LEFT_ALONE: readonly KeptReason[] = ['exempt', 'read-back'];

function keep<B extends BlockLike>(draft: Draft<B>, reason: KeptReason): Draft<B> {
  const isClean = draft.material.clean !== undefined && !LEFT_ALONE.includes(reason);
  return { ...draft, verdict: { kind: 'kept', reason, ...(isClean && { isClean }) } };
}

function safeMaterial({ content }: ToolOutput): Material {
  try {
    return materialOf(content ?? '');
  } catch {
    return UNWRITABLE;
  }
}

/** A cycle or the like: no request could carry it, and nothing here can make it better. */
const UNWRITABLE: Material = {
  text: '',
  extension: 'json',
  mark: markBy(''),
  encode: () => new Uint8Array(),
};
