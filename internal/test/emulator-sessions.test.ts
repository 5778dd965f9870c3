import { join } from 'node:path';
import { runValidation } from '@varve/evals';
import { importFile } from '@varve/transcript/node';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../src/share.ts';
import { replaySession } from './emulator-replay.ts';

const { VARVE_SESSIONS: SESSIONS = '' } = process.env;

/** Sessions of Claude Code whose files tell clock, model and lifetime, so that nothing else is in doubt. */
const FILES = ['claude-entire-20260208.jsonl', 'claude-entire-20260216.jsonl'];

/** Share of a prompt: half a percentage point. */
const TOLERANCE = 0.005;

describe.skipIf(SESSIONS === '')('real sessions through the emulator (V1, P3)', () => {
  test.each(oneIn(2, FILES))(
    '%s shows the hit rate that was billed and validated',
    async (name) => {
      const file = join(SESSIONS, 'claude-code', name);
      const { threads } = await importFile(file);
      const main = threads.find(({ kind }) => kind === 'main');
      if (main === undefined) throw new Error('the session has no main thread');
      const { accepted, refused, emulated, billed } = await replaySession(main, 'claude-opus-4-6');
      const [validated] = (await runValidation({ sessions: [file] })).sessions;
      expect(refused).toEqual([]);
      expect(accepted).toBe(validated?.requests);
      expect(Math.abs(emulated - billed)).toBeLessThanOrEqual(TOLERANCE);
      expect(Math.abs(emulated - (validated?.predictedCachedShare ?? 0))).toBeLessThanOrEqual(
        TOLERANCE,
      );
    },
  );
});
