import type { Context } from '@varve/context';
import { type Block, isText, isToolResult, isToolUse } from '@varve/messages';
import { createEstimator, resolveModel } from '@varve/tokens';
import type { AgentEvent } from '../events.ts';

/** What the layers did, counted. */
export interface Tally {
  add(event: AgentEvent): void;
  /** By layer and what it did. */
  counts(): ReadonlyMap<string, number>;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    add(event) {
      if (event.kind !== 'layer' || event.event.kind !== 'edited') return;
      const name = `${event.event.layer}: ${event.event.reason}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    counts: () => counts,
  };
}

/** Where the tokens of the next request are, what was paid, and what the layers did. */
export function contextTable(context: Context, tally: Tally): string {
  const { head, messages } = context.view();
  const model = head?.model ?? '';
  const { tokenizer } = resolveModel(model).model;
  const estimator = createEstimator({ family: tokenizer });
  const parts = new Map<string, number>();
  const add = (part: string, tokens: number) => parts.set(part, (parts.get(part) ?? 0) + tokens);
  if (head !== undefined) {
    add('system prompt', estimator.head({ ...head, tools: [] }));
    add('tools', estimator.head({ ...head, system: [] }));
  }
  for (const { role, content, origin } of messages)
    for (const block of content) add(partOf(role, block, origin?.kind), estimator.block(block));
  const usage = context.usage();
  const { tokens } = context.size();
  const share = (part: number) => `${((100 * part) / tokens).toFixed(0)} %`;
  const rows = [...parts].map(([part, count]) => [part, number(count), share(count)]);
  const { usage: sums } = usage;
  const billed = [
    ['read from the cache', number(sums.cache_read_input_tokens)],
    ['written to the cache', number(sums.cache_creation_input_tokens)],
    ['sent without it', number(sums.input_tokens)],
    ['answered', number(sums.output_tokens)],
  ];
  const callers = usage.callers.map(({ by, calls, dollars }) => [
    by,
    `${calls} calls`,
    `$${dollars.toFixed(4)}`,
  ]);
  const did = [...tally.counts()].map(([name, count]) => [name, `${count} times`]);
  return [
    `The next request, ${number(tokens)} tokens`,
    ...columns(rows),
    `Billed, $${usage.dollars.toFixed(4)}`,
    ...columns(billed),
    ...columns(callers),
    'What the layers did',
    ...columns(did.length > 0 ? did : [['nothing', '']]),
  ].join('\n');
}

function partOf(role: string, block: Block, origin: string | undefined): string {
  if (isToolResult(block)) return 'results of tools';
  if (isToolUse(block)) return 'calls of tools';
  if (!isText(block)) return 'images, thinking and others';
  if (role === 'assistant') return 'answers';
  if (origin === 'summary') return 'summary';
  return origin === undefined ? 'what you said' : 'reminders and notices';
}

const number = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Rows with their columns under each other. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2].map((at) => Math.max(0, ...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    `  ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('   ')}`.trimEnd(),
  );
}
