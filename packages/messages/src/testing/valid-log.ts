import * as fc from 'fast-check';
import { project } from '../projection.ts';
import type { Entry, Message } from '../types.ts';
import { createDigits } from './digits.ts';
import { hostileText } from './hostile.ts';
import { createLogWriter } from './log-writer.ts';
import { STEPS, type Step, type StepKind } from './steps.ts';

/**
 * Logs that every projection of every prefix turns into a valid history for each provider: rounds with parallel calls,
 * ids used again, results out of order, steering, given-up calls, nested spans, cleared blocks, undos of undos, server
 * edits, changed heads, media, thinking, nasty text. Most hold 30 entries or more; one in five holds system messages,
 * and no spans, which could move a system message to where no provider takes it.
 */
export function validLog(): fc.Arbitrary<readonly Entry[]> {
  const texts = fc.array(hostileText(), { minLength: 1, maxLength: 4 });
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(texts, steps(WITH_SPANS), fc.constant(true)).map(writeLog) },
    { weight: 1, arbitrary: fc.tuple(texts, steps(WITH_SYSTEM), fc.constant(false)).map(writeLog) },
  );
}

/** The messages of a valid log as one array without ids of sources: a plain history that no call waits in. */
export function messageHistory(): fc.Arbitrary<readonly Message[]> {
  return validLog().map((entries) =>
    project(entries).messages.map(({ sources: _, ...message }) => message),
  );
}

const ANY_LOG: readonly StepKind[] = ['turn', 'turn', 'round', 'round', 'round', 'round', 'head'];
const WITH_SPANS: readonly StepKind[] = [
  ...ANY_LOG,
  'clear',
  'span',
  'span',
  'undo',
  'server',
  'note',
];
const WITH_SYSTEM: readonly StepKind[] = [...ANY_LOG, 'clear', 'undo', 'system', 'system'];

function steps(kinds: readonly StepKind[]): fc.Arbitrary<Step[]> {
  const numbers = fc.array(fc.noBias(fc.nat()), { minLength: 4, maxLength: 4 });
  const step = fc.record({ kind: fc.constantFrom(...kinds), numbers });
  return fc.array(step, { maxLength: 38, size: 'max' });
}

function writeLog([texts, taken, spans]: [string[], Step[], boolean]): readonly Entry[] {
  const writer = createLogWriter(texts, spans);
  for (const { kind, numbers } of taken) STEPS[kind](writer, createDigits(numbers));
  return writer.entries;
}
