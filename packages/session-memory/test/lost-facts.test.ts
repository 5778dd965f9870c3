import { describe, expect, test } from 'vitest';
import { createSessionMemory, memoryNotes, type SessionMemoryEvent } from '../src/index.ts';
import { DEFAULT_TEMPLATE, parseTemplate } from '../src/template.ts';
import { createTestLog } from './support.ts';

const { sections } = parseTemplate(DEFAULT_TEMPLATE);
const HEADINGS = sections.map(({ heading }) => heading);

/** Notes with lines under some of the headings. */
const notesWith = (lines: Readonly<Record<string, readonly string[]>>): string =>
  sections
    .map(({ heading, guidance }) => [heading, guidance, ...(lines[heading] ?? []), ''].join('\n'))
    .join('\n');

const decisions = (from: number, to: number): string[] =>
  Array.from(
    { length: to - from },
    (_, at) => `- decision ${from + at}: part-${from + at} listens on port ${4_000 + from + at}`,
  );

/** What an extraction makes of notes whose child replaces each section by another text. */
async function extractedTo(old: string, next: string, limits = {}) {
  const events: SessionMemoryEvent[] = [];
  const file = memoryNotes('notes.md', old);
  const memory = createSessionMemory({
    file,
    limits,
    onEvent: (event) => events.push(event),
    runFork: async ({ runTool }) => {
      const before = old.split(/(?=^# )/m);
      const after = next.split(/(?=^# )/m);
      for (const [at, oldText] of before.entries()) {
        if (oldText === after[at]) continue;
        const input = { path: 'notes.md', old_str: oldText, new_str: after[at] };
        const { content, isError } = runTool({ id: `c${at}`, name: 'Edit', input });
        if (isError) throw new Error(content);
      }
      return { kind: 'done' };
    },
  });
  const log = createTestLog(memory.observe);
  log.user('go on');
  log.reply('done');
  const result = await memory.extractNow();
  return { result, events, notes: await file.read() };
}

// siblings looked for: sections emptied one by one, all but the last step, lines moved and reworded, sections that are
// written anew, notes over their limits, notes that are just begun
describe('O350: notes that lose more than 30 % of their facts are refused', () => {
  const old = notesWith({
    '# Task': decisions(0, 10),
    '# Current state': ['- working on the lexer', '- then the parser'],
    '# Learnings': decisions(10, 20),
    '# Worklog': ['- read the lexer'],
  });

  test.each([
    {
      title: 'empties its sections',
      lines: { '# Worklog': ['- read the lexer', '- wrote tests'] },
    },
    { title: 'keeps the last step', lines: { '# Worklog': ['- wrote the tests of the parser'] } },
    { title: 'keeps 13 of 21', lines: { '# Task': decisions(0, 13) } },
  ])(
    'an extraction that $title leaves the last version, and an event says why',
    async ({ lines }) => {
      const { result, events, notes } = await extractedTo(old, notesWith(lines));
      expect(result).toMatchObject({ kind: 'failed', reason: 'facts-lost' });
      expect(notes).toBe(old);
      expect(events.at(-1)).toMatchObject({ kind: 'failed', reason: 'facts-lost' });
      const { cause } = events.at(-1) as { readonly cause: Error };
      expect(cause.message).toMatch(/lost \d+ of \d+ facts/);
    },
  );

  test.each([
    {
      title: 'adds to them',
      lines: {
        '# Task': decisions(0, 10),
        '# Learnings': decisions(10, 24),
        '# Worklog': ['- read the lexer'],
      },
    },
    {
      title: 'keeps 16 of 21',
      lines: {
        '# Current state': ['- x'],
        '# Task': decisions(0, 10),
        '# Learnings': decisions(10, 15),
        '# Worklog': ['- read the lexer'],
      },
    },
    {
      title: 'moves and rewords them',
      lines: {
        '# System': decisions(0, 20).map((line) => line.replace('listens on', 'has')),
        '# Current state': ['- x'],
      },
    },
    {
      title: 'writes the current state anew',
      lines: {
        '# Current state': ['- shipping'],
        '# Task': decisions(0, 10),
        '# Learnings': decisions(10, 20),
      },
    },
  ])('one that $title is taken', async ({ lines }) => {
    const next = notesWith(lines);
    const { result, notes } = await extractedTo(old, next);
    expect(result.kind).toBe('extracted');
    expect(notes).toBe(next);
  });

  test('notes over their limit may be condensed to it, and no further', async () => {
    const long = notesWith({ '# Task': decisions(0, 200) });
    const limits = { sectionTokens: 1_200, totalTokens: 12_000 };
    const half = await extractedTo(long, notesWith({ '# Task': decisions(120, 200) }), limits);
    expect(half.result.kind).toBe('extracted');
    const little = await extractedTo(long, notesWith({ '# Task': decisions(190, 200) }), limits);
    expect(little.result).toMatchObject({ kind: 'failed', reason: 'facts-lost' });
  });

  test('notes that are just begun may be rewritten', async () => {
    const begun = notesWith({
      '# Title': ['A parser'],
      '# Task': ['- a parser without recursion'],
    });
    const next = notesWith({ '# Title': ['Lexer and parser'], '# Task': ['- both, iterative'] });
    expect((await extractedTo(begun, next)).result.kind).toBe('extracted');
    expect(HEADINGS).toHaveLength(10);
  });

  // siblings: one paragraph, a paragraph with commas only, Chinese and Japanese and Thai, lines; reworded, cut, emptied
  const PARAGRAPHS: Record<string, (at: number) => string> = {
    English: (at) => `Part ${at} listens on port ${4_000 + at} because of module${at}. `,
    'commas only': (at) => `part ${at} listens on port ${4_000 + at} of module${at}, `,
    Chinese: (at) =>
      `模块${'甲乙丙丁戊己庚辛壬癸'[at % 10]}${'天地玄黄宇宙洪荒日月'[Math.trunc(at / 2)]}监听端口${4_000 + at}。`,
    'Chinese with commas only': (at) =>
      `模块${'甲乙丙丁戊己庚辛壬癸'[at % 10]}${'天地玄黄宇宙洪荒日月'[Math.trunc(at / 2)]}监听端口${4_000 + at}，`,
    Japanese: (at) => `部品${at}はポート${4_000 + at}で待ちます。`,
  };
  for (const [what, sentence] of Object.entries(PARAGRAPHS)) {
    const upTo = (count: number, from = 0) =>
      Array.from({ length: count - from }, (_, at) => sentence(from + at)).join('');
    const paragraph = notesWith({ '# Task': [upTo(20)] });

    test.each([
      ['the last of them', [upTo(20, 18)]],
      ['12 of 20', [upTo(12)]],
    ])(`a paragraph of facts, ${what}, that becomes %s is refused`, async (_, lines) => {
      const { result, notes } = await extractedTo(paragraph, notesWith({ '# Task': lines }));
      expect(result).toMatchObject({ kind: 'failed', reason: 'facts-lost' });
      expect(notes).toBe(paragraph);
    });

    test.each([
      ['16 of 20', [upTo(16)]],
      ['the same and more', [upTo(24)]],
      ['the same as lines', Array.from({ length: 20 }, (_, at) => `- ${sentence(at)}`)],
      [
        'the same in other words',
        [
          upTo(20)
            .replaceAll('监听', '现在使用')
            .replaceAll('listens on', 'has')
            .replaceAll('待ちます', '動きます'),
        ],
      ],
    ])(`a paragraph of facts, ${what}, that becomes %s is taken`, async (_, lines) => {
      const { result } = await extractedTo(paragraph, notesWith({ '# Task': lines }));
      expect(result.kind).toBe('extracted');
    });
  }
});
