import { type Entry, isToolUse } from '@varve/messages';
import type { AgentEvent, Todo } from '../events.ts';
import { todoTool } from '../tools/todo.ts';
import type { Producer } from './producers.ts';

/** Requests without a look at the list before the model is reminded of it. */
const MOST_REQUESTS = 10;

/** The list that the model keeps of its work, as it stands now. */
export function createTodos(entries: readonly Entry[]) {
  let todos = lastOf(entries);
  let requests = 0;
  const producer: Producer = {
    name: 'todos',
    collect({ prompt }) {
      if (prompt === undefined) requests += 1;
      if (requests <= MOST_REQUESTS || !todos.some(isOpen)) return [];
      requests = 0;
      return [
        {
          text: `The list of TodoWrite was not changed for a while. If it is no longer right, write it anew; if it has nothing to do with the work, leave it. It is not to be talked about.\n${todoLines(todos)}`,
        },
      ];
    },
  };
  return {
    producer,
    list: (): readonly Todo[] => todos,
    seen(event: AgentEvent): void {
      if (event.kind !== 'todos') return;
      todos = event.todos;
      requests = 0;
    },
    /** The list for behind a summary, while something of it is open. */
    toRestore(): string | undefined {
      requests = 0;
      if (!todos.some(isOpen)) return undefined;
      return `The list of TodoWrite as it stands:\n${todoLines(todos)}`;
    },
  };
}
export type Todos = ReturnType<typeof createTodos>;

const isOpen = ({ status }: Todo): boolean => status !== 'completed';

const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]' };

export const todoLines = (todos: readonly Todo[]): string =>
  todos.map(({ content, status }) => `${MARKS[status]} ${content}`).join('\n');

/** What the last call in a log said. */
function lastOf(entries: readonly Entry[]): readonly Todo[] {
  for (const entry of entries.toReversed()) {
    if (entry.type !== 'message' || entry.message.role !== 'assistant') continue;
    for (const block of entry.message.content.toReversed()) {
      if (!isToolUse(block) || block.name !== todoTool.name) continue;
      const read = todoTool.input.safeParse(block.input);
      if (read.success) return (read.data as { readonly todos: readonly Todo[] }).todos;
    }
  }
  return [];
}
