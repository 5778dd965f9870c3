import { describe, expect, test } from 'vitest';
import { withoutRemarks } from '../src/remarks.ts';

describe('withoutRemarks', () => {
  const filler = 'tabs in a row '.repeat(9);

  test.each<[what: string, sentence: string, left: string]>([
    ['a rule', 'Always use tabs.', 'Always use tabs.'],
    ['a word that takes something back, and nothing else', 'Wait, actually.', ''],
    ['that it is fine after all', 'Actually, it looks fine.', ''],
    [
      'what holds, in 60 characters',
      `No, ${filler.slice(0, 60)}`,
      `No, ${filler.slice(0, 60).trim()}`,
    ],
    ['61 characters that say of nothing that it is to be', `No, ${filler.slice(0, 61)}`, ''],
    ['more that says so', `No, use ${filler}`, `No, use ${filler.trim()}`],
    ['that something is wrong, and no word of what would be right', 'No, this is not it.', ''],
    ['a command behind that', 'No, never use tabs.', 'No, never use tabs.'],
    ['a question about what is so', 'Do you think tabs are right?', ''],
    ['a question in the form of a command', 'Do you know: never use tabs?', ''],
    ['a request', 'Can you use tabs?', ''],
    [
      'a request of what is to hold from now on',
      'Can you always use tabs?',
      'Can you always use tabs?',
    ],
    [
      'what one is wanted to do always',
      'I want you to always use tabs here.',
      'I want you to always use tabs here.',
    ],
    [
      'the same of what is to be preferred',
      'Could you always prefer tabs?',
      'Could you always prefer tabs?',
    ],
    ['what others use', 'The files use tabs.', 'The  tabs.'],
    ['a wish', 'I want to see tabs.', 'to see tabs.'],
  ])('%s: %s', (_, sentence, left) => {
    expect(withoutRemarks(sentence)).toBe(left);
  });
});
