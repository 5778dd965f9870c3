import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry } from '@varve/messages';
import { onTestFinished } from 'vitest';

/** The first line of every log that is begun, byte for byte. */
export const FORMAT_LINE =
  '{"id":"varve-log-format","at":"1970-01-01T00:00:00.000Z","type":"note","by":"transcript","data":{"kind":"log-format","version":1}}\n';

/** A folder that is gone after the test that asks for it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-transcript-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function userEntry(id: string, text: string): Entry {
  const content = [{ type: 'text', text }];
  return {
    id,
    at: '2026-01-02T03:04:05.000Z',
    type: 'message',
    message: { id: `m-${id}`, role: 'user', content },
  };
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

interface ProgramOptions {
  readonly args?: readonly string[];
  /** A command that starts the program, e.g. `['unshare', '--pid']`. */
  readonly under?: readonly string[];
}

/** Starts a program of the folder `programs` with a path; `said` settles once it has written what is looked for. */
export function startProgram(
  program: string,
  path: string,
  { args = [], under = [] }: ProgramOptions = {},
) {
  const command = [
    ...under,
    process.execPath,
    join(import.meta.dirname, 'programs', program),
    path,
  ];
  const [first = '', ...rest] = [...command, ...args];
  const child = spawn(first, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const listeners = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    for (const listener of listeners) listener();
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    child,
    ended,
    said: (pattern: RegExp) =>
      new Promise<string>((resolve) => {
        const look = () => {
          const found = pattern.exec(output);
          if (found) resolve(found[0]);
        };
        listeners.add(look);
        look();
      }),
    kill() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}
