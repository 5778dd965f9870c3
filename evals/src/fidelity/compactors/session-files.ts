import { type Message, type ToolResultBlock, toolResults, toolUses } from '@varve/messages';
import { kindOf } from '../facts/calls.ts';
import { outcomeOf } from '../facts/outcome.ts';
import { applyWriting, writingsIn } from './writings.ts';

/** The files of a session as far as its own reads and writes show them. */
export interface SessionFiles {
  add(message: Message): void;
  /** Paths that were read or written, the oldest first. */
  readonly paths: readonly string[];
  /** As the session left it, from its first line on; undefined where it never showed that. */
  textOf(path: string): string | undefined;
}

export function createSessionFiles(): SessionFiles {
  const texts = new Map<string, string | undefined>();
  const calls = new Map<string, ReturnType<typeof toolUses>[number]>();
  const put = (path: string, text: string | undefined): void => {
    texts.delete(path);
    texts.set(path, text);
  };
  const take = (result: ToolResultBlock): void => {
    const call = calls.get(result.tool_use_id);
    if (call === undefined) return;
    const { text, failed } = outcomeOf(result);
    if (failed) return;
    const kind = kindOf(call);
    if (kind.kind === 'read') {
      const { path } = kind;
      put(path, isFromTheStart(call.input) ? text.replace(LINE_NUMBER, '') : texts.get(path));
    }
    const shown = kind.kind === 'command' ? SHOWS.exec(kind.command.trim()) : null;
    const path = shown?.groups?.path;
    if (path !== undefined) put(path, text.replace(WRAPPING, ''));
    if (kind.kind !== 'change') return;
    for (const { path, op } of kind.changes) {
      const before = texts.get(path);
      if (op === 'deleted') texts.delete(path);
      else
        put(path, applyWriting(writingsIn(call.input, path), { before, isNew: op === 'created' }));
    }
  };
  return {
    add(message) {
      for (const call of toolUses(message)) calls.set(call.id, call);
      for (const result of toolResults(message)) take(result);
    },
    get paths() {
      return [...texts.keys()];
    },
    textOf: (path) => texts.get(path),
  };
}

const LINE_NUMBER = /^ *\d+(?:→|\t|\| ?)/gm;

/** A command that prints a file from its first line on, and nothing else. */
const SHOWS =
  /^(?:cat|sed -n ['"]?1,\d+p['"]?|head -(?:n ?)?\d+) ['"]?(?<path>[\w@%+:,./-]+\.\w+)['"]?$/;
/** What an agent prints in front of the output of a command. */
const WRAPPING = /^(?:(?:Chunk ID|Wall time|Process exited|Original token count)\b.*\n)+Output:\n/;

function isFromTheStart(input: unknown): boolean {
  const { offset, start_line: start } = (input ?? {}) as Readonly<Record<string, unknown>>;
  const from = offset ?? start;
  return typeof from !== 'number' || from <= 1;
}
