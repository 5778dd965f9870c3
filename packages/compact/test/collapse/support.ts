import {
  type Block,
  createProjection,
  type Entry,
  type EntryBody,
  type Head,
  type Message,
  type PlanContext,
  type View,
} from '@varve/messages';
import type { Collapse } from '../../src/collapse/collapse.ts';
import type { CollapseOptions } from '../../src/collapse/settings.ts';
import { createCollapse, type SummaryReply } from '../../src/index.ts';

export const at = '2026-01-31T12:00:00Z';
export const HEAD: Head = { id: 'head', model: 'm', system: [], tools: [], params: {} };

/** Every message has ten tokens, a text one for each word. */
export const sizeOf = () => 10;
export const sizeOfText = (text: string) => text.split(/\s+/).length;

export const says = (text: string): SummaryReply => ({
  content: [{ type: 'text', text: `<summary>${text}</summary>` }],
  stopReason: 'end_turn',
});

export function contextOf(contextTokens: number, more: Partial<PlanContext> = {}): PlanContext {
  return {
    nowMs: 0,
    atUserTurn: true,
    contextTokens,
    limits: { windowTokens: 10_000, effectiveTokens: 100, autocompactTokens: 93 },
    sizeOf,
    cache: { warm: true, markers: [] },
    prices: { read: 0.1, write: 1.25, output: 5 },
    thinking: 'free',
    ...more,
  };
}

/** A log with a collapse on it. */
export function start(options: Partial<CollapseOptions> = {}) {
  const settings = {
    summarize: async () => says('Results were read: folded.'),
    sizeOfText,
    keepTokens: 20,
    spanTokens: 40,
    minSpanTokens: 20,
    minSavings: -10, // spans here are smaller than the words around a summary
    ...options,
  };
  const collapse = createCollapse(settings);
  const projection = createProjection();
  const entries: Entry[] = [];
  /** What each entry led to. */
  const views: View[] = [];
  let view: View = { messages: [], changedFrom: 0 };
  const append = (entry: Entry): View => {
    view = projection.append(entry);
    entries.push(entry);
    views.push(view);
    collapse.observe(entry, view);
    return view;
  };
  const add = (body: EntryBody): View => append({ id: `added-${entries.length}`, at, ...body });
  return { collapse, settings, entries, views, append, add, view: () => view };
}

export type Started = ReturnType<typeof start>;

export const message = (
  id: string,
  role: 'user' | 'assistant',
  ...content: Block[]
): EntryBody => ({
  type: 'message',
  message: { id, role, content } as Message,
});
export const text = (text: string): Block => ({ type: 'text', text });

/** What a person says, then rounds of one call each, then a reply. */
export function turn({ add }: Started, name: string, rounds: number, thinks = false): void {
  add(message(`${name}-u`, 'user', text(`${name}: do it`)));
  for (let round = 0; round < rounds; round++) {
    const id = `${name}-c${round}`;
    const thought: Block[] = thinks ? [{ type: 'thinking', thinking: id, signature: 's' }] : [];
    add(
      message(`${id}-a`, 'assistant', ...thought, {
        type: 'tool_use',
        id,
        name: 'read',
        input: {},
      }),
    );
    add(
      message(`${id}-r`, 'user', { type: 'tool_result', tool_use_id: id, content: `result ${id}` }),
    );
  }
  add(message(`${name}-a`, 'assistant', text(`${name}: done`)));
}

/** Does what a plan says, as a caller would. */
export async function act(log: Started, plan: ReturnType<Collapse['plan']>): Promise<void> {
  if (plan.kind === 'work') {
    const { notes } = await log.collapse.run(plan.work);
    for (const data of notes) log.add({ type: 'note', by: 'collapse', data });
  }
  if (plan.kind === 'edit') {
    const { edits, reason, receipt } = plan;
    for (const edit of edits) {
      log.add({ type: 'edit', by: 'collapse', reason, edit, ...(receipt && { receipt }) });
    }
  }
}

export const bytes = ({ messages, open }: View): string => JSON.stringify([messages, open]);
