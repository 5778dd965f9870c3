import { type Block, type Entry, parseEntry, type Request, serializeEntry } from '@varve/messages';
import { memoryStore, type ToolResultStore } from '@varve/tool-storage';
import fc from 'fast-check';
import { type Context, type ContextOptions, createContext } from '../src/index.ts';
import type { Reply } from '../src/options.ts';
import {
  BOUND,
  bytesOf,
  call,
  earlyClearing,
  earlyStorage,
  fakeClock,
  image,
  LATEST,
  OPENAI,
  output,
  says,
  text,
  thinking,
  UNKNOWN,
} from './support.ts';

/** One thing that happens to a conversation. What cannot happen where it stands is left out. */
export type Action =
  | { readonly kind: 'user'; readonly size: number; readonly image: boolean }
  | { readonly kind: 'answer'; readonly thinks: boolean }
  | {
      readonly kind: 'round';
      readonly ids: readonly string[];
      readonly size: number;
      readonly thinks: boolean;
      /** Each result is a call of its own. */
      readonly oneByOne: boolean;
      /** The round is closed after so many results. */
      readonly given: number;
    }
  | { readonly kind: 'pass'; readonly ms: number };

const sizes = fc.constantFrom(0, 50, 400, 850, 975, 2_250);

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('round' as const),
      ids: fc.shuffledSubarray(['k0', 'k1', 'k2'], { minLength: 1 }),
      size: sizes,
      thinks: fc.boolean(),
      oneByOne: fc.boolean(),
      given: fc.constantFrom(3, 3, 3, 3, 1, 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('user' as const),
      size: sizes,
      image: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('answer' as const), thinks: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.constantFrom(60_000, 400_000, 7_200_000),
    }),
  },
);

export const script = fc.array(action, { minLength: 1, maxLength: 10 });
export const model = fc.constantFrom(BOUND, LATEST, OPENAI, UNKNOWN);

/** A request, and where the edits right before it began. */
export interface Sent {
  readonly request: Request;
  readonly changedFrom: number;
}

export interface RunOptions {
  readonly model: string;
  /** What every context of the conversation gets beside what all have. */
  readonly given?: Given | undefined;
  /** Whether the process ends and a new one goes on from the log, before the action at an index. */
  readonly resumesAt?: (index: number) => boolean;
  /** How often the model fails before it answers, at an action. */
  readonly failures?: (index: number) => number;
  /** Called before the action at an index. */
  readonly before?: (run: Run, index: number) => Promise<void>;
}

type Given = Partial<Pick<ContextOptions, 'compaction' | 'models'>>;

export interface Run {
  context: Context;
  readonly given: Given;
  readonly model: string;
  readonly clock: ReturnType<typeof fakeClock>;
  readonly store: ToolResultStore;
  readonly sent: Sent[];
  /** Where the edits since the last request began. */
  changedFrom: number;
  readonly storage: ReturnType<typeof earlyStorage>;
}

/** Plays a script from the beginning. */
export async function play(actions: readonly Action[], options: RunOptions): Promise<Run> {
  const run = createRun(options.model, options.given ?? {});
  await run.context.user('Begin.');
  await playOn(run, actions, options);
  return run;
}

/** Plays a script in a conversation that is under way. */
export async function playOn(
  run: Run,
  actions: readonly Action[],
  { resumesAt, failures, before }: Omit<RunOptions, 'model'> = {},
): Promise<void> {
  for (const [index, each] of actions.entries()) {
    if (resumesAt?.(index)) resume(run);
    await before?.(run, index);
    await act(run, each, { index, failures: failures?.(index) ?? 0 });
  }
}

/** What `run` would send next; the conversation is made to end with a person's message first. */
export async function nextRequest(run: Run): Promise<Request> {
  await run.context.user('What is left?');
  return request(run);
}

function createRun(modelId: string, given: Given): Run {
  const store = memoryStore();
  const clock = fakeClock();
  const sent: Sent[] = [];
  const changedFrom = Infinity;
  const run = { model: modelId, given, store, clock, sent, changedFrom } as unknown as Run;
  return Object.assign(run, conversation(run, []));
}

/** A new process: nothing is left but the lines of the log and what was stored. */
export function resume(run: Run): void {
  Object.assign(run, conversation(run, linesOf(run).map(parseEntry)));
}

function conversation(run: Run, entries: Parameters<typeof createContext>[0]['entries']) {
  const storage = smallStorage(run.store);
  const context = createContext({
    model: run.model,
    system: 'You fix tests.',
    storage,
    entries,
    layers: [smallClearing()],
    now: run.clock.now,
    onEvent(event) {
      if (event.kind === 'edited') run.changedFrom = Math.min(run.changedFrom, event.changedFrom);
    },
    ...run.given,
  });
  return { context, storage };
}

// Laws take time by the character: everything is a quarter of what other tests have.
const smallStorage = (store: ToolResultStore) =>
  earlyStorage({
    store,
    threshold: 1_000,
    textThreshold: 1_000,
    roundChars: 3_000,
    preview: { maxChars: 200 },
  });

export const smallClearing = () => earlyClearing(1, { tokens: 250, candidateTokens: 25 });

interface Place {
  readonly index: number;
  readonly failures: number;
}

async function act(run: Run, each: Action, { index, failures }: Place): Promise<void> {
  const { context, clock } = run;
  if (each.kind === 'pass') return clock.pass(each.ms);
  if (each.kind === 'user') {
    const said = text(`${index}: ${output(`said ${index}`, each.size)}`);
    await context.user(each.image ? [said, image] : [said]);
    return;
  }
  if (context.view().messages.at(-1)?.role !== 'user') return;
  for (let attempt = 0; attempt < failures; attempt++) await request(run);
  await request(run);
  clock.pass(1_000);
  await context.reply(replyOf(each, index));
  if (each.kind === 'round') await bring(context, each, index);
}

function replyOf(each: Action & { readonly kind: 'answer' | 'round' }, index: number): Reply {
  const thought: Block[] = each.thinks ? [thinking(`s${index}`)] : [];
  if (each.kind === 'answer') return says(...thought, text(`Answer ${index}.`));
  const calls = each.ids.map((id) => call(id, 'bash', { command: `run ${index}` }));
  return says(...thought, text(`Step ${index}.`), ...calls);
}

async function bring(
  context: Context,
  { ids, size, oneByOne, given }: Action & { readonly kind: 'round' },
  index: number,
): Promise<void> {
  const outputs = [...ids]
    .reverse()
    .slice(0, given)
    .map((toolUseId) => ({ toolUseId, content: output(`${toolUseId} ${index}`, size) }));
  if (oneByOne) for (const each of outputs) await context.results([each]);
  else await context.results(outputs);
  await context.closeRound('aborted');
}

async function request(run: Run): Promise<Request> {
  const made = await run.context.request();
  run.sent.push({ request: made, changedFrom: run.changedFrom });
  run.changedFrom = Infinity;
  return made;
}

/** All that a provider would get. */
export const sentBytes = (sent: readonly Sent[]) =>
  sent.map(({ request: each }) => [
    bytesOf(each).join('\n'),
    JSON.stringify(each.markers),
    each.maxOutputTokens,
  ]);

/** The log as it would be written. */
export const linesOf = (run: Run): string[] => run.context.entries().map(lineOf);

const lines = new WeakMap<Entry, string>();

function lineOf(entry: Entry): string {
  const line = lines.get(entry) ?? serializeEntry(entry);
  lines.set(entry, line);
  return line;
}
