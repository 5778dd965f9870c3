import type { Recording } from '../../src/record/recording.ts';
import { dumperFix } from './dumper-fix.ts';
import { loaderFix } from './loader-fix.ts';
import { moreFaults } from './more-faults.ts';
import { reproduce } from './reproduce.ts';
import { wrapUp } from './wrap-up.ts';

export const roundTripBug: Recording = {
  name: 'round-trip-bug',
  task: 'Two strings do not survive writing and reading YAML. The assistant writes failing tests, takes back a fix that changes other output, fixes the writer and the reader, and a random test then finds two more faults, which are fixed as well. With thinking blocks.',
  model: 'claude-opus-5',
  params: { max_tokens: 32_000, thinking: { type: 'adaptive' } },
  sources: [
    {
      name: 'js-yaml',
      version: '4.3.0',
      only: ['LICENSE', 'README.md', 'package.json', 'index.js', 'lib', 'bin', 'dist/js-yaml.mjs'],
    },
  ],
  startedAt: '2026-11-16T09:02:11.000Z',
  recordedOn: '2026-11-28',
  steps: [...reproduce, ...dumperFix, ...loaderFix, ...moreFaults, ...wrapUp],
  finally: ['node --test "test/*.test.js"'],
};
