import { describe, expect, test } from 'vitest';
import type { SaveResult } from '../src/save.ts';
import { fileText, newMemory, testMemory } from './support.ts';

const pathOf = (result: SaveResult): string => {
  if (result.kind !== 'saved') throw new Error(JSON.stringify(result));
  return result.path;
};

interface Words {
  readonly name?: string;
  readonly description?: string;
  readonly body: string;
  readonly path?: string;
}

/** What becomes of a memory that says something after another one was forgotten. */
async function afterForgetting(old: Words, next: Words) {
  const { memory, textOf } = testMemory();
  const full = ({ name = 'Habits', description = '', ...rest }: Words) =>
    newMemory(name, rest.body, { description, ...rest });
  await memory.forget(pathOf(await memory.save(full(old))), { reason: 'asked' });
  const saved = await memory.save(full({ name: 'Another', ...next }));
  return { saved, tombstones: await textOf('.tombstones.jsonl') };
}

describe('203 what was forgotten does not come back in another form', () => {
  const vim = 'The user uses Vim for everything.';

  test.each<[string, Words, Words]>([
    ['two words', { body: 'Uses Vim.' }, { body: '- uses vim' }],
    [
      'one word, with its name',
      { name: 'Editor', body: 'Vim' },
      { name: 'Editor', body: '- vim.' },
    ],
    ['one word, by a label', { name: 'Editor', body: 'Vim' }, { body: 'Editor: Vim' }],
    ['an item below a heading', { body: '## Editor\n\n- Vim' }, { body: '| Editor | Vim |' }],
    ['an item below a label', { body: 'Editor:\n- Vim\n- Nano' }, { body: 'Editor: nano' }],
    ['a number', { name: 'Phone', body: '555-0199' }, { body: 'Call 1.\n\n+555 0199' }],
    ['a number of one piece', { name: 'Phone', body: '5550199' }, { body: '- 5550199' }],
    ['two words of Japanese', { body: '猫が好き' }, { body: '# 猫が好き' }],
    ['two words of Russian', { body: 'Любит чай.' }, { body: '* любит ЧАЙ' }],
    ['a heading', { body: vim }, { body: `# ${vim}\n\nSomething else here.` }],
    ['a heading of its own', { body: `# ${vim}\n\nSee there.` }, { body: vim }],
    ['a heading with a line below', { body: vim }, { body: `${vim}\n=====\n\nOther.` }],
    ['a name', { body: vim }, { name: vim, body: 'Something else here.' }],
    ['a name of its own', { name: vim, body: 'See there.' }, { body: vim }],
    [
      'the name of the file',
      { body: vim },
      { body: 'Other.', path: 'user_the_user_uses_vim_for_everything.md' },
    ],
    [
      'a row of a table',
      { body: '| who | what |\n|---|---|\n| Ana | vegan food |' },
      { body: 'Ana: vegan food' },
    ],
    ['a cell', { body: vim }, { body: `| note | ${vim} |` }],
    ['a cell of its own', { body: `| note | ${vim} |` }, { body: vim }],
    ['a description', { body: vim }, { description: vim, body: 'Something else here.' }],
    ['a description of its own', { description: vim, body: 'See there.' }, { body: vim }],
    ['a text of broken lines', { body: 'The user uses Vim\nfor everything.' }, { body: vim }],
    [
      'a text whose lines are broken now',
      { body: vim },
      { body: '- The user uses\n  Vim for everything' },
    ],
    ['a quote, in bold', { body: vim }, { body: '> **The user** uses _Vim_ for everything' }],
    ['a link', { body: vim }, { body: 'The user uses [Vim](vim.md) for everything.' }],
    ['a box that is ticked', { body: vim }, { body: '1. [x] The user uses Vim for everything' }],
    [
      'letters that are not seen',
      { body: vim },
      { body: 'The user uses V\u200Bi\u00ADm for everything.' },
    ],
    ['wide letters', { body: vim }, { body: 'Ｔｈｅ user uses Ｖｉｍ for everything.' }],
    ['ß', { body: 'Kennt alle Maße.' }, { body: 'kennt alle MASSE' }],
  ])('%s', async (_, old, next) => {
    const { saved, tombstones } = await afterForgetting(old, next);
    expect(saved).toMatchObject({ kind: 'refused', reason: 'forgotten' });
    expect(tombstones).not.toMatch(/vim|0199|чай|猫|vegan/i);
  });

  test('a name and no text, as a hand has written it', async () => {
    const { memory } = testMemory({ 'vim.md': fileText('Vim', '', { description: '' }) });
    await memory.forget('vim.md', { reason: 'asked' });
    const text = fileText('vim', '', { description: '' });
    const files = [{ path: 'again.md', basis: undefined, text }];
    const changed = await memory.change(files, { reason: 'x' });
    expect(changed).toMatchObject({ kind: 'refused', reason: 'forgotten' });
  });

  test.each<[string, Words, Words]>([
    [
      'the same name, labels and headings',
      {
        name: 'Release day',
        body: '# Release day\n\nNever on Fridays.\n\n**Why:** It broke.\n\n**How to apply:**\n- Wait.',
      },
      {
        name: 'Release day',
        body: '# Release day\n\nOn Mondays alone.\n\n**Why:** It broke.\n\n**How to apply:**\n- Wait.',
      },
    ],
    [
      'headings that every subject has',
      { body: 'One fact is here.\n\n## How to apply it\n\n## Open questions and notes' },
      { body: 'Another one is here.\n\n## How to apply it\n\n## Open questions and notes' },
    ],
    [
      'the head of a table',
      { body: '| Key name | Its value |\n|---|---|\n| red | one |' },
      { body: '| Key name | Its value |\n|---|---|\n| blue | two |' },
    ],
    ['one word below another label', { body: 'Editors:\n- Vim' }, { body: 'Plugins:\n- Vim' }],
    ['a word in a longer text', { body: 'Uses Vim.' }, { body: 'The team uses Vim and Emacs.' }],
    [
      'words that mean nothing alone',
      { body: 'A fact.\n\nTODO\n\nYes.' },
      { body: 'Yes.\n\nTODO' },
    ],
  ])('other memories are not held back by %s', async (_, old, next) => {
    expect((await afterForgetting(old, next)).saved.kind).toBe('saved');
  });
});
