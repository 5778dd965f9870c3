import type { Summarize, SummaryReply } from '@varve/compact';
import type { Entry, Request } from '@varve/messages';
import {
  type Context,
  type ContextCompaction,
  type ContextEvent,
  type ContextOptions,
  createContext,
} from '../src/index.ts';
import { smallPercent, smallWindow } from './small-window.ts';
import { call, fakeClock, LATEST, output, says, text } from './support.ts';

export const summary = (about = 'The parser was read.'): SummaryReply => ({
  content: [text(`<summary>${about}</summary>`)],
  stopReason: 'end_turn',
});

type Step = SummaryReply | Error | ((request: Request) => SummaryReply | Promise<SummaryReply>);

/** Answers in this order, the last one again and again, and keeps what it was asked. */
export function summarizer(...steps: readonly Step[]) {
  const requests: Request[] = [];
  const summarize: Summarize = async (request) => {
    const step = steps[Math.min(requests.length, steps.length - 1)] ?? summary();
    requests.push(request);
    if (step instanceof Error) throw step;
    return typeof step === 'function' ? step(request) : step;
  };
  return { requests, summarize };
}

export const noWait = async (): Promise<void> => {};

export interface CompactingScene {
  readonly context: Context;
  readonly events: ContextEvent[];
  readonly clock: ReturnType<typeof fakeClock>;
  readonly options: ContextOptions;
}

/** A context that is compacted from 4,000 tokens on; no other layer is in the way. */
export function compactingScene(
  compaction: Partial<ContextCompaction> = {},
  given: Partial<ContextOptions> = {},
): CompactingScene {
  const clock = fakeClock();
  const events: ContextEvent[] = [];
  const { model = LATEST } = given;
  const options: ContextOptions = {
    model,
    models: [smallWindow(model, 4_000)],
    system: 'You fix tests.',
    tools: [{ name: 'bash', description: 'Runs a command.', input_schema: { type: 'object' } }],
    layers: [],
    now: clock.now,
    onEvent: (event) => void events.push(event),
    compaction: {
      summarize: summarizer().summarize,
      wait: noWait,
      percent: smallPercent(4_000),
      ...compaction,
    },
    ...given,
  };
  return { context: createContext(options), events, clock, options };
}

/** One round: a request, a reply with a call, about so many characters of result. */
export async function fill(context: Context, name: string, chars = 3_000): Promise<Request> {
  const request = await context.request();
  await context.reply(says(text(`Step ${name}.`), call(name, 'bash', { command: `run ${name}` })));
  await context.results([{ toolUseId: name, content: output(name, chars) }]);
  return request;
}

/** Rounds until the next request is over the threshold. */
export async function fillUp(context: Context, tokens = 4_000, from = 0): Promise<number> {
  let count = from;
  while (context.size().tokens < tokens) await fill(context, `k${count++}`);
  return count;
}

export const kindsOf = (events: readonly ContextEvent[]): string[] =>
  events.map((event) =>
    event.kind === 'progress'
      ? event.event.type
      : `${event.layer} ${event.kind}${'reason' in event ? ` ${event.reason}` : ''}`,
  );

export const notesOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'note' ? [entry.data] : []));

export const editsOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'edit' ? entry : []));
