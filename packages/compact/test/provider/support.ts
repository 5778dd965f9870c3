import {
  type Block,
  createProjection,
  type Entry,
  type Message,
  type PlanContext,
  type View,
} from '@varve/messages';
import { type CompactionWork, createCompaction } from '../../src/index.ts';

export const at = '2026-01-31T12:00:00Z';
export const text = (text: string): Block => ({ type: 'text', text });
const FILLER = 'A sentence that fills the conversation with words. '.repeat(100);

export const CONTEXT: PlanContext = {
  nowMs: 0,
  atUserTurn: true,
  contextTokens: 20_000,
  limits: { windowTokens: 200_000, effectiveTokens: 180_000, autocompactTokens: 167_000 },
  sizeOf: (message) => Math.ceil(JSON.stringify(message.content).length / 4),
  cache: { warm: true, markers: [] },
  prices: { read: 0.1, write: 1.25, output: 5 },
  thinking: 'free',
};

/** A thread on a log whose last request is not answered yet. */
export function thread(model = 'claude-opus-5-5') {
  const projection = createProjection();
  const compactor = createCompaction({ summarize: () => Promise.reject(new Error('not asked')) });
  let view: View = { messages: [], changedFrom: 0 };
  const append = (entry: Entry): View => {
    view = projection.append(entry);
    compactor.observe(entry, view);
    return view;
  };
  const say = (message: Message) => append({ id: `e-${message.id}`, at, type: 'message', message });
  const head = { id: 'head', model, system: [], tools: [], params: {} };
  append({ id: 'e-head', at, type: 'head', head });
  for (const n of [0, 1, 2]) {
    say({ id: `u${n}`, role: 'user', content: [text(`question ${n}`)] });
    say({ id: `a${n}`, role: 'assistant', content: [text(`${n} ${FILLER}`)] });
  }
  say({ id: 'open', role: 'user', content: [text('and now: plum-4')] });
  const work = (): CompactionWork => {
    const plan = compactor.planNow(CONTEXT, { trigger: 'manual' });
    if (plan.kind !== 'work') throw new Error(plan.reason);
    return plan.work;
  };
  return { append, say, work, head, view: () => view };
}
