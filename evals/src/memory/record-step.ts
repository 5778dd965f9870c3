import {
  type OpenRequest,
  openRequest,
  readAnswer,
  removeAnswered,
  writeOpen,
} from './answer-folder.ts';
import type { Chain } from './chain.ts';
import { type Exchange, type Recording, type Wanted, writeRecording } from './recordings.ts';
import { isComplete, runChain, type Writer } from './run-chain.ts';
import { type Dreamer, pollutedFolder, runDream } from './run-dream.ts';
import { shippedDreamer } from './shipped-dreamer.ts';
import { shippedWriter } from './shipped-writer.ts';

/** Who is asked; the ones that ship but in tests. */
export interface Asking {
  readonly writer: Writer;
  readonly dreamer: Dreamer;
}

const SHIPPED: Asking = { writer: shippedWriter, dreamer: shippedDreamer };

interface Next {
  /** Those that can be answered now, each for itself. */
  readonly wanted: readonly Wanted[];
  /** Places whose answers are used; all of them where nothing is wanted. */
  readonly answered: readonly string[];
}

/**
 * What is asked next along a take. Nobody is to know the end of a chain, or what it is asked for, before the sessions are
 * answered: first each session in turn, then the dream over what was written, then the turns without and with memory, and last
 * the dream over the memory of the controls, in which all items stand.
 */
export async function nextRequests(
  chain: Chain,
  recording: Recording,
  { writer, dreamer }: Asking = SHIPPED,
): Promise<Next> {
  const run = await runChain(chain, recording, writer);
  if (!isComplete(run)) {
    const wanted = run.wanted.filter(({ asker }) => asker === 'extract');
    return { wanted, answered: run.answered };
  }
  const dreamOver = { chain, recording, dreamer };
  const written = await runDream({ ...dreamOver, memory: 'written', folder: run.folder });
  const without = run.wanted.filter(({ asker }) => asker === 'turn-without-memory');
  const phases = [written.wanted, without, run.wanted];
  const open = phases.find((wanted) => wanted.length > 0);
  const answered = [...run.answered, ...written.answered];
  if (open !== undefined) return { wanted: open, answered };
  const folder = pollutedFolder(chain);
  const polluted = await runDream({ ...dreamOver, memory: 'polluted', folder });
  return { wanted: polluted.wanted, answered: [...answered, ...polluted.answered] };
}

export interface StepInput {
  readonly chain: Chain;
  readonly recording: Recording;
  /** Folders. */
  readonly requests: string;
  readonly recordings: string;
  /** YYYY-MM-DD. */
  readonly today: string;
  readonly asking?: Asking | undefined;
}

export interface Step {
  readonly chain: string;
  readonly take: number;
  /** Answers that this step took into the recording. */
  readonly taken: number;
  /** Answers in the recording that are used, and those that no longer fit. */
  readonly used: number;
  readonly stale: number;
  /** Sentences on answers that could not be taken; they are asked again. */
  readonly refused: readonly string[];
  readonly open: readonly Pick<OpenRequest, 'request' | 'answer'>[];
}

/** Takes the answers of one take out of the folder, as far as they go, and writes what is asked next. */
export async function recordStep(input: StepInput): Promise<Step> {
  const { chain, requests, recordings, today, asking } = input;
  const exchanges = new Map(input.recording.exchanges);
  const recording: Recording = { ...input.recording, exchanges };
  let taken = 0;
  for (;;) {
    const next = await nextRequests(chain, recording, asking);
    const open = next.wanted.map((wanted) => openRequest(wanted, numberOf(wanted, chain)));
    const refused: string[] = [];
    let news = 0;
    for (const each of open) {
      const given = await readAnswer(requests, each);
      if (given.kind === 'refused') refused.push(given.why);
      if (given.kind !== 'answer') continue;
      exchanges.set(each.wanted.place, given.exchange);
      await writeRecording(recordings, recording);
      await removeAnswered(requests, each);
      news++;
    }
    taken += news;
    if (news > 0) continue;
    const isDone = open.length === 0;
    if (isDone && keepOnly(exchanges, next.answered)) await writeRecording(recordings, recording);
    const prefilled = { model: lastModel(exchanges), date: today };
    const strays = await writeOpen(requests, recording, open, prefilled);
    return {
      ...{ chain: chain.name, take: recording.take, taken },
      refused: [...refused, ...strays],
      used: next.answered.length,
      stale: next.wanted.filter(({ reason }) => reason !== 'missing').length,
      open: open.map(({ request, answer }) => ({ request, answer })),
    };
  }
}

/** Turns that are asked at the same time have a number each; everything else is asked one by one. */
const numberOf = ({ asker, turn }: Wanted, { turns }: Chain): number =>
  asker === 'turn' || asker === 'turn-without-memory'
    ? turns.filter(({ acts }) => acts !== undefined).findIndex(({ id }) => id === turn) + 1
    : 1;

const lastModel = (exchanges: ReadonlyMap<string, Exchange>): string =>
  [...exchanges.values()].at(-1)?.model ?? '';

/** Drops answers to what nobody asks any more. */
function keepOnly(exchanges: Map<string, Exchange>, answered: readonly string[]): boolean {
  const used = new Set(answered);
  const left = [...exchanges.keys()].filter((place) => !used.has(place));
  for (const place of left) exchanges.delete(place);
  return left.length > 0;
}
