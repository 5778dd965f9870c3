import { createEstimator } from '@varve/tokens/estimate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limitNotes, measureNotes } from '../src/limit-notes.ts';
import { DEFAULT_TEMPLATE, parseTemplate } from '../src/template.ts';
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
      expect(text.isWellFormed()).toBe(true);
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

// siblings: Chinese, Japanese and Thai without blanks, Russian, base64, emoji; one paragraph, lines with a long one among them,
// code; sections that keep their start and a log that keeps its end; four tokenizer families
describe('O350: long paragraphs and notes without blanks are cut by tokens', () => {
  const many = (unit: (at: number) => string, count: number): string =>
    Array.from({ length: count }, (_, at) => unit(at)).join('');
  const PARAGRAPHS: Record<string, string> = {
    English: many((at) => `Step ${at}: the parser of part ${at} was read and put right. `, 900),
    Chinese: many((at) => `第${at}步：读取解析器的第${at}部分，并修正了错误。`, 900),
    'Chinese with commas only': many((at) => `第${at}步读取解析器的部分，`, 1_200),
    Japanese: many((at) => `手順${at}ではパーサーを読んで修正しました。`, 900),
    Thai: many((at) => `ขั้นตอนที่${at}อ่านตัวแยกวิเคราะห์แล้วแก้ไข`, 900),
    Russian: many((at) => `Шаг ${at}: разбор части ${at} прочитан и исправлен. `, 900),
    'words without an end of a sentence': many((at) => `step ${at} and `, 4_000),
    'no blanks at all': many((at) => `${at}aGVsbG8gd29ybGQ`, 1_500),
    emoji: '\u{1f600}\u{1f680}'.repeat(5_000),
  };
  const FAMILIES = ['claude-old', 'claude-new', 'o200k', 'gemini'] as const;

  for (const family of FAMILIES) {
    const { text: tokensOf } = createEstimator({ family });
    test.each(Object.entries(PARAGRAPHS))(`%s, counted as ${family}`, (what, paragraph) => {
      const task = `the first line\n${paragraph}`;
      const log = `${paragraph}\n- the newest step`;
      const notes = notesWith({ '# Task': task, '# System': 'small', '# Worklog': log });
      const limited = limitNotes(notes, { template, sizeOf: tokensOf });
      const [first = '', , last = ''] = limited.text.split(/\n\n(?=# )/);
      expect(limited.cut).toEqual(['# Task', '# Worklog']);
      for (const section of [first, last]) {
        expect(tokensOf(section)).toBeLessThanOrEqual(2_000);
        expect(tokensOf(section)).toBeGreaterThan(1_900);
        expect(section.isWellFormed()).toBe(true);
      }
      const start = first.split('\n').slice(1, -1).join('\n');
      expect(task.startsWith(start)).toBe(true);
      expect(first).toMatch(/\n\[cut here; the full notes are in the notes file\]$/);
      const end = last.split('\n').slice(2).join('\n');
      expect(log.endsWith(end)).toBe(true);
      expect(last.split('\n').slice(0, 2)).toEqual([
        '# Worklog',
        '[cut here; the full notes are in the notes file]',
      ]);
      if (/English|Russian/.test(what)) {
        expect(start.trimEnd()).toMatch(/\.$/);
        expect(end).toMatch(/^(?:Step|Шаг) \d/);
      }
      if (/Chinese$|Japanese/.test(what)) {
        expect(start).toMatch(/。$/);
        expect(end).toMatch(/^(?:第|手順)\d/);
      }
      if (/commas/.test(what)) expect(start).toMatch(/，$/);
      if (/words/.test(what)) expect(start).toMatch(/\w$/);
    });
  }

  test('of a log with whole lines the newest stay, and a fence that is cut is opened again', () => {
    const lines = words(3_000).split('\n');
    const log = ['```sh', ...lines, '```', '- the newest step'].join('\n');
    const { text } = limitNotes(notesWith({ '# Worklog': log }), options);
    const [, , fence, first = '', ...rest] = text.split('\n');
    expect(fence).toBe('```');
    expect(lines.indexOf(first)).toBeGreaterThan(50);
    expect(log.endsWith([first, ...rest].join('\n'))).toBe(true);
    expect(text.match(/```/g)).toHaveLength(2);
  });

  test('a template of one’s own says which section is a log', () => {
    const own = parseTemplate(
      '# Goal\n_What is wanted._\n\n# Diary\n\n# Steps\n_In the order they were done._\n',
    );
    const body = words(300);
    const notes = own.sections
      .map(({ heading, guidance }) => [heading, guidance, body].filter(Boolean).join('\n'))
      .join('\n');
    const { text } = limitNotes(notes, { template: own, sizeOf, sectionTokens: 100 });
    const [goal, diary, steps] = text.split(/\n\n(?=# )/);
    expect(goal).toContain('word 0 ');
    expect(diary).toContain('word 29 ');
    expect(steps).toContain('word 29 ');
  });

  test('any text, fences and lines and all: never over a limit, and as much as there is room for', () => {
    const { text: tokensOf } = createEstimator({ family: 'claude-new' });
    const piece = fc.constantFrom(
      '数据压缩',
      '。',
      '，',
      'word ',
      '. ',
      '\n',
      '```\n',
      '~~~\n',
      '\u{1f600}',
      'é',
      '\t',
      'aGVsbG8',
    );
    const body = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join('').repeat(3));
    const bodies = fc.array(body, { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(bodies, fc.nat(300), fc.nat(1_500), (all, sectionTokens, totalTokens) => {
        const notes = notesWith(
          Object.fromEntries(template.sections.map(({ heading }, at) => [heading, all[at] ?? ''])),
        );
        const limits = { template, sizeOf: tokensOf, sectionTokens, totalTokens };
        const { text, tokens } = limitNotes(notes, limits);
        expect(tokens).toBe(tokensOf(text));
        expect(tokens).toBeLessThanOrEqual(totalTokens);
        expect(text.isWellFormed()).toBe(true);
        for (const section of text.split(/\n\n(?=# )/)) {
          expect(tokensOf(section)).toBeLessThanOrEqual(sectionTokens);
        }
        expect(limitNotes(notes, limits).text).toBe(text);
      }),
    );
  });

  test.each(['Chinese', 'English', 'no blanks at all'])(
    'of %s of eight times the length at most ten times as much is counted',
    (what) => {
      const { text: tokensOf } = createEstimator();
      const countedOf = (times: number) => {
        let counted = 0;
        const sizeOf = (text: string) => {
          counted += text.length;
          return tokensOf(text);
        };
        const long = (PARAGRAPHS[what] ?? '').repeat(times);
        limitNotes(notesWith({ '# Task': long, '# Worklog': long }), { template, sizeOf });
        return counted;
      };
      expect(countedOf(160)).toBeLessThan(10 * countedOf(20));
    },
  );
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
