import type { Recording } from '../../src/record/recording.ts';
import { callFolders } from './call-folders.ts';
import { compareDocs } from './compare-docs.ts';
import { coreFolder } from './core-folder.ts';
import { dispatcherFolder } from './dispatcher-folder.ts';
import { explore } from './explore.ts';
import { mockFolder } from './mock-folder.ts';
import { wrapUp } from './wrap-up.ts';

export const argumentChecks: Recording = {
  name: 'argument-checks',
  task: 'An HTTP client repeats the same argument checks in 25 files; they move into one module without changing a single message. A golden file of 2,355 outcomes is recorded first, one approach that changes the order of the checks is taken back, and a helper is renamed near the end.',
  model: 'claude-opus-5',
  params: { max_tokens: 32_000, thinking: { type: 'disabled' } },
  sources: [
    {
      name: 'undici',
      version: '7.30.2',
      only: [
        'LICENSE',
        'README.md',
        'package.json',
        'index.js',
        'index.d.ts',
        'lib',
        'types',
        'docs',
      ],
    },
  ],
  startedAt: '2026-11-18T07:45:02.000Z',
  recordedOn: '2026-11-28',
  steps: [
    ...explore,
    ...dispatcherFolder,
    ...callFolders,
    ...compareDocs,
    ...mockFolder,
    ...coreFolder,
    ...wrapUp,
  ],
  finally: ['node --test "test/*.test.js"'],
};
