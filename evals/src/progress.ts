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
}

/** A bar on one line that is redrawn in place; writes nothing where the stream is no terminal. */
export function createProgress({ stream, silent = false }: ProgressOptions): Progress {
  const isShown = !silent && stream.isTTY === true;
  return {
    show(share, label) {
      if (!isShown) return;
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

const BAR = 24;
const CLEAR_TO_END = '\u001b[K';
