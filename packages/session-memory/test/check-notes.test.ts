import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkNotes, isEmptyNotes } from '../src/check-notes.ts';
import { mendNotes } from '../src/mend-notes.ts';
import { DEFAULT_TEMPLATE, parseTemplate } from '../src/template.ts';
import { notesWith } from './support.ts';

const template = parseTemplate(DEFAULT_TEMPLATE);
const filled = notesWith({ '# Title': 'a title', '# Worklog': '- one\n- two' });
const kinds = (text: string, old = filled) =>
  checkNotes(old, text, template).map(({ kind }) => kind);

describe('parseTemplate (N1)', () => {
  test('the template that comes with it has ten sections, each with guidance', () => {
    expect(template.sections).toHaveLength(10);
    expect(template.sections.every(({ guidance }) => guidance !== '')).toBe(true);
    expect(template.text).toBe(DEFAULT_TEMPLATE);
  });

  test.each([
    ['nothing', ''],
    ['no heading', 'text'],
    ['text under a heading', '# A\ntext'],
    ['two lines of guidance', '# A\n_a_\n_b_'],
    ['a heading twice', '# A\n# A'],
    ['text before', 'text\n# A'],
  ])('%s is no template', (_what, text) => {
    expect(() => parseTemplate(text)).toThrow(TypeError);
  });

  test('one of one’s own may have headings without guidance', () => {
    expect(parseTemplate('## Goal\n\n## State\n_now_\n').sections).toEqual([
      { heading: '## Goal', guidance: '' },
      { heading: '## State', guidance: '_now_' },
    ]);
  });
});

describe('checkNotes (N1)', () => {
  test.each([
    ['the template', DEFAULT_TEMPLATE, DEFAULT_TEMPLATE],
    ['notes as they were', filled, filled],
    ['other text under headings', DEFAULT_TEMPLATE, filled],
    ['headings of a lower level', DEFAULT_TEMPLATE, notesWith({ '# Task': '## Part\ntext' })],
    [
      'a comment in a code fence',
      DEFAULT_TEMPLATE,
      notesWith({ '# Workflow': '```sh\n# build\n```' }),
    ],
    [
      'no blank lines, and many',
      DEFAULT_TEMPLATE,
      filled.replaceAll('\n\n', '\n').replace('# Task', '\n\n\n# Task'),
    ],
  ])('%s are fine', (_what, old, text) => {
    expect(checkNotes(old, text, template)).toEqual([]);
  });

  test.each([
    ['a heading is gone', filled.replace('# Task\n', ''), ['missing-heading']],
    [
      'a heading has another name',
      filled.replace('# Task\n', '# Tasks\n'),
      ['missing-heading', 'unknown-heading'],
    ],
    ['a heading stands twice', `${filled}\n# Task\n`, ['repeated-heading']],
    ['headings change places', swap(filled), ['moved-heading']],
    [
      'guidance has another word',
      filled.replace('_Five to ten', '_Five or ten'),
      ['changed-guidance'],
    ],
    ['guidance is gone', filled.replace(/_Five.*\n/, ''), ['changed-guidance']],
    ['text stands before', `hello\n${filled}`, ['text-before']],
    [
      'a fence stays open',
      notesWith({ '# System': '```\ncode' }),
      ['missing-heading', 'missing-heading', 'missing-heading'],
    ],
    ['all is gone', DEFAULT_TEMPLATE, ['emptied']],
    ['there is nothing', '', [...Array(10).fill('missing-heading'), 'emptied']],
  ])('%s', (_what, text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  test('a heading on every line of 2 MB is no call with too many arguments', () => {
    const problems = checkNotes(filled, `${filled}\n${'# a\n'.repeat(500_000)}`, template);
    expect(problems.length).toBeGreaterThan(100_000);
    expect(new Set(problems.map(({ kind }) => kind))).toContain('unknown-heading');
  });

  test('names the heading', () => {
    const [problem] = checkNotes(filled, filled.replace('# Task\n', ''), template);
    expect(problem).toEqual({ kind: 'missing-heading', heading: '# Task' });
  });
});

describe('isEmptyNotes (N6)', () => {
  test.each([
    ['the template', DEFAULT_TEMPLATE, true],
    ['nothing', '', true],
    ['white space', '# Title\n\n \n', true],
    ['one word', notesWith({ '# Learnings': 'a' }), false],
    ['text under a foreign heading', `${DEFAULT_TEMPLATE}\n# Mine\ntext`, false],
    ['a foreign heading alone', '# Mine', false],
    ['text without a heading', 'text', false],
  ])('%s', (_what, text, expected) => {
    expect(isEmptyNotes(text, template)).toBe(expected);
  });
});

const line = fc.constantFrom(
  ...template.sections.flatMap(({ heading, guidance }) => [heading, guidance]),
  '# Mine',
  '## Mine',
  '```',
  '~~~',
  '````',
  'text',
  '  indented',
  '',
  ' ',
  '# ',
  '#hash',
  '\u{1f600}',
  'x\r',
);
const anyNotes = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'));

describe('mendNotes', () => {
  test('any text comes back in the form of the template', () => {
    fc.assert(
      fc.property(anyNotes, (text) => {
        const mended = mendNotes(text, template);
        expect(checkNotes(text, mended, template)).toEqual([]);
        expect(mendNotes(mended, template)).toBe(mended);
      }),
    );
  });

  test('no line of text is lost, foreign headings become lower ones', () => {
    const own = new Set(template.sections.flatMap(({ heading, guidance }) => [heading, guidance]));
    const textLines = (text: string) =>
      text
        .split('\n')
        .map((each) => each.trim().replace(/^#+(?= |$)/, '#'))
        .filter((each) => each !== '' && !own.has(each));
    fc.assert(
      fc.property(anyNotes, (text) => {
        const left = textLines(mendNotes(text, template));
        for (const each of textLines(text)) {
          const at = left.indexOf(each);
          expect(at, each).toBeGreaterThanOrEqual(0);
          left.splice(at, 1);
        }
      }),
    );
  });

  test.each([
    ['lines of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['lines of an old Mac', (text: string) => text.replaceAll('\n', '\r')],
    ['both kinds', (text: string) => text.replaceAll('\n\n', '\n\r\n')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['both', (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`],
  ])('case 113: notes with %s are the notes', (_what, written) => {
    const code = notesWith({ '# Workflow': '```sh\n# build\nmake\n```', '# Title': 'a title' });
    expect(mendNotes(written(code), template)).toBe(code);
    expect(isEmptyNotes(written(DEFAULT_TEMPLATE), template)).toBe(true);
  });

  test('case 115: text that looks like the form comes through three rounds as it is', () => {
    const fence = '```\n# Task\n_guidance_\n# Own\n```';
    let notes = notesWith({ '# Worklog': `${fence}\n## Own\n---\n- # no heading` });
    const first = notes;
    for (let round = 0; round < 3; round++) notes = mendNotes(notes, template);
    expect(notes).toBe(first);
  });

  test('half characters become whole ones', () => {
    expect(mendNotes(notesWith({ '# Title': 'half \ud83d' }), template)).toBe(
      notesWith({ '# Title': 'half \ufffd' }),
    );
  });

  test('20,000 fences that hide headings are mended without going deep', () => {
    const mended = mendNotes('```\n# Title\nx\n'.repeat(20_000), template);
    expect(mended.match(/^x$/gm)).toHaveLength(20_000);
  });

  test('what is in order stays the same string', () => {
    expect(mendNotes(filled, template)).toBe(filled);
  });
});

/** Title and worklog in each other's place. */
function swap(notes: string): string {
  const parts = notes.split(/(?=^# )/m);
  return [parts.at(-1), '\n', ...parts.slice(1, -1), parts[0]].join('');
}
