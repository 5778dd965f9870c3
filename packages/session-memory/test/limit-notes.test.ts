import { isWellFormed } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_TEMPLATE, limitNotes, measureNotes, parseTemplate } from '../src/index.ts';
import { notesWith, words } from './support.ts';

const template = parseTemplate(DEFAULT_TEMPLATE);
const sizeOf = (text: string): number => Math.ceil(text.length / 4);
const options = { template, sizeOf };

describe('limitNotes (N4)', () => {
  test('headings without text and guidance lines are left out', () => {
    const { text, cut } = limitNotes(
      notesWith({ '# Task': 'fix it', '# Worklog': '- one' }),
      options,
    );
    expect(text).toBe('# Task\nfix it\n\n# Worklog\n- one');
    expect(cut).toEqual([]);
  });

  test.each([
    [1_990, []],
    [2_000, ['# Task']],
    [9_000, ['# Task']],
  ])('a section of %d tokens beside its heading: cut %j', (tokens, expected) => {
    const body = words(tokens);
    const { text, cut } = limitNotes(notesWith({ '# Task': body, '# System': 'small' }), options);
    expect(cut).toEqual(expected);
    const [section = ''] = text.split('\n\n# System');
    expect(sizeOf(section)).toBeLessThanOrEqual(2_000);
    if (expected.length === 0) return;
    const kept = section.split('\n').slice(1, -1).join('\n');
    expect(body.startsWith(`${kept}\n`)).toBe(true);
    expect(sizeOf(kept)).toBeGreaterThan(1_960);
    expect(section).toMatch(/\n\[cut here; the full notes are in the notes file\]$/);
  });

  test('where the whole is too long the longest sections give way', () => {
    const long = Object.fromEntries(
      template.sections.slice(1).map(({ heading }) => [heading, words(1_900)]),
    );
    const { tokens, cut, text } = limitNotes(notesWith({ ...long, '# Title': 'small' }), options);
    expect(tokens).toBeLessThanOrEqual(12_000);
    expect(tokens).toBeGreaterThan(11_000);
    expect(cut).toHaveLength(9);
    expect(text).toContain('# Title\nsmall');
  });

  test('sections without a limit of their own, which only together are too long, give way', () => {
    const each = Object.fromEntries(
      template.sections.map(({ heading }) => [heading, 'y'.repeat(101)]),
    );
    const notes = notesWith(each);
    const whole = limitNotes(notes, options).text;
    const sum = template.sections.reduce(
      (tokens, { heading }) => tokens + sizeOf(`${heading}\n${each[heading]}`),
      0,
    );
    expect(sizeOf(whole)).toBeGreaterThan(sum);
    const limits = { ...options, sectionTokens: Infinity, totalTokens: sum };
    expect(limitNotes(notes, limits).tokens).toBeLessThanOrEqual(sum);
  });

  test('nothing that stands out of form is left out', () => {
    const { text } = limitNotes(
      `before\n# Mine\nown\n${notesWith({ '# Task': 'fix it' })}`,
      options,
    );
    expect(text).toBe('# Task\nfix it\n\n# Worklog\nbefore\n\n## Mine\nown');
  });

  test('a cut in a code fence closes it', () => {
    const body = `\`\`\`\n${words(3_000)}\n\`\`\``;
    const { text } = limitNotes(notesWith({ '# Task': body }), options);
    expect(text.match(/```/g)).toHaveLength(2);
  });

  test('case 49: a single line is never cut inside a character', () => {
    for (let shift = 0; shift < 4; shift++) {
      const body = 'x'.repeat(shift) + '\u{1f600}'.repeat(5_000);
      const { text, tokens } = limitNotes(notesWith({ '# Task': body }), options);
      expect(isWellFormed(text)).toBe(true);
      expect(tokens).toBeLessThanOrEqual(2_000);
      expect(tokens).toBeGreaterThan(1_950);
    }
  });

  test('any notes and any limits: within the whole, and each section within its own', () => {
    const bodies = fc.array(fc.nat(400), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(bodies, fc.nat(300), fc.nat(1_000), (sizes, sectionTokens, totalTokens) => {
        const notes = notesWith(
          Object.fromEntries(
            template.sections.map(({ heading }, at) => [heading, words(sizes[at] ?? 0)]),
          ),
        );
        const limits = { ...options, sectionTokens, totalTokens };
        const limited = limitNotes(notes, limits);
        expect(limited.tokens).toBe(sizeOf(limited.text));
        expect(limited.tokens).toBeLessThanOrEqual(totalTokens);
        for (const section of limited.text.split(/\n\n(?=# )/)) {
          expect(sizeOf(section)).toBeLessThanOrEqual(sectionTokens);
        }
        expect(limitNotes(notes, limits)).toEqual(limited);
      }),
    );
  });
});

describe('measureNotes (N4)', () => {
  test('names sections over their limit with their size', () => {
    const { totalTokens, longSections } = measureNotes(
      notesWith({ '# Task': words(2_500), '# System': words(1_000) }),
      options,
    );
    expect(longSections).toEqual([{ heading: '# Task', tokens: expect.any(Number) }]);
    expect(longSections[0]?.tokens).toBeGreaterThan(2_400);
    expect(totalTokens).toBeGreaterThan(3_500);
  });
});
