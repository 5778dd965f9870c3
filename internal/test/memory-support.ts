import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemdir, type Memdir } from '@varve/memdir';
import { createExtraction, type ExtractionEvent } from '@varve/memdir/extract';
import { diskFolder } from '@varve/memdir/node';
import type { Block, Message } from '@varve/messages';
import { onTestFinished } from 'vitest';
import { clientOf, type RunningEmulator, start } from './fork-support.ts';

type ExtractionOptions = Parameters<typeof createExtraction>[0];

type Extraction = ReturnType<typeof createExtraction>;

export const NOW = Date.parse('2026-03-04T15:00:00Z');

/** A folder of its own that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-memory-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Files of a folder with their texts; those of the archive and other bookkeeping only where asked for. */
export function filesOf(root: string, { hidden = false } = {}): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = (folder: string, prefix: string): void => {
    for (const name of readdirSync(folder).sort()) {
      if (!hidden && name.startsWith('.') && name !== '.inbox') continue;
      const path = join(folder, name);
      if (statSync(path).isDirectory()) walk(path, `${prefix}${name}/`);
      else found[`${prefix}${name}`] = readFileSync(path, 'utf8');
    }
  };
  walk(root, '');
  return found;
}

export interface Saved {
  readonly name?: string;
  readonly description?: string;
  readonly type?: string;
  readonly path?: string;
  readonly statements?: readonly object[];
  readonly remove?: readonly object[];
}

let calls = 0;
export const save = (input: Saved): Block => ({
  type: 'tool_use',
  id: `save_${++calls}`,
  name: 'save_memory',
  input: { description: input.statements?.map((each) => (each as Claim).text)[0], ...input },
});

export const readFile = (path: string): Block => ({
  type: 'tool_use',
  id: `read_${++calls}`,
  name: 'read_memory',
  input: { path },
});

interface Claim {
  readonly text: string;
}

export const rule = (text: string, turn: number, quote = text) => ({
  ...{ part: 'rule', text, turn, quote },
});

/** A conversation that grows, as an agent holds it. */
export function conversation() {
  const messages: Message[] = [];
  let number = 0;
  const add = (message: Omit<Message, 'id' | 'createdAt'>): Message => {
    const made = { id: `m${++number}`, createdAt: new Date(NOW).toISOString(), ...message };
    messages.push(made);
    return made;
  };
  return {
    messages,
    add,
    user: (text: string, more: Partial<Message> = {}) =>
      add({ role: 'user', content: [{ type: 'text', text }], ...more }),
    answer: (text: string) => add({ role: 'assistant', content: [{ type: 'text', text }] }),
    /** A call and its result. */
    tool(name: string, input: object, output: string, { isError = false } = {}) {
      const id = `call_${++number}`;
      add({ role: 'assistant', content: [{ type: 'tool_use', id, name, input }] });
      const result = { type: 'tool_result', tool_use_id: id, content: output } as const;
      add({ role: 'user', content: [isError ? { ...result, is_error: true } : result] });
    },
  };
}

export interface Setup {
  readonly path: string;
  readonly memory: Memdir;
  readonly extraction: Extraction;
  readonly events: ExtractionEvent[];
  readonly emulator: RunningEmulator;
  finished(): Extract<ExtractionEvent, { kind: 'finished' }> | undefined;
  /** Bodies of what was sent to the model, parsed. */
  sent(): readonly SentBody[];
}

export interface SentBody {
  readonly system: readonly { readonly text: string }[];
  readonly messages: readonly { readonly role: string; readonly content: readonly SentBlock[] }[];
}

export interface SentBlock {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

export type ScriptedReply = string | readonly Block[];

/** Memory on disk, and extraction through the real SDK. Each list of replies is handed out in order; behind them nothing is saved. */
export async function setup(
  replies: readonly ScriptedReply[] = [],
  options: Partial<ExtractionOptions> & { readonly path?: string } = {},
): Promise<Setup> {
  const { path = temporaryFolder(), ...rest } = options;
  const emulator = await start({
    replies: ({ index }) => {
      const reply = replies[index] ?? 'None.';
      return typeof reply === 'string' ? reply : { content: reply };
    },
  });
  const memory = createMemdir({ folder: diskFolder(path), now: () => NOW });
  const events: ExtractionEvent[] = [];
  const extraction = createExtraction({
    ...{ memory, now: () => NOW, onEvent: (event) => events.push(event) },
    ...{ client: clientOf('anthropic', emulator), model: 'claude-haiku-4-5' },
    ...rest,
  });
  onTestFinished(() => extraction.close());
  return {
    ...{ path, memory, extraction, events, emulator },
    finished: () => events.findLast((event) => event.kind === 'finished'),
    sent: () =>
      emulator.requests.map(({ body }) => JSON.parse(new TextDecoder().decode(body)) as SentBody),
  };
}
