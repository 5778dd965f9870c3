/** A reading of counters that only grow within one session, e.g. total tokens so far. */
export interface CounterReading {
  readonly counters: Readonly<Record<string, number>>;
  /** When it was written. Lines that a file copied from its parent share one time. */
  readonly at?: string | number | undefined;
}

export interface CounterFold {
  add(reading: CounterReading): void;
  /** What this file itself used, by counter. */
  total(): Readonly<Record<string, number>>;
  /** Readings that were not counted, and why. */
  ignored(): { readonly replayed: number; readonly repeated: number };
}

/**
 * Turns cumulative counters of one file into what the file used. A file that begins with several readings of one and the
 * same time replays its parent's history: they set the base and are not counted. A reading that repeats the one before
 * counts nothing, and a counter that falls has been started again at zero.
 */
export function createCounterFold(): CounterFold {
  let last: CounterReading | undefined;
  let used: Readonly<Record<string, number>> = {};
  let readings = 0;
  let replayed = 0;
  let repeated = 0;
  /** While every reading so far has the same time, nobody knows yet whether they are a replay. */
  let isLeading = true;
  return {
    add(reading) {
      const isReplay =
        isLeading && last !== undefined && last.at !== undefined && last.at === reading.at;
      isLeading = last === undefined || isReplay;
      if (isReplay) {
        replayed = readings + 1;
        used = {};
      } else {
        const delta = growth(last?.counters ?? {}, reading.counters);
        if (last !== undefined && Object.values(delta).every((value) => value === 0)) repeated++;
        used = sum(used, delta);
      }
      readings++;
      last = reading;
    },
    total: () => used,
    ignored: () => ({ replayed, repeated }),
  };
}

type Counters = Readonly<Record<string, number>>;

function growth(before: Counters, after: Counters): Counters {
  const grown = Object.entries(after).map(([name, value]) => {
    const old = before[name] ?? 0;
    return [name, value < old ? value : value - old] as const;
  });
  return Object.fromEntries(grown);
}

function sum(a: Counters, b: Counters): Counters {
  const added = Object.entries(b).map(([name, value]) => [name, (a[name] ?? 0) + value] as const);
  return { ...a, ...Object.fromEntries(added) };
}
