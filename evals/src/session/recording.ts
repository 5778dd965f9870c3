import {
  type Entry,
  type Head,
  type Message,
  type ProviderProfile,
  repairHistory,
} from '@varve/messages';
import type { ImportedThread } from '@varve/transcript/import';
import { deepFreeze } from './freeze.ts';
import { type HeadSize, headSize } from './head-size.ts';
import { knownStarts } from './known-starts.ts';
import { rawHistory } from './raw-history.ts';
import { type RequestTimes, requestTimes } from './request-times.ts';
import { createSizes, type Sizes } from './sizes.ts';

/** A recorded thread as the replay plays it: frozen, valid for the provider, without the recorded agent's own clearing. */
export interface Recording {
  readonly head: Head;
  readonly headSize: HeadSize;
  readonly history: readonly Message[];
  /** Indices in `history` of the replies that a request was sent for, ascending. */
  readonly replies: readonly number[];
  readonly times: RequestTimes;
  readonly sizes: Sizes;
  /** How many things the raw history needed mending in, by kind. */
  readonly repairs: Readonly<Record<string, number>>;
  /** Recorded compactions, prunings and undone edits that were left out. */
  readonly removedEdits: number;
}

export interface RecordingOptions {
  readonly profile: ProviderProfile;
  /** The model the session is priced as; it takes the place of the recorded one in the head. */
  readonly modelId: string;
  /** Counts tokens of what is no head. */
  readonly estimator: Parameters<typeof createSizes>[0];
}

/** Makes the raw history of a thread valid for the provider, and puts its requests in place and time. */
export function createRecording(thread: ImportedThread, options: RecordingOptions): Recording {
  const { profile, modelId, estimator } = options;
  const { messages: history, repairs } = repairHistory(rawHistory(thread), {
    profile,
  });
  deepFreeze(history);
  const head = deepFreeze(headOf(thread.entries, modelId));
  const size = headSize({ thread, history, head, estimator });
  const replies = history.flatMap((message, at) => (isReply(history, message, at) ? [at] : []));
  return {
    head,
    headSize: size,
    history,
    replies,
    times: requestTimes({ history, replies, knownStarts: knownStarts(thread.entries) }),
    sizes: createSizes(estimator, { head, tokens: size.tokens }),
    repairs: countKinds(repairs.map((repair) => repair.kind)),
    removedEdits: thread.entries.filter((entry) => entry.type === 'edit').length,
  };
}

/** Later heads are left out: the replay keeps one, so that each break is the strategy's own. */
function headOf(entries: readonly Entry[], model: string): Head {
  const first = entries.find((entry) => entry.type === 'head');
  const { id, system, tools } = first?.head ?? NO_HEAD;
  return { id, model, system: system.length > 0 ? system : STAND_IN, tools, params: {} };
}

const NO_HEAD = { id: 'head', system: [], tools: [] };
const STAND_IN = [
  { type: 'text', text: 'The recording does not hold the system prompt.' },
] as const;

/** A model wrote it in answer to a request, which ends with somebody else's message. */
function isReply(history: readonly Message[], message: Message, at: number): boolean {
  const before = history[at - 1];
  return (
    message.role === 'assistant' &&
    message.origin === undefined &&
    before !== undefined &&
    before.role !== 'assistant'
  );
}

function countKinds(kinds: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([left], [right]) => (left < right ? -1 : 1)));
}
