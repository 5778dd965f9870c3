import { matchesPattern, projectFiles } from './files.ts';
import { failed, type RecorderTool, succeeded } from './tool.ts';

export interface GlobInput {
  readonly pattern: string;
  /** Folder. */
  readonly path?: string;
}

export const globTool: RecorderTool<GlobInput> = {
  definition: {
    name: 'glob',
    description:
      'List the files of the project that match a pattern such as *.js (any folder) or lib/**/*.js, sorted by path.',
    input_schema: {
      type: 'object',
      properties: {
        pattern: { type: 'string' },
        path: { type: 'string', description: 'Folder to look in; the whole project by default.' },
      },
      required: ['pattern'],
      additionalProperties: false,
    },
  },
  tookMs: 60,
  run(workspace, { pattern, path = '.' }) {
    if (!workspace.exists(path)) return failed(`There is no folder ${path}.`);
    const files = projectFiles(workspace, path).filter((file) => matchesPattern(file, pattern));
    return succeeded(files.length === 0 ? 'No files.' : files.join('\n'));
  },
};
