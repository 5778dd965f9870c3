import { z } from 'zod';
import { defineTool } from './tool.ts';

export const todoTool = defineTool({
  name: 'TodoWrite',
  description:
    'Keeps a list of the work, which the person sees. Each call gives the whole list. One item is in progress at a time; an item is completed as soon as it is done and checked.',
  input: z.object({
    todos: z.array(
      z.object({
        content: z.string().min(1).describe('What is to be done'),
        status: z.enum(['pending', 'in_progress', 'completed']),
      }),
    ),
  }),
  reads: true,
  async run({ todos }, { emit }) {
    emit({ kind: 'todos', todos });
    const open = todos.filter(({ status }) => status !== 'completed').length;
    return `The list has ${todos.length} items, ${open} of them open.`;
  },
});
