import { availableParallelism } from 'node:os';
import { matchesGlob, relative } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

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

/** Files that take five seconds and more are started first: at the end no core waits for one of them. */
const LONG =
  '{apps/agent/test/{acp,commands,day,kills,mcp,memory,mini,rows,screens,switches}.test.ts,evals/test/{cli,corpus,fidelity-probes,first-screen,legal-oracle,memory-dream-hostile,peers,questions,shipped-composition}.test.ts,internal/test/{agent-long,fits-every-window,fixtures-record,fixtures-sessions,memory-context}.test.ts,packages/dream/test/hostile.test.ts,packages/memdir/test/kills.test.ts,packages/transcript/test/import-damaged-copies.test.ts}';

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      matchesGlob(relative(import.meta.dirname, moduleId), LONG);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const shared: TestProjectInlineConfiguration['test'] = {
  setupFiles: ['./internal/src/vitest-setup.ts'],
  testTimeout: 300_000,
  // Half of the time went into loading the same modules again for each file.
  isolate: false,
  // Young objects are most of what tests make: with room for them a twentieth less goes into collecting garbage.
  execArgv: ['--max-semi-space-size=64'],
};

export default defineConfig({
  test: {
    // One more than cores: tests that wait for processes and clocks leave theirs to others.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
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
