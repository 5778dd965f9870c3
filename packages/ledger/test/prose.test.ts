import { describe, expect, test } from 'vitest';
import {
  cutSentences,
  plainProse,
  rateSentences,
  sentencesIn,
  sentenceWorth,
  tellingSentences,
} from '../src/prose.ts';

describe('plainProse', () => {
  test.each([
    ['a heading and a list', '## Cause\n- one\n- two', 'Cause. - one. - two.'],
    ['a quotation', '> It is stale', 'It is stale.'],
    [
      'lines that end as a sentence does',
      'One!\ntwo,\nthree…\nfour)\n| a |',
      'One! two, three… four) | a |',
    ],
    [
      'code between other lines',
      'One.\n```ts\ncode\n```\nTwo.\n~~~\ncode\n~~~\nThree.',
      'One. Two. Three.',
    ],
    ['a rule and a frame of a table', 'One.\n---\n| --- | :-: |\nTwo.', 'One. Two.'],
    ['bold text and spaces', '**One**   two', 'One two.'],
    ['nothing', '\n \n', ''],
  ])('%s', (_, text, prose) => {
    expect(plainProse(text)).toBe(prose);
  });

  test('both ends of a long text', () => {
    const text = `It begins. ${'Words. '.repeat(4_000)}It ends.`;
    const prose = plainProse(text);
    expect(prose.length).toBeLessThan(20_100);
    expect(prose.length).toBeGreaterThan(19_000);
    expect(prose).toMatch(/^It begins\. .* It ends\.$/s);
    const whole = 'a'.repeat(19_999);
    expect(plainProse(`${whole}.`)).toBe(`${whole}.`);
  });
});

describe('sentencesIn', () => {
  test.each<[string, readonly string[]]>([
    ['One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
    [
      'See e.g. this, i.e. that, etc. and so on. Then.',
      ['See e.g. this, i.e. that, etc. and so on.', 'Then.'],
    ],
    ['To do: 1. Build it. 2. Test it.', ['To do: 1. Build it.', '2. Test it.']],
    ['It takes 12. Then more.', ['It takes 12.', 'Then more.']],
    ['In a.ts it is v1.2 now.', ['In a.ts it is v1.2 now.']],
  ])('%s', (line, sentences) => {
    expect(sentencesIn(line)).toEqual(sentences);
  });
});

describe('sentenceWorth', () => {
  test.each([
    ['Let me look at the log.', -1],
    ['Great, now let me check it.', -1],
    ['Done.', -1],
    ['Let me look at the log, because the test lies.', 1],
    ['Hello there.', 0],
    ['It stands in `load`.', 1],
    ['It stands in parseAll now.', 1],
    ['It is broken.', 1],
    ['It is broken in src/a.ts.', 2],
  ])('%s %i', (sentence, worth) => {
    expect(sentenceWorth(sentence)).toBe(worth);
  });
});

describe('cutSentences', () => {
  const line = 'One two. Three four. Five six. Seven.'; // sentences of 8, 11, 9 and 6 characters

  test.each<[units: number, endShare: number, cut: string]>([
    [37, 0, line],
    [36, 0, 'One two. Three four. Five six. …'],
    [31, 0, 'One two. Three four. Five six. …'],
    [30, 0, 'One two. Three four. …'],
    [21, 0, 'One two. Three four. …'],
    [20, 0, 'One two. …'],
    [9, 0, 'One two. …'],
    [8, 0, 'One two.…'],
    [5, 0, 'One…'],
    [28, 0.25, 'One two. Three four. … Seven.'],
    [27, 0.25, 'One two. Three four. …'],
    [34, 0.5, 'One two. … Five six. Seven.'],
    [33, 0.5, 'One two. Three four. … Seven.'],
  ])('in %i characters, %d of them for the end: %s', (units, endShare, cut) => {
    expect(cutSentences(line, units, endShare)).toBe(cut);
  });
});

describe('tellingSentences', () => {
  const line = 'Hello. The cause is known. It is broken in src/a.ts. It passes.';
  const rated = rateSentences(line);

  test('are rated by what they say, the first of two that say as much before the second', () => {
    expect(rated.map(({ sentence }) => sentence)).toEqual([
      'It is broken in src/a.ts.',
      'The cause is known.',
      'It passes.',
    ]);
  });

  test.each([
    [57, 'The cause is known. It is broken in src/a.ts. It passes.'],
    [56, 'The cause is known. It is broken in src/a.ts.'],
    [46, 'The cause is known. It is broken in src/a.ts.'],
    [45, 'It is broken in src/a.ts. It passes.'],
    [26, 'It is broken in src/a.ts.'],
    [25, 'The cause is known.'],
    [10, ''],
  ])('in %i characters stand in their order: %s', (units, shown) => {
    expect(tellingSentences(rated, units)).toBe(shown);
  });
});
