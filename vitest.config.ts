import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Left alone it keeps one core for itself; laws need them all.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'packages',
          include: [
            'packages/*/test/**/*.test.ts',
            'evals/test/**/*.test.ts',
            'internal/test/**/*.test.ts',
          ],
          setupFiles: ['./internal/src/vitest-setup.ts'],
          testTimeout: 300_000,
          // Half of the time went into loading the same modules again for each file.
          isolate: false,
        },
      },
    ],
  },
});
