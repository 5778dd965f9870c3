import { type Input, isInput, stringIn, type ToolCall } from '@varve/messages/tools';
import type { Extractor } from './extractor.ts';
import type { Place } from './fact.ts';
import { oneLine } from './names.ts';
import { createSlots, type Slots } from './slots.ts';

interface Item {
  readonly text: string;
  readonly status: string;
}

const MAX_ITEM = 300;

/**
 * The plan as the agent's own todo tool has it last. A new list takes the place of the old one; tools that keep single tasks
 * change one item. What a result says never becomes an item: only a task's number is read from it.
 */
export function createTodoFacts(): Extractor {
  const slots = createSlots('todo');
  const texts = new Map<string, string>();
  return {
    done({ call, outcome, text }, place) {
      if (outcome.status === 'refused' || outcome.status === 'failed') return;
      if (call.kind === 'todo') replaceList(slots, itemsOf(call.input), place);
      else if (call.kind === 'task-create') createTask({ call, text, texts, slots, place });
      else if (call.kind === 'task-update') updateTask({ call, text, texts, slots, place });
    },
    facts: slots.facts,
    superseded: slots.superseded,
  };
}

function replaceList(slots: Slots, items: readonly Item[] | undefined, place: Place): void {
  if (items === undefined) return;
  const kept = new Set(items.map(({ text }) => text));
  for (const key of [...slots.keys()]) if (!kept.has(key)) slots.drop(key);
  for (const { text, status } of items) slots.set(text, status, place);
}

interface TaskChange {
  readonly call: ToolCall;
  readonly text: string;
  readonly texts: Map<string, string>;
  readonly slots: Slots;
  readonly place: Place;
}

function createTask({ call, text, texts, slots, place }: TaskChange): void {
  const item = itemOf(call.input);
  if (item === undefined) return;
  const id = /#(\d+)|\bid["':\s]+(\w+)/i.exec(text.slice(0, 200));
  texts.set(id?.[1] ?? id?.[2] ?? String(texts.size + 1), item.text);
  slots.set(item.text, item.status, place);
}

function updateTask({ call: { input }, texts, slots, place }: TaskChange): void {
  const id = stringIn(input, ['taskId', 'task_id', 'id']);
  const before = id === undefined ? undefined : texts.get(id);
  if (id === undefined || before === undefined) return;
  const status = stringIn(input, ['status', 'state']) ?? slots.get(before) ?? 'pending';
  const subject = stringIn(input, ['subject', 'content', 'title']);
  const text = subject === undefined ? before : oneLine(subject, MAX_ITEM);
  if (text !== before || status === 'deleted') slots.drop(before);
  if (status === 'deleted') return;
  texts.set(id, text);
  slots.set(text, plainStatus(status), place);
}

function itemsOf(input: Input): readonly Item[] | undefined {
  const list = input.todos ?? input.plan ?? input.todoList ?? input.items ?? input.tasks;
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((one) => {
    const item = isInput(one) ? itemOf(one) : undefined;
    return item === undefined ? [] : [item];
  });
}

function itemOf(input: Input): Item | undefined {
  const text = stringIn(input, [
    'content',
    'step',
    'subject',
    'title',
    'description',
    'text',
    'task',
  ]);
  if (text === undefined) return undefined;
  const done = input.completed === true || input.done === true;
  const status = stringIn(input, ['status', 'state']) ?? (done ? 'completed' : 'pending');
  return { text: oneLine(text, MAX_ITEM), status: plainStatus(status) };
}

/** Agents spell these differently. */
function plainStatus(status: string): string {
  const words = status.toLowerCase().replace(/[-_\s]+/g, ' ');
  if (/^(?:done|complete|finished|closed)$/.test(words)) return 'completed';
  if (/^(?:todo|open|not started|new)$/.test(words)) return 'pending';
  return /^(?:doing|active|started|inprogress)$/.test(words) ? 'in progress' : words;
}
