import { type Message, type ToolResultBlock, toolResults, toolUses } from '@varve/messages';
import { kindOf } from '../facts/calls.ts';
import { outcomeOf } from '../facts/outcome.ts';

/** The files of a session as far as its own reads and writes show them. */
export interface SessionFiles {
  add(message: Message): void;
  /** Paths that were read or written, the oldest first. */
  readonly paths: readonly string[];
  /** As the session left it; undefined where it never showed that. */
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
    if (kind.kind === 'read') put(kind.path, text.replace(LINE_NUMBER, ''));
    if (kind.kind !== 'change') return;
    const { content, old, next } = writingIn(call.input);
    for (const { path, op } of kind.changes) {
      const before = texts.get(path);
      if (op === 'deleted') texts.delete(path);
      else if (op === 'created' && content !== undefined) put(path, content);
      else if (old !== undefined && before?.includes(old))
        put(
          path,
          before.replace(old, () => next ?? ''),
        );
      else put(path, undefined); // changed in a way that is not known
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

function writingIn(input: unknown) {
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Readonly<
    Record<string, unknown>
  >;
  const first = (...names: readonly string[]): string | undefined =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === 'string');
  return {
    content: first('content', 'file_text', 'contents', 'text'),
    old: first('old_string', 'old_str', 'oldText', 'oldString'),
    next: first('new_string', 'new_str', 'newText', 'newString'),
  };
}
