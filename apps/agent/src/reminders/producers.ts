import type { Limits } from '../loop.ts';

/** When reminders are asked for. */
export interface ReminderTime {
  /** What the person said, once for each time that they say something. */
  readonly prompt?: string | undefined;
  /** The request of the turn that comes next, counted from 1. */
  readonly turn: number;
  /** Where the turn ends. */
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/** One message that the agent puts behind the conversation by itself. */
export interface Reminder {
  readonly text: string;
  /** Once it stands there: so that nothing is lost where it was left out. */
  readonly told?: (() => unknown) | undefined;
}

/** Looks for one kind of thing that the model should know. */
export interface Producer {
  readonly name: string;
  /** Is waited for however long it takes. @default false */
  readonly isNeeded?: boolean | undefined;
  collect(at: ReminderTime): readonly Reminder[] | Promise<readonly Reminder[]>;
}

/** How long a request waits for what need not be said, in milliseconds. */
const MOST_MS = 1_000;

/** Asks all at once. One that fails or is late is left out; reminders stand in the order of the list. */
export async function askProducers(
  producers: readonly Producer[],
  at: ReminderTime,
  { mostMs = MOST_MS, onFailure }: { mostMs?: number; onFailure?: (failure: Failure) => void } = {},
): Promise<Reminder[]> {
  let timer: NodeJS.Timeout | undefined;
  let late: Promise<readonly Reminder[]> | undefined;
  const isLate = () => {
    late ??= new Promise((resolve) => {
      timer = setTimeout(resolve, mostMs, []);
    });
    return late;
  };
  const asked = producers.map(async ({ name, isNeeded, collect }) => {
    try {
      const found = collect(at); // most need not be waited for
      return await (isNeeded || !isPromise(found) ? found : Promise.race([found, isLate()]));
    } catch (cause) {
      at.signal.throwIfAborted();
      onFailure?.({ name, cause });
      return [];
    }
  });
  try {
    return (await Promise.all(asked)).flat();
  } finally {
    clearTimeout(timer);
  }
}

const isPromise = (found: ReturnType<Producer['collect']>): found is Promise<readonly Reminder[]> =>
  'then' in found;

export interface Failure {
  readonly name: string;
  readonly cause: unknown;
}
