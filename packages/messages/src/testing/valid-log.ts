import * as fc from 'fast-check';
import { project } from '../projection.ts';
import type { Entry, Message } from '../types.ts';
import { createDigits } from './digits.ts';
import { hostileText } from './hostile.ts';
import { createLogWriter } from './log-writer.ts';
import { STEPS, type StepKind } from './steps.ts';

/**
 * Logs that every projection of every prefix turns into a valid history for each provider: rounds with parallel calls,
 * ids used again, results out of order, steering, given-up calls, nested spans, cleared blocks, undos of undos, server
 * edits, changed heads, media, thinking, nasty text. Most hold 30 entries or more; one in five holds system messages,
 * and no spans, which could move a system message to where no provider takes it. A log shrinks from its end. Laws of
 * the same seed that draw it first get the same logs, which are written once.
 */
export function validLog(): fc.Arbitrary<readonly Entry[]> {
  const texts = fc.array(hostileText(), { minLength: 1, maxLength: 4 });
  const seed = fc.noShrink(fc.noBias(fc.nat()));
  return fc.tuple(seed, fc.noBias(fc.nat(MAX_STEPS)), texts).map(logOf);
}

/** The messages of a valid log as one array without ids of sources: a plain history that no call waits in. */
export function messageHistory(): fc.Arbitrary<readonly Message[]> {
  return validLog().map((entries) =>
    project(entries).messages.map(({ sources: _, ...message }) => message),
  );
}

type Drawn = readonly [seed: number, steps: number, texts: readonly string[]];

const MAX_STEPS = 40;
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

const MAX_WRITTEN = 10_000;
const written = new Map<string, readonly Entry[]>();

function logOf(drawn: Drawn): readonly Entry[] {
  const key = JSON.stringify(drawn);
  const found = written.get(key);
  if (found) return found;
  const log = writeLog(drawn);
  if (written.size < MAX_WRITTEN) written.set(key, log);
  return log;
}

function writeLog([seed, steps, texts]: Drawn): readonly Entry[] {
  const digits = createDigits(seed);
  const spans = !digits.once(5);
  const kinds = spans ? WITH_SPANS : WITH_SYSTEM;
  const writer = createLogWriter(texts, spans);
  for (let step = 0; step < steps; step++) {
    const kind = kinds[digits.below(kinds.length)] as StepKind;
    STEPS[kind](writer, digits);
  }
  return writer.entries;
}
