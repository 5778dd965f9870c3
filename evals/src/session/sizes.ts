import { type Block, type Head, isText, type Message, type Tool } from '@varve/messages';
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
 * spread over its texts and tools in proportion, wherever these stand and whatever copy they are. A head that a strategy
 * changed weighs as much more or less as its own parts do.
 */
export function createSizes(estimator: Counts, known: KnownHead): Sizes {
  const own = known.head;
  const countTools = toolCounter(estimator);
  const counted = own.system.reduce(
    (sum, each) => sum + estimator.block(each),
    countTools(own.tools),
  );
  const factor = counted > 0 ? known.tokens / counted : 1;
  const ownTexts = new Set(own.system.filter(isText).map(({ text }) => text));
  const ownTools = new Set(own.tools.map(({ name }) => name));
  const isOwn = (each: Block): boolean => isText(each) && ownTexts.has(each.text);
  const weighBlock = (each: Block): number => estimator.block(each) * (isOwn(each) ? factor : 1);
  const weighTools = (tools: readonly Tool[]): number => {
    const foreign = tools.filter(({ name }) => !ownTools.has(name));
    if (foreign.length === 0) return countTools(tools) * factor;
    const known = tools.filter(({ name }) => ownTools.has(name));
    return countTools(known) * factor + countAdded(foreign);
  };
  /** Without what the presence of any tool takes: a recorded agent has tools, whether its file shows them or not. */
  const countAdded = (added: readonly Tool[]): number =>
    countTools([...added, ...added]) - countTools(added);
  const partsOf = ({ system, tools }: Head): number =>
    Math.round(system.reduce((sum, each) => sum + weighBlock(each), weighTools(tools)));
  const heads = new WeakMap<Head, number>([[own, known.tokens]]);
  const head = (each: Head): number => {
    const tokens = heads.get(each) ?? partsOf(each);
    heads.set(each, tokens);
    return tokens;
  };
  const block = (each: Block): number =>
    isOwn(each) ? Math.round(weighBlock(each)) : estimator.block(each);
  return {
    of: (each) => ('role' in each ? estimator.message(each) : head(each)),
    part: (each) => ('role' in each ? estimator.message(each as Message) : block(each)),
    block,
    message: estimator.message,
    head,
  };
}

/** A list of tools is counted once. */
function toolCounter({ head }: Counts): (tools: readonly Tool[]) => number {
  const counts = new WeakMap<readonly Tool[], number>();
  return (tools) => {
    if (tools.length === 0) return 0;
    const tokens = counts.get(tools) ?? head({ system: [], tools });
    counts.set(tools, tokens);
    return tokens;
  };
}
