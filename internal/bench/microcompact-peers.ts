import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { isText, type Message, toolResults, toolUses } from '@varve/messages';
import { toAISDK } from '@varve/messages/convert';
import { pruneMessages } from 'ai';
import { ClearToolUsesEdit } from 'langchain';
import type { BenchSession } from './bench-session.ts';
import { medianOf } from './timing.ts';

/** Milliseconds of what another library does before each request of a session. */
export interface PeerCost {
  readonly name: string;
  /** One of the last turns. */
  readonly perTurn: number;
}

/** LangChain's `ClearToolUsesEdit` at its defaults (above 100,000 tokens, all but 3); what it cleared stays cleared. */
export async function langchainCost(session: BenchSession, lastTurns: number): Promise<PeerCost> {
  const edit = new ClearToolUsesEdit({ trigger: { tokens: 100_000 }, keep: { messages: 3 } });
  const messages: BaseMessage[] = [];
  const turns: number[] = [];
  for (const added of turnsOf(session.messages)) {
    messages.push(...added.flatMap(toLangChain));
    const start = performance.now();
    await edit.apply({ messages, model: {} as never, countTokens });
    turns.push(performance.now() - start);
  }
  return toPeerCost('langchain ClearToolUsesEdit', turns, lastTurns);
}

/** `pruneMessages` of the AI SDK, which is given the whole history each time. */
export function pruneCost(session: BenchSession, lastTurns: number): PeerCost {
  const converted = toAISDK(session.messages).messages as ModelMessages;
  const turns: number[] = [];
  for (let end = 1; end <= converted.length; end += 2) {
    const messages = converted.slice(0, end);
    const start = performance.now();
    pruneMessages({ messages, toolCalls: 'before-last-6-messages' });
    turns.push(performance.now() - start);
  }
  return toPeerCost('ai pruneMessages', turns, lastTurns);
}

type ModelMessages = Parameters<typeof pruneMessages>[0]['messages'];

/** The median of the last turns. */
export function toPeerCost(name: string, turns: readonly number[], lastTurns: number): PeerCost {
  return { name, perTurn: medianOf(turns.slice(-lastTurns)) };
}

/** The first message, then a reply and its result at a time. */
export function turnsOf(messages: readonly Message[]): (readonly Message[])[] {
  const turns = [messages.slice(0, 1)];
  for (let at = 1; at < messages.length; at += 2) turns.push(messages.slice(at, at + 2));
  return turns;
}

/** Four characters a token: cheaper than any counter the library brings. */
const countTokens = (messages: BaseMessage[]): number =>
  messages.reduce((sum, { content }) => sum + Math.ceil(String(content).length / 4), 0);

function toLangChain(message: Message): BaseMessage[] {
  const text = message.content.map((block) => (isText(block) ? block.text : '')).join('');
  if (message.role === 'assistant') {
    const calls = toolUses(message).map(({ id, name, input }) => ({
      id,
      name,
      args: input as object,
    }));
    return [new AIMessage({ content: text, tool_calls: calls })];
  }
  const results = toolResults(message).map(
    ({ tool_use_id, content }) =>
      new ToolMessage({ tool_call_id: tool_use_id, content: String(content) }),
  );
  return results.length > 0 ? results : [new HumanMessage(text)];
}
