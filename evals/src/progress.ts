/** The part of a terminal stream that a progress bar needs. */
interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface Progress {
  /** Redraws the bar: `share` from 0 to 1, and what was done last. */
  show(share: number, label: string): void;
  /** Takes the bar away. */
  close(): void;
}

export interface ProgressOptions {
  readonly stream: ProgressStream;
  /** Nothing is ever written. @default false */
  readonly silent?: boolean | undefined;
  /** A clock in ms. @default performance.now */
  readonly now?: (() => number) | undefined;
}

/** A bar on one line that is redrawn in place. Where the stream is no terminal, a line of its own every ten seconds. */
export function createProgress(options: ProgressOptions): Progress {
  const { stream, silent = false, now = () => performance.now() } = options;
  const isShown = !silent && stream.isTTY === true;
  let lastMs = now();
  return {
    show(share, label) {
      if (silent) return;
      if (!isShown) {
        if (now() - lastMs < LINE_EVERY_MS) return;
        lastMs = now();
        stream.write(`${Math.floor(share * 100)} % done: ${label}\n`);
        return;
      }
      const filled = Math.round(Math.min(1, Math.max(0, share)) * BAR);
      const bar = '#'.repeat(filled) + '.'.repeat(BAR - filled);
      const line = `[${bar}] ${Math.floor(share * 100)} % ${label}`;
      stream.write(`\r${line.slice(0, (stream.columns || 80) - 1)}${CLEAR_TO_END}`);
    },
    close() {
      if (isShown) stream.write(`\r${CLEAR_TO_END}`);
    },
  };
}

const LINE_EVERY_MS = 10_000;
const BAR = 24;
const CLEAR_TO_END = '\u001b[K';
