import { isRecord } from '@varve/guards';
import type { ProviderProfile } from './profiles.ts';

/**
 * The type of a block of a user message, or of one in a result, that the provider does not know; undefined where it knows all.
 * What the provider's own tools answered is its own, and so are items of OpenAI's Responses, which travel as blocks.
 */
export function unknownBlock(
  block: unknown,
  { userBlocks }: Pick<ProviderProfile, 'userBlocks'>,
): string | undefined {
  if (userBlocks === undefined || !isRecord(block)) return undefined;
  const { type, content } = block;
  if (typeof type !== 'string' || PROVIDERS.test(type)) return undefined;
  if (!userBlocks.includes(type)) return isOthers(type) ? undefined : type;
  if (type !== 'tool_result' || !Array.isArray(content)) return undefined;
  for (const inner of content) {
    const found = unknownBlock(inner, { userBlocks });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reported or refused by rules of their own. */
const isOthers = (type: string): boolean => OTHERS.includes(type);
const OTHERS = ['thinking', 'redacted_thinking', 'tool_use'];

const PROVIDERS =
  /_tool_(?:result|use)$|_(?:call|output)$|^(?:server_|mcp_|reasoning$|item_reference$)/;
