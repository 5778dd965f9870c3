import { type Entry, isThinking, toolUses } from '@varve/messages';
import type { ImportContext } from './context.ts';
import type { AssistantItem, ThreadItem } from './items.ts';
import { pairResults } from './pair-results.ts';
import { factsOf } from './reply-facts.ts';
import { createLogWriter, type LogWriter } from './write-log.ts';

/** Makes the entries of a log from the items of a thread. */
export function assemble(
  items: readonly ThreadItem[],
  context: ImportContext,
  makeId: (id: string) => string,
): Entry[] {
  const ready = pairResults(dropHollow(items, context), context);
  const log = createLogWriter({
    firstAt: ready.map(timeOf).find((at) => at !== undefined),
    makeId,
    onMissingStart() {
      if (lacksStart) return;
      lacksStart = true;
      const text =
        'what stood before a reply is not in the file; a synthetic message stands in its place';
      context.problem('missing-start', line, text);
    },
  });
  let [line, lacksStart] = [1, false];
  const firstModel = ready.map(modelOf).find((found) => found !== undefined) ?? '';
  if (!ready.some(({ kind }) => kind === 'head')) {
    const head = { id: makeId('head'), model: firstModel, system: [], tools: [], params: {} };
    log.head(head, undefined);
  }
  for (const item of ready) {
    const model = modelOf(item);
    if (model !== undefined) log.followModel(model, timeOf(item));
    if ('line' in item) line = item.line;
    writeItem(nameModel(item, firstModel), log);
  }
  return log.entries;
}

/** A head whose model the file does not tell has that of the first reply. */
const nameModel = (item: ThreadItem, model: string): ThreadItem =>
  item.kind === 'head' && item.head.model === ''
    ? { ...item, head: { ...item.head, model } }
    : item;

const modelOf = (item: ThreadItem): string | undefined =>
  item.kind === 'assistant' ? item.message.response?.model : undefined;

const timeOf = (item: ThreadItem): string | undefined =>
  'message' in item ? item.message.createdAt : item.at;

function writeItem(item: ThreadItem, log: LogWriter): void {
  if (item.kind === 'head') log.head(item.head, item.at);
  else if (item.kind === 'note') log.note(item.signal, item.at);
  else if (item.kind === 'span') log.span(item);
  else if (item.kind === 'content') log.content(item);
  else log.message(item.message);
}

/**
 * Takes out what no provider takes back: thinking that nothing follows in its turn, and replies that are empty then.
 * Such a reply becomes a note that keeps its usage.
 */
function dropHollow(items: readonly ThreadItem[], context: ImportContext): ThreadItem[] {
  const kept: ThreadItem[] = [];
  let followedBy: ThreadItem['kind'] | undefined;
  for (const item of items.toReversed()) {
    if (item.kind !== 'assistant') {
      kept.push(item);
      if (item.kind !== 'note' && item.kind !== 'head') followedBy = item.kind;
      continue;
    }
    const goesOn = followedBy === 'assistant' && toolUses(item.message).length === 0;
    const trimmed = goesOn ? item : dropTrailingThinking(item, context);
    if (trimmed.message.content.length > 0) {
      kept.push(trimmed);
      followedBy = 'assistant';
    } else kept.push(...hollowReply(item, context));
  }
  return kept.reverse();
}

function dropTrailingThinking(item: AssistantItem, context: ImportContext): AssistantItem {
  const { content } = item.message;
  const end = content.findLastIndex((block) => !isThinking(block)) + 1;
  if (end === content.length) return item;
  context.unused('trailing-thinking-block', content.length - end);
  return { ...item, message: { ...item.message, content: content.slice(0, end) } };
}

function hollowReply(item: AssistantItem, context: ImportContext): ThreadItem[] {
  const { response, createdAt: at } = item.message;
  context.unused('empty-reply');
  return response === undefined
    ? []
    : [{ kind: 'note', signal: { kind: 'empty-reply', response: factsOf(response) }, at }];
}
