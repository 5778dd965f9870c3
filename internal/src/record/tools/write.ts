import { unseen } from './edit.ts';
import { failed, type RecorderTool, succeeded } from './tool.ts';

export interface WriteInput {
  readonly path: string;
  readonly content: string;
}

export const writeTool: RecorderTool<WriteInput> = {
  definition: {
    name: 'write',
    description:
      'Create a file, or replace the whole of one that was read before. Missing folders are made.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Absolute path of the file.' },
        content: { type: 'string' },
      },
      required: ['path', 'content'],
      additionalProperties: false,
    },
  },
  tookMs: 40,
  run(workspace, { path, content }) {
    const exists = workspace.exists(path);
    const problem = exists ? unseen(workspace, path) : undefined;
    if (problem !== undefined) return failed(problem);
    workspace.write(path, content);
    workspace.noteSeen(path);
    const ending = content === '' || content.endsWith('\n') ? 1 : 0;
    const lines = content.split('\n').length - ending;
    return succeeded(`${exists ? 'Replaced' : 'Created'} ${path} (${lines} lines).`);
  },
};
