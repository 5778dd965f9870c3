import {
  type Compactor,
  createCompaction,
  createProviderCompaction,
  type RunProviderCompaction,
  type Summarize,
} from '@varve/compact';
import type { Entry, PlanContext, Request, View } from '@varve/messages';
import { createNotesCompaction } from '@varve/session-memory';
import type { ModelInfo } from '@varve/tokens';
import { startPlatformTimer } from '../clean-up.ts';
import type { Enter } from '../redact-entry.ts';
import { createSummaryBill, type SummaryBill } from '../usage.ts';
import type { ContextCompaction, ContextNotes } from './context-compaction.ts';

export type NotesPlan = ReturnType<ReturnType<typeof createNotesCompaction>['plan']>;

export interface PlannersOptions {
  readonly compaction: ContextCompaction;
  /** Places the cache markers of a summary's request where the options do not. */
  readonly mark: (request: Request) => Request;
  /** Entries of one's own for the model table. */
  readonly models: readonly ModelInfo[] | undefined;
  /** Tokens of a text. */
  readonly textSize: (text: string) => number;
  /** Whether secrets are taken out of summaries. */
  readonly redact: boolean;
  /** What is done to what a model is asked for a summary: the words of a hook and of a focus enter with it. */
  readonly enter: Enter;
}

/** What compacts a conversation; both watch its log. */
export interface CompactionPlanners {
  readonly compactor: Compactor;
  /** Undefined where no provider compacts. */
  readonly byProvider: RunProviderCompaction | undefined;
  /** What the summaries of the attempt that is under way were billed. */
  readonly bill: SummaryBill;
  /** Never throws; what misses an entry says so when it is asked. */
  observe(entry: Entry, view: View): void;
  /**
   * To be called once a request is on its way: now and then what was said is read for the facts of a summary, while a model
   * answers. A compaction reads by itself what is left.
   */
  readSoon(): void;
  /** The conversation is over, or rests: nothing is read ahead until a request is on its way again. */
  rest(): void;
  /** What an observer threw, once it has. */
  broken(): { readonly cause: unknown } | undefined;
  /** Undefined where there are no notes. */
  planNotes(context: PlanContext, trigger: 'auto' | 'manual'): NotesPlan | undefined;
}

export function createPlanners({
  compaction,
  mark,
  models,
  textSize,
  redact,
  enter,
}: PlannersOptions): CompactionPlanners {
  const bill = createSummaryBill();
  const compactor = createCompaction({
    ...compaction,
    ...(typeof compaction.summarize === 'function' && {
      summarize: bill.of(entering(compaction.summarize, enter)),
    }),
    models,
    redact,
    mark: compaction.mark ?? mark,
  });
  const byProvider = compaction.byProvider && createByProvider(compaction, mark);
  const notes = compaction.notes && createNotes(compaction, { textSize, redact });
  const compactorWatch = watch(compactor);
  let requests = 0;
  const reading = createReading(compactor.ledger);
  const notesWatch = notes && watch(notes);
  return {
    compactor,
    byProvider,
    bill,
    observe(entry, view) {
      compactorWatch.observe(entry, view);
      notesWatch?.observe(entry, view);
    },
    readSoon() {
      requests += 1;
      if (requests % REQUESTS_BETWEEN === 0) reading.start();
    },
    rest: reading.stop,
    broken: compactorWatch.broken,
    planNotes(context, trigger) {
      if (notes === undefined) return undefined;
      if (notesWatch?.broken()) return { kind: 'none', reason: 'error' };
      return trigger === 'auto' ? notes.plan(context) : notes.planManual(context);
    },
  };
}

/** Short conversations end without a summary, and are never read. */
const REQUESTS_BETWEEN = 8;
/** Messages that are read in one go: a few milliseconds of them. */
const MESSAGES_AT_ONCE = 20;

function createReading(ledger: Compactor['ledger']) {
  let stop = () => {};
  const read = (): void => {
    try {
      if (ledger.catchUp(MESSAGES_AT_ONCE)) start();
    } catch {
      // it is said where a summary asks for the facts
    }
  };
  const start = (): void => {
    stop();
    stop = startPlatformTimer(0, read);
  };
  return { start, stop: () => stop() };
}

const entering =
  (summarize: Summarize, enter: Enter): Summarize =>
  (request, options) =>
    summarize(enter(request), options);

function createByProvider(
  { byProvider, mark: own, originals, minSavings }: ContextCompaction,
  mark: PlannersOptions['mark'],
): RunProviderCompaction {
  const given = byProvider as NonNullable<typeof byProvider>;
  return createProviderCompaction({
    ...given,
    mark: given.mark ?? own ?? mark,
    originals: given.originals ?? originals,
    minSavings: given.minSavings ?? minSavings,
  });
}

function createNotes(
  { notes, originals, minSavings }: ContextCompaction,
  { textSize, redact }: Pick<PlannersOptions, 'textSize' | 'redact'>,
) {
  const given = notes as ContextNotes;
  return createNotesCompaction({
    ...given,
    redact,
    textSize: given.textSize ?? textSize,
    originals: given.originals ?? originals,
    minSavings: given.minSavings ?? minSavings,
  });
}

/** Keeps what an observer throws from the log. One that missed an entry is not fed any more. */
function watch(planner: { readonly observe: (entry: Entry, view: View) => void }) {
  let broken: { readonly cause: unknown } | undefined;
  return {
    broken: () => broken,
    observe(entry: Entry, view: View): void {
      if (broken) return;
      try {
        planner.observe(entry, view);
      } catch (cause) {
        broken = { cause };
      }
    },
  };
}
