import { isRecord } from '@varve/guards';
import { fingerprint } from './fingerprint.ts';
import { isCallLike } from './guards.ts';
import { type BlockLike, field } from './like.ts';
import { isToolName } from './tool-names.ts';

// Providers name calls as they like (`call_x|fc_y`, `functions.bash:0`); Anthropic takes letters, digits, `_` and `-` only.

/** Whether Anthropic takes it as the id of a call. */
export const isPlainId = (id: string): boolean => /^[a-zA-Z0-9_-]{1,64}$/.test(id);

/**
 * The id in its place that Anthropic takes: made of the id alone, so that a call and its result get the same one and two calls
 * get two; another only where `names` has given that away.
 */
export function plainId(id: string, names: FreeNames): string {
  const plain = plainText(id, MAX_ID);
  return names.isTaken(plain) ? names.numbered(plain.slice(0, MAX_ID - 5), '-', 2) : plain;
}

const MAX_ID = 64;

export interface FreeNames {
  isTaken(name: string): boolean;
  take(name: string): void;
  /** The first of `base-2`, `base-3` and so on that nobody has, counted from `first`. */
  numbered(base: string, between: string, first: number): string;
}

/** Names beside those that are taken. Each number is tried once, however often the same name is asked for. */
export function createFreeNames(given: Iterable<unknown>): FreeNames {
  const taken = new Set(given);
  const reached = new Map<string, number>();
  return {
    isTaken: (name) => taken.has(name),
    take: (name) => void taken.add(name),
    numbered(base, between, first) {
      const key = base + between;
      let number = reached.get(key) ?? first;
      while (taken.has(`${key}${number}`)) number++;
      reached.set(key, number);
      return `${key}${number}`;
    },
  };
}

/** The same for the name of a tool in a call: a name that Anthropic takes stays. */
export const plainName = (name: string): string =>
  name === '' || isToolName(name) ? name : plainText(name, MAX_ID);

function plainText(text: string, maxLength: number): string {
  const mark = `_${fingerprint(text).slice(0, MARK_DIGITS)}`;
  return text.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxLength - mark.length) + mark;
}

const MARK_DIGITS = 8;

/**
 * The content of an assistant message in which the calls that the provider ran, and what came of each, have ids: one that is
 * empty pairs with the result that is as empty and stands as far back. The same list where nothing had to change.
 */
export function withServerIds<B extends BlockLike>(
  content: readonly B[],
  { plain }: { readonly plain: boolean },
): readonly B[] {
  if (!content.some((block) => isOdd(serverId(block), plain))) return content;
  const names = createFreeNames(content.map((block) => serverId(block)?.id));
  const named = new Map<string, string>();
  const empty = { call: 0, result: 0 };
  return content.map((block) => {
    const found = serverId(block);
    if (found === undefined || !isOdd(found, plain)) return block;
    const { id, name, kind, prefix } = found;
    const key = id === '' ? `${++empty[kind]}` : `id ${id}`;
    const wanted = id === '' ? `${prefix}${key}` : plainId(id, names);
    let free = named.get(key) ?? wanted;
    if (!named.has(key)) while (names.isTaken(free)) free = `${free}_`;
    named.set(key, free);
    names.take(free);
    return { ...block, [name]: free };
  });
}

interface ServerId {
  readonly id: string;
  /** Of the field that holds it. */
  readonly name: 'id' | 'tool_use_id';
  readonly kind: 'call' | 'result';
  /** What Anthropic's own ids of this kind begin with. */
  readonly prefix: string;
}

/** Of a call that the provider ran, or of its result. */
function serverId(block: BlockLike): ServerId | undefined {
  if (!isRecord(block) || typeof block.type !== 'string') return undefined;
  const { type } = block;
  const isCall = isCallLike(block) && type !== 'tool_use';
  if (!isCall && (type === 'tool_result' || !type.endsWith('_tool_result'))) return undefined;
  const name = isCall ? 'id' : 'tool_use_id';
  const id = field(block, name);
  if (typeof id !== 'string') return undefined;
  const prefix = type.startsWith('mcp_') ? 'mcptoolu_' : 'srvtoolu_';
  return { id, name, kind: isCall ? 'call' : 'result', prefix };
}

const isOdd = (found: ServerId | undefined, plain: boolean): boolean =>
  found !== undefined && (found.id === '' || (plain && !isPlainId(found.id)));

/** What is wrong with the ids and the name of a block that holds a call or its result. */
export function idFault(block: BlockLike): 'empty-id' | 'call-id' | undefined {
  const server = serverId(block);
  if (server) return server.id === '' ? 'empty-id' : isPlainId(server.id) ? undefined : 'call-id';
  const id =
    block.type === 'tool_use'
      ? field(block, 'id')
      : block.type === 'tool_result'
        ? field(block, 'tool_use_id')
        : undefined;
  return typeof id === 'string' && id !== '' && !isPlainId(id) ? 'call-id' : undefined;
}
