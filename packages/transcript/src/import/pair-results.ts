import { closeRound, type Message, toolUses } from '@varve/messages';
import type { ImportContext } from './context.ts';
import { findPairs, type Pairs } from './find-pairs.ts';
import type { AssistantItem, ResultItem, ThreadItem } from './items.ts';
import { sanitizeBlocks } from './sanitize.ts';

/**
 * Makes complete rounds: the results of a reply stand directly after it, a call without a recorded result is closed
 * with a synthetic one, and messages that arrived meanwhile follow. Log order is then view order, so that spans can be named.
 */
export function pairResults(items: readonly ThreadItem[], context: ImportContext): ThreadItem[] {
  const pairs = findPairs(items);
  const paired: ThreadItem[] = [];
  let queued: ThreadItem[] = [];
  let open: AssistantItem | undefined;
  const close = (): void => {
    if (open === undefined) return;
    for (const item of resultsOf(open, { pairs, context })) paired.push(item);
    for (const item of queued) paired.push(item);
    [open, queued] = [undefined, []];
  };
  for (const item of items) {
    if (item.kind === 'assistant' || item.kind === 'span') {
      close();
      paired.push(item);
      if (item.kind === 'assistant' && toolUses(item.message).length > 0) open = item;
    } else if (item.kind !== 'result') (open === undefined ? paired : queued).push(item);
    else if (!pairs.answers.has(item)) {
      (open === undefined ? paired : queued).push(...unpaired(item, { pairs, context }));
    }
  }
  close();
  return paired;
}

interface Round {
  readonly pairs: Pairs;
  readonly context: ImportContext;
}

function resultsOf(reply: AssistantItem, { pairs, context }: Round): ThreadItem[] {
  const recorded = pairs.results.get(reply) ?? new Map<string, ResultItem>();
  for (const result of recorded.values()) {
    if (!pairs.late.has(result)) continue;
    context.problem('late-result', result.line, 'a result was moved up to the round of its call');
  }
  const calls = toolUses(reply.message).map(({ id }) => id);
  const waiting = calls.filter((id) => !recorded.has(id));
  const last = [...recorded.values()].at(-1)?.message.createdAt;
  const closed = closeCalls(reply.message, waiting, last).map(
    (message) => ({ kind: 'user', message }) as const,
  );
  for (const _ of closed) {
    const text = 'a call without a recorded result was closed with a synthetic one';
    context.problem('missing-result', reply.line, text);
  }
  return [...recorded.values(), ...closed];
}

/** The time of a closing result: that of the round's last result or of its call, and none where neither has one. */
function closeCalls(
  reply: Message,
  waiting: readonly string[],
  lastAt: string | undefined,
): Message[] {
  if (waiting.length === 0) return [];
  const assistant = { ...reply, sources: [reply.id] };
  const at = lastAt ?? reply.createdAt ?? '';
  const messages = closeRound(
    { assistant, results: [], rest: [], waiting, queued: [] },
    { reason: 'interrupted', at },
  );
  return at === '' ? messages.map(({ createdAt: _, ...message }) => message) : messages;
}

/** A result without a call is no block a provider takes: its content stays as text, unless it says the same again. */
function unpaired(item: ResultItem, { pairs, context }: Round): ThreadItem[] {
  if (pairs.repeats.has(item)) {
    context.problem('duplicate-record', item.line, 'a result that stands twice was dropped once');
    return [];
  }
  context.problem('orphan-result', item.line, 'a result without its call was kept as text');
  const { content = '' } = item.block;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const kept = sanitizeBlocks(blocks, 'user', context);
  const origin = { kind: 'tool', orphan: true } as const;
  const message = { ...item.message, origin, content: kept.length > 0 ? kept : [EMPTY] };
  return [{ kind: 'user', message }];
}

const EMPTY = { type: 'text', text: '[empty result]' } as const;
