import { describe, expect, test } from 'vitest';
import type { Fact } from '../src/fact.ts';
import { createSaidRows } from '../src/render/said-rows.ts';

const said = (value: string, position: number, vital = false): Fact => ({
  ...{ type: 'said', key: `text ${position}`, value, messageId: `m-${position}` },
  ...{ vital, weight: 5, position },
});

/** Findings of a hundred units each, the last one longer. */
function findings(units: number): string {
  const sentence = (at: number, length: number): string =>
    `${`Number ${at} is fixed because of `.padEnd(length - 1, 'x')}.`;
  const whole = Math.floor(units / 100) - 1;
  const texts = Array.from({ length: whole }, (_, at) => sentence(at, 99));
  return [...texts, sentence(whole, units - whole * 100)].join(' ');
}

const lineOf = ({ value }: Fact): string => value;
const sizeOf = (text: string): number => text.length;

/** The text with so many newer ones, in one unit less than all of them whole take, or in more than enough. */
function shown(text: string, age: number, { vital = false, isShort = false } = {}): string {
  const newer = Array.from({ length: age }, (_, at) => said('It is fixed.', at + 1));
  const facts = [said(text, 0, vital), ...newer];
  const all = facts.reduce((sum, fact) => sum + sizeOf(`${lineOf(fact)}\n`), 0);
  const hidden = newer.slice(0, Math.max(0, age - 24)).length * sizeOf('It is fixed.\n');
  const rows = createSaidRows(facts, { lineOf, isShort, isOutdated: () => false, sizeOf });
  const told = rows(isShort ? 2 * all : all - hidden - 1);
  return told.find(({ position }) => position === 0)?.text ?? '';
}

describe('what was said is told in steps', () => {
  test.each([
    ['the newest', 0, false, [1_800, 3_000, 4_000, 8_000]],
    ['the fourth', 3, false, [1_800, 3_000, 4_000, 8_000]],
    ['a vital one', 4, true, [500, 1_000, 2_000, 8_000]],
    ['one of the last two dozen', 23, false, [240, 500, 1_000, 4_000]],
    ['a vital one before them', 24, true, [240, 500, 1_000, 4_000]],
    ['a vital one long ago', 120, true, [140, 250, 600, 2_000]],
  ] as const)('%s takes the longest one that fits', (_, age, vital, steps) => {
    // of what was found each sentence has its blank
    const isWhole = age < 4 || (vital && age < 24);
    for (const [level, step] of steps.entries()) {
      const text = findings(isWhole ? step + 1 : step);
      const told = shown(text, age, { vital, isShort: level === 0 });
      expect(told.length, `${step}`).toBeLessThan(text.length);
      expect(told.length, `${step}`).toBeGreaterThan(step - 210);
    }
  });
});
