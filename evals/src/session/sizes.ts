import type { Block, Head, Message, Tool } from '@varve/messages';
import type { Estimator } from '@varve/tokens';

/** Tokens of whatever a request is made of. Every object is counted once. */
export interface Sizes {
  of(part: Message | Head): number;
  block(block: Block): number;
  message(message: Message): number;
  /** A message or a block. */
  part(part: Message | Block): number;
  /** System prompt and tools. */
  head(head: Head): number;
}

/** What the recorded head is taken to hold, in tokens; files hold little of it, or nothing. */
export interface KnownHead {
  readonly head: Head;
  readonly tokens: number;
}

type Counts = Pick<Estimator, 'block' | 'message' | 'head'>;

/**
 * Sizes by the estimator, save that the recorded head weighs what it is known to: what its text does not account for is
 * spread over its parts in proportion. A head that a strategy changed weighs as much more or less as its own parts do.
 */
export function createSizes(estimator: Counts, known: KnownHead): Sizes {
  const { block, message } = estimator;
  const toolCounts = new WeakMap<readonly Tool[], number>();
  const countTools = (tools: readonly Tool[]): number => {
    if (tools.length === 0) return 0;
    const tokens = toolCounts.get(tools) ?? estimator.head({ system: [], tools });
    toolCounts.set(tools, tokens);
    return tokens;
  };
  const own = known.head;
  const counted = own.system.reduce((sum, each) => sum + block(each), countTools(own.tools));
  const factor = counted > 0 ? known.tokens / counted : 1;
  const ownBlocks = new Set<Block>(own.system);
  const weigh = (tokens: number, isOwn: boolean): number => tokens * (isOwn ? factor : 1);
  const partsOf = ({ system, tools }: Head): number =>
    Math.round(
      system.reduce(
        (sum, each) => sum + weigh(block(each), ownBlocks.has(each)),
        weigh(countTools(tools), tools === own.tools),
      ),
    );
  const head = (each: Head): number => (each === own ? known.tokens : partsOf(each));
  return {
    of: (each) => ('role' in each ? message(each) : head(each)),
    part: (each) => ('role' in each ? message(each as Message) : block(each)),
    block,
    message,
    head,
  };
}
