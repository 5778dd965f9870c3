import { toolUses } from '@varve/messages';
import type { AssistantItem, ResultItem, ThreadItem } from './items.ts';

/** Which result answers which call. */
export interface Pairs {
  /** The result of each call of a reply, by call id, in file order. */
  readonly results: ReadonlyMap<AssistantItem, ReadonlyMap<string, ResultItem>>;
  readonly answers: ReadonlySet<ResultItem>;
  /** Results that say again what the answer to their call said. */
  readonly repeats: ReadonlySet<ResultItem>;
  /** Results that the file has only after the round was over. */
  readonly late: ReadonlySet<ResultItem>;
}

/** A result answers the newest call before it that has its id and no result: some agents use ids again. */
export function findPairs(items: readonly ThreadItem[]): Pairs {
  const results = new Map<AssistantItem, Map<string, ResultItem>>();
  const [answers, repeats, late] = [
    new Set<ResultItem>(),
    new Set<ResultItem>(),
    new Set<ResultItem>(),
  ];
  const waiting = new Map<string, AssistantItem[]>();
  const newestAnswers = new Map<string, ResultItem>();
  let newest: AssistantItem | undefined;

  function addReply(reply: AssistantItem): void {
    newest = reply;
    results.set(reply, new Map());
    for (const { id } of toolUses(reply.message)) {
      const callers = waiting.get(id);
      if (callers === undefined) waiting.set(id, [reply]);
      else callers.push(reply);
    }
  }

  function addResult(result: ResultItem): void {
    const { tool_use_id: id } = result.block;
    const caller = waiting.get(id)?.pop();
    if (caller === undefined) {
      if (isSame(newestAnswers.get(id), result)) repeats.add(result);
      return;
    }
    results.get(caller)?.set(id, result);
    newestAnswers.set(id, result);
    answers.add(result);
    if (caller !== newest) late.add(result);
  }

  for (const item of items) {
    if (item.kind === 'span') newest = undefined;
    else if (item.kind === 'assistant') addReply(item);
    else if (item.kind === 'result') addResult(item);
  }
  return { results, answers, repeats, late };
}

const isSame = (answer: ResultItem | undefined, other: ResultItem): boolean =>
  answer !== undefined && JSON.stringify(answer.block) === JSON.stringify(other.block);
