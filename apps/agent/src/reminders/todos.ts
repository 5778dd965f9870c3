import type { Context } from '@varve/context';
import { type Entry, isToolUse, type Message } from '@varve/messages';
import { isSummary } from '@varve/messages/persons';
import type { AgentEvent, Todo } from '../events.ts';
import { todoTool } from '../tools/todo.ts';
import type { Producer } from './producers.ts';

/** Requests without a look at the list before the model is reminded of it. */
const MOST_REQUESTS = 10;

/** The list that the model keeps of its work, as it stands now. */
export function createTodos(context: () => Pick<Context, 'entries' | 'view'>) {
  /** Of the last call in the log, whether it was taken back or not. */
  let last: readonly Todo[] | undefined;
  let requests = 0;
  /** Whether there ever was a list: without one nothing is looked through. */
  let isUsed: boolean | undefined;
  const wasUsed = () => {
    isUsed ??= messagesOf(context().entries()).some(writesList);
    return isUsed;
  };
  /** What the last call said that was not taken back; behind a summary one from before it counts. */
  const list = (): readonly Todo[] => {
    const { messages } = context().view();
    const shown = lastIn(messages);
    if (shown !== undefined || !messages.some(isSummary)) return shown ?? [];
    last ??= lastIn(messagesOf(context().entries())) ?? [];
    return last;
  };
  const producer: Producer = {
    name: 'todos',
    collect({ prompt }) {
      if (prompt === undefined) requests += 1;
      if (requests <= MOST_REQUESTS || !wasUsed()) return [];
      requests = 0; // the conversation is long, so it is looked through once in a while
      const todos = list();
      if (!todos.some(isOpen)) return [];
      return [
        {
          text: `The list of TodoWrite was not changed for a while. If it is no longer right, write it anew; if it has nothing to do with the work, leave it. It is not to be talked about.\n${todoLines(todos)}`,
        },
      ];
    },
  };
  return {
    ...{ producer, list },
    seen(event: AgentEvent): void {
      if (event.kind !== 'todos') return;
      isUsed = true;
      last = event.todos;
      requests = 0;
    },
    /** The list for behind a summary, while something of it is open. */
    toRestore(): string | undefined {
      requests = 0;
      const todos = list();
      if (!todos.some(isOpen)) return undefined;
      return `The list of TodoWrite as it stands:\n${todoLines(todos)}`;
    },
  };
}

const isOpen = ({ status }: Todo): boolean => status !== 'completed';

const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]' };

export const todoLines = (todos: readonly Todo[]): string =>
  todos.map(({ content, status }) => `${MARKS[status]} ${content}`).join('\n');

const messagesOf = (entries: readonly Entry[]): Message[] =>
  entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));

const writesList = ({ content }: Message): boolean =>
  content.some((block) => isToolUse(block) && block.name === todoTool.name);

function lastIn(messages: readonly Message[]): readonly Todo[] | undefined {
  for (const { role, content } of messages.toReversed()) {
    if (role !== 'assistant') continue;
    for (const block of content.toReversed()) {
      if (!isToolUse(block) || block.name !== todoTool.name) continue;
      const read = todoTool.input.safeParse(block.input);
      if (read.success) return (read.data as { readonly todos: readonly Todo[] }).todos;
    }
  }
  return undefined;
}
