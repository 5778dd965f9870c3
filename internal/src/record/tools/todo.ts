import { type RecorderTool, succeeded } from './tool.ts';

export interface TodoItem {
  readonly text: string;
  readonly status: 'open' | 'in-progress' | 'done';
}

export interface TodoInput {
  readonly items: readonly TodoItem[];
}

export const todoTool: RecorderTool<TodoInput> = {
  definition: {
    name: 'todo',
    description:
      'Replace the whole list of steps for the current task. Keep one item in progress, and mark an item done as soon as it is.',
    input_schema: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              text: { type: 'string' },
              status: { type: 'string', enum: ['open', 'in-progress', 'done'] },
            },
            required: ['text', 'status'],
            additionalProperties: false,
          },
        },
      },
      required: ['items'],
      additionalProperties: false,
    },
  },
  tookMs: 10,
  run(_workspace, { items }) {
    const count = (status: TodoItem['status']) =>
      items.filter((item) => item.status === status).length;
    return succeeded(
      `List saved: ${count('done')} done, ${count('in-progress')} in progress, ${count('open')} open.`,
    );
  },
};
