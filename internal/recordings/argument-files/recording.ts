import type { Recording } from '../../src/record/recording.ts';
import { explore } from './explore.ts';
import { finish } from './finish.ts';
import { firstTry } from './first-try.ts';
import { inFront } from './in-front.ts';
import { renameAndDocument } from './rename.ts';

export const argumentFiles: Recording = {
  name: 'argument-files',
  task: 'A command-line library learns to read arguments from files. The first approach expands them in the wrong place and is taken back, the nesting limit is first 8 and then 12, and in the end the method gets another name.',
  model: 'claude-sonnet-5',
  params: { max_tokens: 32_000, thinking: { type: 'disabled' } },
  sources: [{ name: 'commander', version: '14.0.3' }],
  startedAt: '2026-11-17T13:20:45.000Z',
  recordedOn: '2026-11-28',
  steps: [...explore, ...firstTry, ...inFront, ...renameAndDocument, ...finish],
  finally: ['node --test "tests/*.test.js"', '! grep -rn "rgumentFile" lib typings Readme.md'],
};
