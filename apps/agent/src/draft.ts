import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a person has typed and the model has not got: messages that wait, and the text in the input. */
export interface Unsent {
  readonly waiting: readonly string[];
  readonly typed: string;
}

/** How long nothing is typed before it is written, in milliseconds. */
const PAUSE_MS = 200;

/** Keeps in a file what is not sent, so that a kill does not take it. */
export function createDraft(path: string) {
  let unsent: Unsent = { waiting: [], typed: '' };
  let timer: NodeJS.Timeout | undefined;

  function later(): void {
    timer ??= setTimeout(write, PAUSE_MS).unref();
  }

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    try {
      if (unsent.waiting.length === 0 && unsent.typed.trim() === '') {
        rmSync(path, { force: true });
        return;
      }
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.new`, JSON.stringify(unsent), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch {
      // a disk that is full takes nothing: the conversation goes on
    }
  }

  return {
    /** What an earlier run left. */
    left(): Unsent {
      try {
        const { waiting, typed } = JSON.parse(readFileSync(path, 'utf8')) as Unsent;
        return { waiting: waiting.map(String), typed: String(typed) };
      } catch {
        return { waiting: [], typed: '' };
      }
    },
    /** A message waits, which is written at once, or waits no more, which is written a moment later: mostly the log has it then. */
    waits(waiting: readonly string[]): void {
      const isSent = waiting.length < unsent.waiting.length;
      if (waiting.length === 0 && !isSent) return;
      unsent = { ...unsent, waiting: [...waiting] };
      if (isSent) later();
      else write();
    },
    typed(typed: string): void {
      unsent = { ...unsent, typed };
      later();
    },
    /** Writes what is not written yet. */
    close() {
      if (timer !== undefined) write();
    },
  };
}
