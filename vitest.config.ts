import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** Laws of which one run takes more than a millisecond or so: they get a quarter of the runs. */
const SLOW_LAWS = [
  'internal/test/{layers-together,never-refused}.test.ts',
  'packages/compact/test/{full/always-works,full/compact,full/requests,full/savings,partial/partial,plan/compaction,collapse/{laws,resume},snip/snip}.test.ts',
  'packages/context/test/{laws,compaction-laws,state-machine}.test.ts',
  'packages/fork-agent/test/{laws,fan-out}.test.ts',
  'packages/ledger/test/laws.test.ts',
  'packages/messages/test/{laws,undo-laws,repair-laws,hostile,testing}.test.ts',
  'packages/microcompact/test/{laws,candidates,rent}.test.ts',
  'packages/prompt-cache/test/laws.test.ts',
  'packages/session-memory/test/{tail,compaction,any-session}.test.ts',
  'packages/tokens/test/meter-view.test.ts',
  'packages/tool-storage/test/laws.test.ts',
  'packages/transcript/test/open-log-laws.test.ts',
];

const shared: TestProjectInlineConfiguration['test'] = {
  setupFiles: ['./internal/src/vitest-setup.ts'],
  testTimeout: 300_000,
  // Half of the time went into loading the same modules again for each file.
  isolate: false,
};

export default defineConfig({
  test: {
    // One more than cores: tests that wait for processes and clocks leave theirs to others.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          ...shared,
          name: 'packages',
          include: [
            'packages/*/test/**/*.test.ts',
            'apps/*/test/**/*.test.ts',
            'evals/test/**/*.test.ts',
            'internal/test/**/*.test.ts',
          ],
          exclude: SLOW_LAWS,
        },
      },
      {
        test: {
          ...shared,
          name: 'slow laws',
          include: SLOW_LAWS,
          env: { VARVE_LAW_SHARE: '0.25' },
        },
      },
    ],
  },
});
