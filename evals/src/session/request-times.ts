import type { Message } from '@varve/messages';

/** When the requests of the recorded replies were sent. */
export interface RequestTimes {
  /** Milliseconds since 1970, ascending; one for each reply. */
  readonly startMs: readonly number[];
  /** `assumed`: the file has no usable clock, so that requests stand {@link ASSUMED_GAP_MS} apart. */
  readonly source: 'recorded' | 'assumed';
}

export interface RequestTimesInput {
  readonly history: readonly Message[];
  /** Indices of the recorded replies, ascending. */
  readonly replies: readonly number[];
  /** Times at which a request is known to have gone out, by the id of its reply. */
  readonly knownStarts: ReadonlyMap<string, number>;
}

/**
 * A request goes out when its last input has arrived, or when a retry is recorded. A clock is not believed where stamps
 * are missing, run backwards more than twice, or mostly repeat.
 */
export function requestTimes(input: RequestTimesInput): RequestTimes {
  const { history, replies, knownStarts } = input;
  const stamps = replies.map((reply) => {
    const { id } = history[reply] as Message;
    return knownStarts.get(id) ?? timeOf(history[reply - 1]);
  });
  if (!isTrusted(stamps)) {
    return { startMs: replies.map((_, at) => at * ASSUMED_GAP_MS), source: 'assumed' };
  }
  let latest = 0;
  const startMs = stamps.map((stamp) => {
    latest = Math.max(latest, stamp ?? latest);
    return latest;
  });
  return { startMs, source: 'recorded' };
}

/** Between requests of a session without a clock: less than any cache lifetime. */
export const ASSUMED_GAP_MS = 10_000;

function timeOf(message: Message | undefined): number | undefined {
  const time = Date.parse(message?.createdAt ?? '');
  return Number.isNaN(time) ? undefined : time;
}

function isTrusted(stamps: readonly (number | undefined)[]): boolean {
  const known = stamps.filter((stamp) => stamp !== undefined);
  if (known.length < stamps.length * MIN_KNOWN_SHARE) return false;
  const steps = known.slice(1).map((stamp, at) => stamp - (known[at] as number));
  const backwards = steps.filter((step) => step < 0).length;
  const repeated = steps.filter((step) => step === 0).length;
  return backwards <= MAX_BACKWARD_STEPS && repeated <= steps.length * MAX_REPEATED_SHARE;
}

// a few gaps in the record do no harm; files that were converted give most records one and the same stamp
const MIN_KNOWN_SHARE = 0.8;
const MAX_BACKWARD_STEPS = 2;
const MAX_REPEATED_SHARE = 0.5;
