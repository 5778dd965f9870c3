import { recordOf } from '@varve/guards';
import { isToolUse, type Message, type ToolUseBlock } from '@varve/messages';

/** What a tool call does, read from the shape of its input first and its name second. */
export type CallKind =
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'change'; readonly changes: readonly FileChange[] }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | {
      readonly kind: 'question';
      readonly questions: readonly string[];
      /** What could be answered, as far as it is listed. */
      readonly options: readonly string[];
    }
  | { readonly kind: 'plan' }
  | { readonly kind: 'other' };

export interface FileChange {
  readonly path: string;
  readonly op: 'created' | 'edited' | 'deleted';
}

export interface Todo {
  readonly text: string;
  readonly status: 'pending' | 'in-progress' | 'done';
}

export const callsOf = ({ role, content }: Message): readonly ToolUseBlock[] =>
  role === 'assistant' ? content.filter(isToolUse) : [];

export function kindOf({ name, input }: ToolUseBlock): CallKind {
  const fields = fieldsOf(input);
  const patch = patchOf(fields);
  if (patch !== undefined) return { kind: 'change', changes: patchChanges(patch) };
  const path = stringIn(fields, PATH_KEYS);
  const verb = stringIn(fields, ['command']);
  if (path !== undefined) return fileCall(VERBS.has(verb ?? '') ? (verb as string) : name, path);
  const command = commandOf(fields);
  if (command !== undefined) return { kind: 'command', command };
  const todos = todosOf(fields);
  if (todos !== undefined) return { kind: 'todos', todos };
  if (/ask|question/i.test(name)) return { kind: 'question', ...questionsOf(fields) };
  return /plan/i.test(name) ? { kind: 'plan' } : { kind: 'other' };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(input: unknown): Fields {
  if (typeof input === 'string') return { input };
  return recordOf(input);
}

function fileCall(verb: string, path: string): CallKind {
  if (/create|write/i.test(verb)) return { kind: 'change', changes: [{ path, op: 'created' }] };
  if (/edit|replace|insert|update/i.test(verb))
    return { kind: 'change', changes: [{ path, op: 'edited' }] };
  if (/delete|remove/i.test(verb)) return { kind: 'change', changes: [{ path, op: 'deleted' }] };
  return /read|view|open|cat/i.test(verb) ? { kind: 'read', path } : { kind: 'other' };
}

/** A patch stands in any argument, also inside a shell command. */
const patchOf = (fields: Fields): string | undefined =>
  Object.values(fields)
    .map((value) => (Array.isArray(value) ? value.join('\n') : value))
    .find(
      (value): value is string => typeof value === 'string' && value.includes('*** Begin Patch'),
    );

function patchChanges(patch: string): readonly FileChange[] {
  return [...patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm)].map(([, verb, path]) => ({
    path: (path as string).trim(),
    op: verb === 'Add' ? 'created' : verb === 'Delete' ? 'deleted' : 'edited',
  }));
}

function commandOf(fields: Fields): string | undefined {
  for (const key of ['command', 'cmd', 'script']) {
    const value = fields[key];
    if (typeof value === 'string') return value;
    if (Array.isArray(value) && value.every((part) => typeof part === 'string'))
      return value.at(-1) as string;
  }
  return undefined;
}

function todosOf(fields: Fields): readonly Todo[] | undefined {
  const list = fields.todos ?? fields.plan ?? fields.todoList;
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((item) => {
    const { content, step, title, text, status } = fieldsOf(item);
    const words = [content, step, title, text].find((each) => typeof each === 'string');
    return typeof words === 'string' ? [{ text: words, status: statusOf(status) }] : [];
  });
}

function statusOf(status: unknown): Todo['status'] {
  if (/complete|done/i.test(String(status))) return 'done';
  return /progress|active|doing/i.test(String(status)) ? 'in-progress' : 'pending';
}

function questionsOf({ questions, question, options }: Fields) {
  const list = Array.isArray(questions) ? questions : [{ question, options }];
  const asked = list.map((each) =>
    typeof each === 'string' ? { question: each } : fieldsOf(each),
  );
  return {
    questions: asked.flatMap((each) => (typeof each.question === 'string' ? [each.question] : [])),
    options: asked.flatMap((each) => labelsOf(each.options)),
  };
}

function labelsOf(options: unknown): readonly string[] {
  if (!Array.isArray(options)) return [];
  return options.flatMap((each) => {
    const label = typeof each === 'string' ? each : fieldsOf(each).label;
    return typeof label === 'string' ? [label] : [];
  });
}

const stringIn = (fields: Fields, keys: readonly string[]): string | undefined =>
  keys.map((key) => fields[key]).find((value): value is string => typeof value === 'string');

const PATH_KEYS = ['file_path', 'filePath', 'path', 'filename', 'absolute_path', 'notebook_path'];
/** Editors with one tool for everything name the verb in `command`. */
const VERBS: ReadonlySet<string> = new Set(['create', 'view', 'str_replace', 'insert']);
