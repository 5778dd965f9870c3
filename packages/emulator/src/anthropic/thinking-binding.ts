import {
  type Block,
  fingerprint,
  isThinking,
  type Marker,
  type Message,
  type Request,
  stableStringify,
} from '@varve/messages';
import { readSignature, sign } from './signature.ts';

/** A thinking block that may not go back as it is. */
export interface BoundElsewhere {
  readonly messageIndex: number;
  readonly blockIndex: number;
  readonly reason: 'prefix_binding_mismatch' | 'model_binding_mismatch';
  /** False where the block itself was altered, or is not of this server. */
  readonly isAuthentic: boolean;
}

export interface BindingOptions {
  readonly acceptsForeign: boolean;
}

/**
 * Checks every thinking block against the conversation it was written in: system, tools and everything before it except
 * thinking. Taking thinking away from either end is fine; a gap among what is left is not. A compaction block stands for
 * all before it. Costs one hash per block, which is remembered by reference.
 */
export function checkBinding(
  request: Request,
  { acceptsForeign }: BindingOptions,
): readonly BoundElsewhere[] {
  const found: BoundElsewhere[] = [];
  walk(request, (block, state, { messageIndex, blockIndex }) => {
    const signature = readSignature(signatureOf(block));
    const report = (reason: BoundElsewhere['reason'], isAuthentic: boolean) =>
      void found.push({ messageIndex, blockIndex, reason, isAuthentic });
    if (signature === undefined) {
      if (!acceptsForeign) report('prefix_binding_mismatch', false);
      return;
    }
    if (signature.text !== textPrint(block)) report('prefix_binding_mismatch', false);
    else if (signature.model !== request.head.model) report('model_binding_mismatch', true);
    else if (signature.prefix !== state.prefix) report('prefix_binding_mismatch', true);
    else if (state.previous !== '' && signature.previous !== state.previous) {
      report('prefix_binding_mismatch', true);
    }
  });
  return found;
}

/** The thinking of a reply, bound to the request that it answers. */
export function signThinking(request: Request, content: readonly Block[]): readonly Block[] {
  if (!content.some(isThinking)) return content;
  const state = walk(request, () => {});
  const { model } = request.head;
  return content.map((block) => {
    if (!isThinking(block)) {
      state.prefix = step(state.prefix, 'assistant', block);
      return block;
    }
    const text = textPrint(block);
    const signature = sign({ model, prefix: state.prefix, text, previous: state.previous });
    const signed =
      block.type === 'redacted_thinking' ? { ...block, data: signature } : { ...block, signature };
    state.previous = fingerprint(signature);
    return signed;
  });
}

interface WalkState {
  prefix: string;
  previous: string;
}

type Visit = (
  block: Block,
  state: Readonly<WalkState>,
  place: { readonly messageIndex: number; readonly blockIndex: number },
) => void;

function walk({ head, messages }: Request, visit: Visit): WalkState {
  const start = fingerprint(stableStringify([head.system, head.tools]));
  const state: WalkState = { prefix: start, previous: '' };
  for (const [messageIndex, message] of messages.entries()) {
    for (const [blockIndex, block] of message.content.entries()) {
      if (isThinking(block)) {
        visit(block, state, { messageIndex, blockIndex });
        state.previous = fingerprint(String(signatureOf(block)));
        continue;
      }
      if (block.type === 'compaction') state.prefix = start;
      state.prefix = step(state.prefix, message.role, block);
    }
  }
  return state;
}

const signatureOf = (block: Block): unknown =>
  block.type === 'redacted_thinking'
    ? (block as { data?: unknown }).data
    : (block as { signature?: unknown }).signature;

/** Of redacted thinking nothing can be read but its data, which is its signature. */
const textPrint = (block: Block): string =>
  fingerprint(String((block as { thinking?: unknown }).thinking ?? ''));

const digests = new WeakMap<Block, string>();

function step(prefix: string, role: Message['role'], block: Block): string {
  const digest = digests.get(block) ?? fingerprint(stableStringify(block));
  digests.set(block, digest);
  return fingerprint(`${role} ${digest}`, prefix);
}

/** The request without the blocks at these places. A message that is left empty stays, so that places go on counting. */
export function dropBlocks(request: Request, places: readonly BoundElsewhere[]): Request {
  const gone = new Set(
    places.map(({ messageIndex, blockIndex }) => `${messageIndex} ${blockIndex}`),
  );
  const kept = request.messages.map((message, messageIndex) => {
    const content = message.content.filter(
      (_block, index) => !gone.has(`${messageIndex} ${index}`),
    );
    return content.length === message.content.length ? message : { ...message, content };
  });
  const markers = request.markers.flatMap((marker): Marker[] => {
    if (marker.at !== 'message') return [marker];
    const before = places.filter(
      (place) => place.messageIndex === marker.messageIndex && place.blockIndex < marker.blockIndex,
    );
    return [{ ...marker, blockIndex: marker.blockIndex - before.length }];
  });
  return { ...request, messages: kept, markers };
}
