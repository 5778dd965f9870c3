import { ContextError } from './error.ts';
import type { WindowUse } from './room-for.ts';

/**
 * Refuses a message with which no request could fit the window, whatever is made of the rest of the conversation.
 *
 * @throws ContextError `message-too-large`
 */
export function refuseMessage(tokens: number, use: WindowUse, hasStorage: boolean): void {
  const { mostTokens, openTokens } = use;
  if (tokens + fixedTokens(use) <= mostTokens) return;
  if (headTokens(use) > mostTokens) throw tooLarge(`${headIs(use)} ${SMALLER_HEAD}`);
  const left = Math.max(0, mostTokens - fixedTokens(use));
  const beside = [
    `system prompt and tools (${headTokens(use)})`,
    ...(openTokens > 0 ? [`what is not answered yet (${openTokens})`] : []),
  ].join(' and ');
  const advice = hasStorage
    ? 'Send less of it at once: images, and texts too short for a preview, go in as they are.'
    : 'Pass `storage` to `createContext`, so that texts are shown by a preview, or send less of it.';
  throw tooLarge(
    `The message takes about ${tokens} tokens, and ${windowOf(use)} has room for ${left} beside ${beside}. ${advice}`,
  );
}

/**
 * Refuses a request that is larger than its window. Before anything was tried to make it smaller, only where nothing would.
 *
 * @throws ContextError `message-too-large`
 */
export function refuseRequest(
  promptTokens: number,
  use: WindowUse,
  { isFinal, canCompact }: { readonly isFinal: boolean; readonly canCompact: boolean },
): void {
  const { mostTokens, openTokens } = use;
  if (promptTokens <= mostTokens) return;
  if (headTokens(use) > mostTokens) throw tooLarge(`${headIs(use)} ${SMALLER_HEAD}`);
  if (!isFinal && fixedTokens(use) <= mostTokens) return;
  const rest = Math.max(0, promptTokens - fixedTokens(use));
  const parts = `system prompt and tools take ${headTokens(use)}, messages that are not answered yet ${openTokens}, all else ${rest}`;
  const advice =
    openTokens >= rest
      ? 'Take some of the messages out with `edit`'
      : `${canCompact ? 'Call `compact`, or `recover` with this error' : 'Pass `compaction` to `createContext`'}, take something out with \`edit\``;
  throw tooLarge(
    `The request takes about ${promptTokens} tokens, and ${windowOf(use)} has room for ${mostTokens}: ${parts}. ${advice}, or go on with a model of a larger window (\`setHead\`).`,
  );
}

const tooLarge = (text: string): ContextError => new ContextError('message-too-large', text);

const headTokens = ({ systemTokens, toolsTokens }: WindowUse): number => systemTokens + toolsTokens;
const fixedTokens = (use: WindowUse): number => headTokens(use) + use.openTokens;

const windowOf = ({ model }: WindowUse): string => `the window of \`${model}\``;

const headIs = (use: WindowUse): string =>
  `System prompt (about ${use.systemTokens} tokens) and tools (${use.toolsTokens}) alone are larger than ${windowOf(use)}, which has room for ${use.mostTokens}.`;

const SMALLER_HEAD =
  'Set fewer tools, a shorter system prompt, or a model of a larger window with `setHead`.';
