import { createCollapse, type SummaryReply } from '@varve/compact';
import {
  createProjection,
  type Entry,
  type EntryBody,
  isText,
  type Message,
  type PlanContext,
  type Request,
  type View,
} from '@varve/messages';
import { createEstimator } from '@varve/tokens';
import type { Compactor, CompactorContext } from '../compactor.ts';
import { personText } from '../facts/person-text.ts';
import { summariesIn } from '../summaries-in.ts';

/**
 * `createCollapse` of `@varve/compact` with a stand-in for the model: it repeats earlier summaries of a stretch and adds
 * nothing, so that what stands there is what the product's own check appends from the ledger of the stretch. What a person
 * said is in no stretch and stays where it is.
 */
export const collapse: Compactor = {
  name: 'collapse+ledger',
  create(context) {
    const entries: Entry[] = [];
    const append = (body: EntryBody): void => {
      entries.push({ id: `e${entries.length}`, at: AT, ...body } as Entry);
    };
    append({ type: 'head', head: context.head });
    return {
      add: (message) => append({ type: 'message', message }),
      async compact(budgetTokens) {
        const log = openLog(entries, { ...context, budgetTokens });
        for (let step = 0; step < MOST_STEPS && log.size() > budgetTokens; step++) {
          const bodies = await nextBodies(log.collapse, log.context());
          if (bodies.length === 0) break;
          for (const body of bodies) {
            append(body);
            log.observe(entries.at(-1) as Entry);
          }
        }
        const { messages } = log.view();
        return { messages, synthesised: summariesIn(messages) };
      },
    };
  },
};

const AT = '2026-01-01T00:00:00Z';
/** Each stages or commits; folded stretches are folded again as long as it helps. */
const MOST_STEPS = 12;

interface Room extends CompactorContext {
  readonly budgetTokens: number;
}

/** A planner that has seen the log, with limits that fit the room. */
function openLog(entries: readonly Entry[], room: Room) {
  const projection = createProjection();
  let view: View = { messages: [], changedFrom: 0 };
  const planner = createCollapse(settingsOf(entries, room));
  const observe = (entry: Entry): void => {
    view = projection.append(entry);
    planner.observe(entry, view);
  };
  for (const entry of entries) observe(entry);
  const size = (): number => view.messages.reduce((sum, each) => sum + room.sizeOf(each), 0);
  return {
    collapse: planner,
    observe,
    size,
    view: () => view,
    context: () => contextOf(size(), room),
  };
}

function settingsOf(entries: readonly Entry[], { budgetTokens, sizeOf }: Room) {
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const sizes = messages.map((message) => ({
    size: sizeOf(message),
    isSaid: personText(message) !== '',
  }));
  const sum = (list: typeof sizes): number => list.reduce((total, { size }) => total + size, 0);
  const said = sum(sizes.filter(({ isSaid }) => isSaid));
  const spans = Math.max(1, Math.ceil((sum(sizes) - said) / SPAN_TOKENS));
  // a quarter of the budget is the newest work; what is appended to a summary is half of what it may have
  const room = Math.max(0, budgetTokens * 0.75 - said);
  return {
    summarize: async (request: Request) => standIn(request),
    sizeOfText: createEstimator().text,
    ...{ stageAt: 0, commitAt: 0, targetAt: 0, spanTokens: SPAN_TOKENS, minSpanTokens: 500 },
    maxSummaryTokens: Math.max(200, Math.floor((2 * room) / spans)),
  };
}

const SPAN_TOKENS = 20_000;
const WINDOW_TOKENS = 1_000_000;

/** Says hardly more than how its span begins: an answer that says nothing of it is refused. */
function standIn({ messages }: Request): SummaryReply {
  const earlier = messages.filter(isFolded).flatMap(({ content }) => content.filter(isText));
  const [, first] = messages; // behind the one that says where the span begins
  const about = `Work was done here, from ${JSON.stringify(first?.content ?? []).slice(0, BEGIN)} on.`;
  const text = [about, ...earlier.map((block) => block.text)].join('\n\n');
  return {
    content: [{ type: 'text', text: `<summary>${text}</summary>` }],
    stopReason: 'end_turn',
  };
}

/** UTF-16 units. */
const BEGIN = 200;

const isFolded = ({ origin }: Message): boolean => origin?.kind === 'summary';

const contextOf = (contextTokens: number, { budgetTokens, sizeOf }: Room): PlanContext => ({
  nowMs: 0,
  atUserTurn: true,
  contextTokens,
  limits: {
    // what comes of it has to fit the budget; the model that is asked for summaries reads the whole
    windowTokens: Math.max(WINDOW_TOKENS, contextTokens),
    effectiveTokens: budgetTokens,
    autocompactTokens: budgetTokens,
  },
  sizeOf,
  cache: { warm: false, markers: [] },
  prices: { read: 0.1, write: 1.25, output: 5 },
  thinking: 'free',
});

async function nextBodies(
  planner: ReturnType<typeof createCollapse>,
  context: PlanContext,
): Promise<readonly EntryBody[]> {
  const plan = planner.plan(context);
  if (plan.kind === 'none') return [];
  if (plan.kind === 'work') {
    const { notes } = await planner.run(plan.work);
    return notes.map((data) => ({ type: 'note', by: 'collapse', data }));
  }
  const { reason, receipt } = plan;
  return plan.edits.map((edit) => ({
    ...{ type: 'edit', by: 'collapse', reason, edit },
    ...(receipt && { receipt }),
  }));
}
