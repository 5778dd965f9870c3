import { type Block, isThinking, isToolResult, type Message } from '@varve/messages';

/** For each message, whether its thinking goes: all but that of the newest `keepTurns` turns that have any. */
export function thinkingToClear(
  messages: readonly Message[],
  keepTurns: number,
): readonly number[] {
  const cleared: number[] = [];
  let turnsWithThinking = 0;
  let hasThinking = false;
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as Message;
    if (startsTurn(message)) hasThinking = false;
    if (message.role !== 'assistant' || !message.content.some(isThinking)) continue;
    if (!hasThinking) turnsWithThinking++;
    hasThinking = true;
    if (turnsWithThinking > keepTurns) cleared.push(index);
  }
  return cleared.reverse();
}

/** How many turns these messages belong to. */
export function countTurns(messages: readonly Message[], indices: readonly number[]): number {
  return indices.filter((index, at) => {
    const before = indices[at - 1];
    return before === undefined || messages.slice(before, index).some(startsTurn);
  }).length;
}

/** A turn starts where a person speaks: a message that only carries results goes on with the same one. */
function startsTurn({ role, content }: Message): boolean {
  return role === 'user' && content.some((block: Block) => !isToolResult(block));
}
