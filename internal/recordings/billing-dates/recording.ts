import type { Recording } from '../../src/record/recording.ts';
import { formatsAndTheRest } from './formats.ts';
import { daysAndIntervals } from './intervals.ts';
import { monthsAndProration } from './months.ts';
import { orient } from './orient.ts';
import { twiceAtNight } from './overlap.ts';
import { report } from './report.ts';

export const billingDates: Recording = {
  name: 'billing-dates',
  task: 'A long investigation: five complaints about a billing job are traced through a date library with experiments over all time zones. One suspicion is refuted, the real cause depends on the season in which the job runs. Ends with a written report whose claims are held by checks.',
  model: 'claude-opus-5',
  params: { max_tokens: 32_000, thinking: { type: 'disabled' } },
  sources: [
    { name: 'luxon', version: '3.7.2', only: ['LICENSE.md', 'README.md', 'package.json', 'src'] },
  ],
  startedAt: '2026-11-19T08:11:30.000Z',
  recordedOn: '2026-11-28',
  steps: [
    ...orient,
    ...monthsAndProration,
    ...twiceAtNight,
    ...daysAndIntervals,
    ...formatsAndTheRest,
    ...report,
  ],
  finally: ['node --test "notes/*.test.mjs"', 'test -f notes/report.md'],
};
