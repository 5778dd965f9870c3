import { expected, isRecord } from '@varve/guards';
import { type Block, checkRequest, type Head, type ProviderProfile } from '@varve/messages';
import type { BlockLike } from '@varve/messages/blocks';
import { IMAGE_TYPES, mediaFault } from '@varve/messages/fit';
import { describeForeign } from '@varve/messages/foreign';
import { ContextError } from './error.ts';

/** Where something comes in. */
interface Door {
  readonly role: 'user' | 'assistant';
  readonly code: 'malformed-message' | 'malformed-reply' | 'malformed-result';
}

/**
 * Refuses what another library made before any of it is stored or logged: content that is a message, a list of messages or
 * a response of one, or that holds a block of one. Throws the code of the door; its text names what it is and what converts it.
 */
export function refuseForeign(content: unknown, { role, code }: Door): void {
  if (typeof content === 'string') return; // a text is nobody's
  const listed = Array.isArray(content) ? content.filter((value) => !isItem(value)) : [];
  for (const value of [content, { role, content }, ...listed]) {
    const found = describeForeign(value);
    if (found) throw new ContextError(code, `What was passed ${found}`);
  }
}

/**
 * Refuses images and documents that no provider of the model takes, before any is stored or logged: every later request would be
 * refused.
 */
export function refuseMedia(
  content: unknown,
  { code, profiles }: Pick<Door, 'code'> & { readonly profiles: readonly ProviderProfile[] },
): void {
  if (!Array.isArray(content)) return;
  const types = profiles.find(({ mediaTypes }) => mediaTypes)?.mediaTypes;
  for (const block of content as readonly BlockLike[]) {
    const fault = mediaFault(block, block?.type === 'image' ? (types ?? IMAGE_TYPES) : types);
    if (fault) throw new ContextError(code, `What was passed holds ${fault}`);
  }
}

/**
 * Refuses blocks of types that no provider of the model knows in a user message, and more of them with a `cache_control` than one
 * request may carry, before any is stored or logged.
 */
export function refuseBlocks(
  content: readonly Block[],
  { code, profiles }: Pick<Door, 'code'> & { readonly profiles: readonly ProviderProfile[] },
): void {
  const request = { messages: [{ role: 'user', content }], maxOutputTokens: 1 };
  for (const profile of profiles) {
    const found = faultsOf(request, profile).find((each) => BLOCK_FAULTS.has(each.code));
    if (found) throw new ContextError(code, `What was passed cannot be sent. ${found.text}`);
  }
}

const BLOCK_FAULTS: ReadonlySet<string> = new Set(['unknown-block', 'too-many-markers']);

/**
 * Refuses what `refuseBlocks` does of a head, and a tool of the caller without a schema where the provider wants one.
 *
 * @throws TypeError
 */
export function refuseHead(
  { system, tools }: Pick<Head, 'system' | 'tools'>,
  profiles: readonly ProviderProfile[],
): void {
  const request = { messages: [], head: { system, tools, params: {} }, maxOutputTokens: 1 };
  for (const profile of profiles) {
    for (const { code, blockIndex, text } of faultsOf(request, profile)) {
      if (code === 'malformed-tool') {
        throw expected(`tools[${blockIndex}].input_schema`, A_SCHEMA, undefined);
      }
      if (code === 'too-many-markers') {
        throw new TypeError(`Expected \`system\` and \`tools\` to fit in a request. ${text}`);
      }
    }
  }
}

/** What cannot be written as JSON is refused where it would be. */
function faultsOf(...given: Parameters<typeof checkRequest>): ReturnType<typeof checkRequest> {
  try {
    return checkRequest(...given);
  } catch {
    return [];
  }
}

const A_SCHEMA = { what: 'an object, the JSON schema of the input' };

/**
 * Items of Responses that nothing of ours is like (reasoning, calls of the provider's tools) travel as blocks of their type, as
 * converters leave them: in a list of blocks they are no foreign messages.
 */
const isItem = (value: unknown): boolean =>
  isRecord(value) && typeof value.type === 'string' && ITEMS.test(value.type) && !('role' in value);

const ITEMS = /_(?:call|output)$|^(?:mcp_|reasoning$|item_reference$)/;
