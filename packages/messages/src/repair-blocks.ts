import { isRecord } from '@varve/guards';
import { withServerIds } from './call-ids.ts';
import { isObjectInput } from './call-input.ts';
import { isEmptyText, isSilentFailure, NO_OUTPUT } from './failed-result.ts';
import { isForeignBlock } from './foreign-messages.ts';
import { isCallLike } from './guards.ts';
import { type BlockLike, field, isBlank, type MessageLike } from './like.ts';
import { mediaFault } from './media-check.ts';
import type { ProviderProfile } from './profiles.ts';
import type { Draft, Part, RepairContext, RepairKind } from './repair-draft.ts';
import { isAllowed, isAllowedInResult, isComplete, isSigned } from './validity-blocks.ts';
import { countHalfSurrogates, hasBigInt, hasHalfSurrogate } from './well-formed.ts';

/** Drops or mends the blocks of one message that the provider takes nowhere, whatever stands around them. */
export function repairBlocks<M extends MessageLike>(
  draft: Draft<M>,
  { profile, repaired }: RepairContext,
): Draft<M> {
  const parts: Part[] = [];
  for (const part of draft.parts) {
    const { messageIndex } = draft;
    const report: ReportKind = (kind, extra) =>
      repaired(kind, { messageIndex, blockIndex: part.blockIndex, ...extra });
    const dropped = reasonToDrop(part.block, draft.role, profile);
    if (dropped) report(dropped);
    else parts.push(mendPart(part, profile, report));
  }
  return { ...draft, parts: profile.callIds === 'plain' ? withIds(draft, parts, repaired) : parts };
}

/** Ids of calls that the provider ran, which pair within their message. */
function withIds<M extends MessageLike>(
  { role, messageIndex }: Draft<M>,
  parts: readonly Part[],
  repaired: RepairContext['repaired'],
): readonly Part[] {
  if (role !== 'assistant') return parts;
  const blocks = parts.map(({ block }) => block);
  const named = withServerIds(blocks, { plain: true });
  if (named === blocks) return parts;
  return parts.map((part, at) => {
    const block = named[at] as BlockLike;
    if (block === part.block) return part;
    repaired('renamed-call', { messageIndex, blockIndex: part.blockIndex });
    return { ...part, block };
  });
}

type ReportKind = (kind: RepairKind, extra?: { readonly count: number }) => void;

function reasonToDrop(
  block: BlockLike,
  role: string,
  profile: ProviderProfile,
): RepairKind | undefined {
  if (!isRecord(block) || !isComplete(block) || hasBigInt(block)) return 'dropped-block';
  if (!isAllowed(block.type, role)) return 'dropped-block';
  if (isForeignBlock(block) || mediaFault(block, profile.mediaTypes)) return 'dropped-block';
  switch (block.type) {
    case 'text': {
      const refused = profile.blankText === 'refused' && isBlank(field(block, 'text') as string);
      return refused ? 'dropped-empty-text' : undefined;
    }
    case 'tool_use':
      return field(block, 'name') === '' ? 'dropped-block' : undefined;
    case 'thinking':
    case 'redacted_thinking': {
      const unsigned = block.type === 'thinking' && !isSigned(block);
      const refused = unsigned && profile.unsignedThinking === 'refused';
      return refused || hasHalfSurrogate(block) ? 'dropped-thinking' : undefined;
    }
    default:
      return undefined;
  }
}

function mendPart(part: Part, profile: ProviderProfile, report: ReportKind): Part {
  const whole = mendProviderCall(mendStrings(part.block, report), profile, report);
  const mended = mendResult(whole, profile, report);
  return mended === part.block ? part : { ...part, block: mended };
}

/** A call that the provider ran itself; those of the caller are mended with their results. */
function mendProviderCall(
  block: BlockLike,
  profile: ProviderProfile,
  report: ReportKind,
): BlockLike {
  const input = field(block, 'input');
  const isRight = block.type === 'tool_use' || !isCallLike(block) || isObjectInput(input);
  if (isRight || profile.callInput !== 'object') return block;
  report('wrapped-input');
  return wrapInput(block);
}

/** An input that is no object, in one. */
export function wrapInput(block: BlockLike): BlockLike {
  const input = field(block, 'input');
  return { ...block, input: input === undefined ? {} : { unparsed: input } } as BlockLike;
}

/** Half surrogates become U+FFFD, in values and in keys; the same block when there are none. */
function mendStrings(block: BlockLike, report: ReportKind): BlockLike {
  if (!hasHalfSurrogate(block)) return block;
  let count = 0;
  const mended = mapStrings(block, (text) => {
    count += countHalfSurrogates(text);
    return text.toWellFormed();
  });
  report('replaced-half-surrogates', { count });
  return mended as BlockLike;
}

/** Without recursion: values may be nested deeper than the stack of the engine. */
function mapStrings(root: unknown, map: (text: string) => string): unknown {
  const holder = { root: undefined };
  const pending = [{ into: holder as object, key: 'root', value: root }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const value = emptied(next.value, map);
    // a plain assignment would make `__proto__` a prototype
    Object.defineProperty(next.into, next.key, { value, ...PLAIN_FIELD });
    if (typeof next.value !== 'object' || next.value === null) continue;
    const inner = Object.entries(next.value).map(([key, inside]) => ({
      into: value as object,
      key: map(key),
      value: inside,
    }));
    // the last comes off first, and keys have to arrive in their order
    for (const field of inner.reverse()) pending.push(field);
  }
  return holder.root;
}

const PLAIN_FIELD = { writable: true, enumerable: true, configurable: true };

function emptied(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return new Array(value.length);
  return isRecord(value) ? {} : value;
}

/** Drops what may not stand inside a result; the result itself stays, and one of a failed tool says something. */
function mendResult(block: BlockLike, profile: ProviderProfile, report: ReportKind): BlockLike {
  const trimmed = trimResult(block, profile, report);
  if (profile.blankText !== 'refused' || !isSilentFailure(trimmed)) return trimmed;
  report('filled-result');
  return { ...trimmed, content: NO_OUTPUT } as BlockLike;
}

function trimResult(block: BlockLike, profile: ProviderProfile, report: ReportKind): BlockLike {
  const content = field(block, 'content');
  if (block.type !== 'tool_result' || !Array.isArray(content)) return block;
  const refusesMedia = profile.errorResultMedia === 'refused' && field(block, 'is_error') === true;
  const kept = (content as readonly BlockLike[]).filter((inner) => {
    const empty = profile.blankText === 'refused' && isEmptyText(inner);
    const refused = !isAllowedInResult(inner.type) || (refusesMedia && inner.type !== 'text');
    const isOdd = isForeignBlock(inner) || mediaFault(inner, profile.mediaTypes) !== undefined;
    return !(empty || refused || isOdd);
  });
  if (kept.length === content.length) return block;
  report('trimmed-result');
  return { ...block, content: kept } as BlockLike;
}
