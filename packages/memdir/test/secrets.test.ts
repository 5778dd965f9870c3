import { describe, expect, test } from 'vitest';
import { newMemory, testMemory } from './support.ts';

const SECRET = ['hunter2', 'Zeta9'].join('-');

describe('208 a secret with something around it', () => {
  test.each([
    `db password ${SECRET}`,
    `| password | ${SECRET} |`,
    `| db | password |\n|---|---|\n| prod | ${SECRET} |`,
    `password \`${SECRET}\``,
    `**Password:** ${SECRET}`,
    `Password:\n\n- ${SECRET}`,
    `pass\u200Bword: ${SECRET}`,
    `ｐａｓｓｗｏｒｄ：${SECRET}`,
  ])('is kept out of every file: %j', async (body) => {
    const { memory, everything } = testMemory();
    expect((await memory.save(newMemory('Access', body))).kind).toBe('saved');
    expect(await everything()).not.toContain(SECRET);
  });

  test('a key of another program keeps none, and an index that is rebuilt tells none', async () => {
    const header = `---\nname: A\ndescription: db password ${SECRET}\ntype: project\ndb_password: ${SECRET}\n---\n\nText.\n`;
    const { memory, textOf } = testMemory({ 'a.md': header });
    await memory.rebuild();
    expect(await textOf('MEMORY.md')).not.toContain(SECRET);
    const basis = (await memory.read('a.md'))?.hash;
    await memory.save(newMemory('A', 'New.', { path: 'a.md', basis }));
    expect(await textOf('a.md')).not.toContain(SECRET);
  });
});
