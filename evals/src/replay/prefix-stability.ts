import { type Block, type Head, type Request, stableStringify } from '@varve/messages';

/** Where requests stop beginning with the one before them. */
export interface PrefixStability {
  /**
   * Takes the next request and compares it block by block with the last one: tools, system prompt, messages, without
   * markers. Returns the index of the first message that differs, -1 for tools or system prompt, undefined where
   * something was only added. How blocks are divided into messages of one role makes no difference.
   */
  next(request: Request): number | undefined;
}

/** Creates a comparison that has seen no request. Only what is behind the first message that differs is read. */
export function createPrefixStability(): PrefixStability {
  const keys = new WeakMap<Block, string>();
  let last: Request | undefined;
  const keyOf = (block: Block): string => {
    const key = keys.get(block) ?? stableStringify(block);
    keys.set(block, key);
    return key;
  };
  return {
    next(request) {
      const before = last;
      last = request;
      if (before === undefined) return undefined;
      if (!isSameHead(before.head, request.head)) return -1;
      return firstDifference(before, request, keyOf);
    },
  };
}

const isSameHead = (one: Head, other: Head): boolean =>
  one === other ||
  stableStringify([one.tools, one.system]) === stableStringify([other.tools, other.system]);

function firstDifference(
  before: Request,
  request: Request,
  keyOf: (block: Block) => string,
): number | undefined {
  const length = Math.min(before.messages.length, request.messages.length);
  let same = 0;
  while (same < length && before.messages[same] === request.messages[same]) same++;
  const wanted = blocksFrom(before, same);
  const found = blocksFrom(request, same);
  const at = wanted.findIndex(({ role, block }, position) => {
    const other = found[position];
    if (other?.role !== role) return true;
    return other.block !== block && keyOf(other.block) !== keyOf(block);
  });
  return at === -1 ? undefined : (found[at]?.messageIndex ?? request.messages.length);
}

function blocksFrom({ messages }: Request, start: number) {
  return messages
    .slice(start)
    .flatMap(({ role, content }, at) =>
      content.map((block) => ({ role, block, messageIndex: start + at })),
    );
}
