import { expect, test } from 'vitest';
import type { ValidatedSession } from '../src/validate/validation-schema.ts';
import { validationVerdict } from '../src/validate/validation-text.ts';

const session = (costErrorShare: number | null, guess: number | null): ValidatedSession =>
  ({
    costErrorShare,
    baselines: { alwaysWarm: { costErrorShare: guess } },
  }) as unknown as ValidatedSession;

test.each([
  [[], 'No session carries bills'],
  [[session(null, null)], 'No session carries bills'],
  [[session(-0.02, 0.3)], 'of 1 session by 2.0 % in the median and by 2.0 % or less'],
  [
    [session(0.01, -0.2), session(-0.03, 0.4), session(0.05, 0.3), session(null, null)],
    'of 3 sessions by 3.0 % in the median and by 5.0 % or less in nine of ten; the guess "everything is read" by 30.0 %',
  ],
])('validate says in a sentence how far the simulator can be trusted: %#', (sessions, said) => {
  expect(validationVerdict({ sessions })).toContain(said);
});
