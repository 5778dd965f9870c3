import { isRecord } from '@varve/guards';
import { type Input, stringIn } from '@varve/messages/tools';
import type { DoneCall, Extractor } from './extractor.ts';
import type { Place } from './fact.ts';
import { oneLine } from './names.ts';
import { createSlots } from './slots.ts';

interface Item {
  /** Absent where the tool gives none, or where it was never said. */
  readonly id?: string | undefined;
  readonly text: string;
  readonly status: string;
  readonly owner?: string | undefined;
}

/** What a call says of an item; what it leaves out stays as it was. */
type ItemChange = Partial<Item>;

const MAX_ITEM = 300;
const MAX_ITEMS = 1_000;

/**
 * The plan as the agent's own todo tool has it last, item by item. A new list takes the place of the old one; a list that is to
 * be merged, and tools that keep single tasks, change the items they name and no others. What a result says never becomes an
 * item: only a task's number is read from it.
 */
export function createTodoFacts(): Extractor {
  const slots = createSlots('todo');
  /** By id; without one by the text and which of its like it is. */
  let items = new Map<string, Item>();

  const show = (next: Map<string, Item>, place: Place, changed: (key: string) => boolean): void => {
    const shown = new Map([...labelled(items)].map(([key, label]) => [label, items.get(key)]));
    const labels = labelled(next);
    const left = new Set(labels.values());
    for (const label of shown.keys()) if (!left.has(label)) slots.drop(label);
    for (const [key, item] of next) {
      const label = labels.get(key) as string;
      if (changed(key) || slots.get(label) !== item.status) slots.set(label, item.status, place);
    }
    items = next;
  };
  const replaceList = (changes: readonly ItemChange[], place: Place): void => {
    const next = new Map<string, Item>();
    for (const change of changes) {
      const item = changed(
        change.id === undefined ? undefined : items.get(idKey(change.id)),
        change,
      );
      if (item !== undefined) next.set(freeKey(next, item), item);
    }
    show(next, place, () => true);
  };
  const mergeList = (changes: readonly ItemChange[], place: Place): void => {
    const next = new Map(items);
    const touched = new Set<string>();
    for (const change of changes) {
      const key = keyOf(next, change, touched);
      const item = changed(next.get(key ?? ''), change);
      if (item === undefined) continue;
      const at = key ?? freeKey(next, item);
      touched.add(at);
      if (item.status === 'deleted') next.delete(at);
      else next.set(at, item);
    }
    for (const key of next.keys()) if (next.size > MAX_ITEMS) next.delete(key);
    show(next, place, (key) => touched.has(key));
  };
  return {
    done(done, place) {
      const { call, outcome } = done;
      if (outcome.status !== 'passed' && outcome.status !== 'running') return;
      if (!CHANGES.includes(call.kind) || tellsError(done)) return;
      if (call.kind === 'todo') {
        const list = listIn(call.input);
        if (list === undefined) return;
        if (isYes(call.input.merge)) mergeList(list, place);
        else replaceList(list, place);
      } else if (call.kind === 'task-create') mergeList([createdTask(done)], place);
      else mergeList([changeIn(call.input)], place);
    },
    facts: slots.facts,
    superseded: slots.superseded,
  };
}

/** Calls that change the list; the answers of others may be long, and are not read. */
const CHANGES: readonly unknown[] = ['todo', 'task-create', 'task-update'];

const idKey = (id: string): string => `#${id}`;

/** The item that a change is about, of those no other change of the same call is about. */
function keyOf(
  items: ReadonlyMap<string, Item>,
  { id, text }: ItemChange,
  touched: ReadonlySet<string>,
): string | undefined {
  if (id !== undefined) return items.has(idKey(id)) ? idKey(id) : undefined;
  for (const [key, item] of items) if (item.text === text && !touched.has(key)) return key;
  return undefined;
}

/** A place of its own for an item: neither equal texts nor equal ids make two items one. */
function freeKey(items: ReadonlyMap<string, Item>, { id, text }: Item): string {
  const key = id === undefined ? text : idKey(id);
  for (let count = 1; ; count++) {
    const free = count === 1 ? key : `${key}\n${count}`;
    if (!items.has(free)) return free;
  }
}

/** An item after a change; nothing where the change names none. */
function changed(before: Item | undefined, change: ItemChange): Item | undefined {
  const { id = before?.id, status = before?.status ?? 'pending', owner = before?.owner } = change;
  const text = change.text ?? before?.text ?? (id === undefined ? undefined : `task ${id}`);
  return text === undefined ? undefined : { id, text, status, owner };
}

/** How items are shown: the text, with id and owner where there are any, and a number where the same stood there before. */
function labelled(items: ReadonlyMap<string, Item>): ReadonlyMap<string, string> {
  const used = new Map<string, number>();
  return new Map(
    [...items].map(([key, { id, text, owner }]) => {
      const about = [id === undefined ? '' : `#${id}`, owner ?? ''].filter((part) => part !== '');
      const label = about.length === 0 ? text : `${text} (${about.join(', ')})`;
      const count = (used.get(label) ?? 0) + 1;
      used.set(label, count);
      return [key, count === 1 ? label : `${label} (${count})`];
    }),
  );
}

/** An answer whose own words are an error, whatever its flag says: no store took the call. */
function tellsError({ call: { input }, text }: DoneCall): boolean {
  const value = parsed(text);
  if (value !== undefined) return isErrorRecord(value);
  const [line = ''] = ownWords(text.slice(0, 600), input).trim().split('\n');
  if (LIST_ITEM.test(line)) return false;
  return ERROR.test(line) || NOT_DONE.exec(line)?.groups?.not !== undefined;
}

const LIST_ITEM = /^(?:[-*] |\d{1,4}[.)] |\[)/;
const ERROR =
  /^[\s"'([<*✗✘×❌]{0,8}(?:\w{0,40}[ _]?(?:error|exception)\b|fail(?:ed|ure)\b|invalid\b|unable to\b|missing\b|rejected\b|denied\b|no such\b)/i;
/** What comes first in the line decides: behind a word of success stands the task's own text. */
const NOT_DONE =
  /\b(?:created|updated|saved|added|modified|changed|success\w*|done|ok)\b|(?<not>\b(?:not|(?:could|ca|did|does|was|were|is|has)n't)\b)/i;

const isErrorRecord = (value: unknown): boolean =>
  isRecord(value) &&
  ((value.error !== undefined && value.error !== null && value.error !== false) ||
    [value.success, value.ok].includes(false) ||
    value.isError === true ||
    (typeof value.status === 'string' && /^(?:error|fail)/i.test(value.status)));

/** Agents put the number of a new task into the result, beside its text, which may hold numbers of other things. */
function createdTask({ call: { input }, text }: DoneCall): ItemChange {
  const said = changeIn(input);
  return { ...said, id: newId(text, input) ?? said.id, status: said.status ?? 'pending' };
}

const NEW_ID =
  /#(\d+)|(?<![A-Za-z])ids?\b["'\s]{0,4}(?:[:=]|is\b|was\b)?["'\s#]{0,4}([\w-]{1,60})|\b(?:task|todo|item)\b["'\s]{0,4}(?:number|no\.?)?[\s:]{0,3}["']?(\d+)\b/i;

function newId(text: string, input: Input): string | undefined {
  const value = parsed(text);
  const record = isRecord(value) && isRecord(value.task) ? value.task : value;
  if (isRecord(record)) {
    const { id } = changeIn(record);
    if (id !== undefined) return id;
  }
  const [, number, word, counted] =
    NEW_ID.exec(ownWords(text.slice(0, 600), input).slice(0, 200)) ?? [];
  return number ?? word ?? counted;
}

/** A shorter text is a part of other words. */
const MIN_OWN = 4;

/** An answer without the texts that the call gave, and without what stands in quotes with blanks in it: an id is one word. */
function ownWords(text: string, input: Input): string {
  let rest = text;
  for (const field of TEXTS) {
    const own = input[field];
    if (typeof own === 'string' && own.length >= MIN_OWN) rest = rest.replaceAll(own, ' ');
  }
  return rest.replace(
    /"[^"\n]{0,300}\s[^"\n]{0,300}"|“[^”\n]{0,600}”|`[^`\n]{0,600}\s[^`\n]{0,300}`/g,
    ' ',
  );
}

/** The list that a call gives: an array, JSON of one, or a list in Markdown. */
function listIn(input: Input): readonly ItemChange[] | undefined {
  const whole = parsed(input.input);
  if (Array.isArray(whole)) return itemsIn(whole);
  if (isRecord(whole)) return listIn(whole);
  const list = LISTS.map((field) => input[field]).find((value) => value !== undefined);
  if (typeof list !== 'string') return Array.isArray(list) ? itemsIn(list) : undefined;
  const value = parsed(list);
  if (Array.isArray(value)) return itemsIn(value);
  return isRecord(value) ? listIn(value) : checklistIn(list);
}

const LISTS = ['todos', 'plan', 'todoList', 'todo_list', 'items', 'tasks', 'task_list', 'taskList'];

const itemsIn = (list: readonly unknown[]): readonly ItemChange[] =>
  list.slice(0, MAX_ITEMS).flatMap((one) => (isRecord(one) ? [changeIn(one)] : []));

/** The value of a text that is JSON of an object or a list. */
function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const CHECKLIST = /^[ \t]*(?:[-*][ \t]*)?\[([ xX~-])\][ \t]*(\S.*)$/gm;

/** A list in Markdown: `- [x] done`. */
function checklistIn(list: string): readonly ItemChange[] | undefined {
  const found = [...list.matchAll(CHECKLIST)].slice(0, MAX_ITEMS);
  if (found.length === 0) return undefined;
  return found.map(([, mark = '', text = '']) => ({
    text: oneLine(text, MAX_ITEM),
    status: mark === ' ' ? 'pending' : /x/i.test(mark) ? 'completed' : 'in progress',
  }));
}

const TEXTS = ['content', 'step', 'subject', 'title', 'description', 'text', 'task'];

function changeIn(input: Input): ItemChange {
  const text = stringIn(input, TEXTS);
  const status = statusIn(input);
  const owner = stringIn(input, ['owner', 'assignee', 'assigned_to', 'assignedTo']);
  const id = [input.id, input.taskId, input.task_id, input.todoId].find(isId);
  return {
    ...(id !== undefined && { id: oneLine(String(id), 60) }),
    ...(text !== undefined && { text: oneLine(text, MAX_ITEM) }),
    ...(status !== undefined && { status }),
    ...(owner !== undefined && { owner: oneLine(owner, 60) }),
  };
}

const isId = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value !== '');

function statusIn(input: Input): string | undefined {
  const said = stringIn(input, ['status', 'state']);
  if (said !== undefined) return plainStatus(said);
  const done = input.completed ?? input.done;
  if (isYes(done)) return 'completed';
  return done === false || done === 'false' ? 'pending' : undefined;
}

/** Models write a switch as a text, too. */
const isYes = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && /^(?:true|yes|1)$/i.test(value));

/** Agents spell these differently. */
function plainStatus(status: string): string {
  const words = status.toLowerCase().replace(/[-_\s]+/g, ' ');
  if (/^(?:done|complete|finished|closed)$/.test(words)) return 'completed';
  if (/^(?:todo|open|not started|new)$/.test(words)) return 'pending';
  return /^(?:doing|active|started|inprogress)$/.test(words) ? 'in progress' : words;
}
