import { SECRET_KINDS } from '@varve/redact/testing';
import { describe, expect, test } from 'vitest';
import { parseText } from '../src/header.ts';
import { createMemdir } from '../src/index.ts';
import type { NewMemory, SaveResult } from '../src/save.ts';
import { DAY_MS, fileText, NOW, newMemory, testMemory } from './support.ts';

const pathOf = (result: SaveResult): string => {
  if (result.kind !== 'saved') throw new Error(JSON.stringify(result));
  return result.path;
};

describe('save', () => {
  test('D1 D16 writes the four fields, and the stamp that recall reads', async () => {
    const { memory, textOf } = testMemory();
    const saved = await memory.save(
      newMemory('Merge rule', 'Squash.\n\n**Why:** short history.', { type: 'feedback' }),
    );
    expect(saved).toMatchObject({
      kind: 'saved',
      path: 'feedback_merge_rule.md',
      isIndexed: true,
      notices: [],
    });
    expect(await textOf('feedback_merge_rule.md')).toBe(
      '---\nname: Merge rule\ndescription: About Merge rule\ntype: feedback\nmodified: 2026-11-30T12:00:00.000Z\n---\n\nSquash.\n\n**Why:** short history.\n',
    );
    expect(await textOf('MEMORY.md')).toBe(
      '- [Merge rule](feedback_merge_rule.md) — About Merge rule\n',
    );
  });

  test('111 titles without letters, of other scripts and empty ones never share a file', async () => {
    const { memory, textOf } = testMemory();
    const outcomes: string[] = [];
    for (const [at, title] of ['', '  ', '🦊', '🧊', '山川', '海空', '...'].entries()) {
      const saved = await memory.save(newMemory(title, `Body number ${at} of seven.`));
      outcomes.push(saved.kind === 'saved' ? saved.path : `${at} ${saved.kind}`);
    }
    expect(outcomes.slice(0, 2)).toEqual(['0 refused', '1 refused']);
    expect(new Set(outcomes).size).toBe(7);
    expect(await textOf(outcomes[2] as string)).toContain('Body number 2 of seven.');
  });

  test('111 a name that is taken is refused with its path, a name that gives the same file name gets a number', async () => {
    const { memory } = testMemory();
    await memory.save(newMemory('Deploy notes', 'First text.'));
    expect(await memory.save(newMemory('deploy-NOTES', 'Second text.'))).toMatchObject({
      ...{ kind: 'refused', reason: 'exists', path: 'project_deploy_notes.md' },
    });
    expect(pathOf(await memory.save(newMemory('Deploy notes!', 'Third text.')))).toBe(
      'project_deploy_notes_2.md',
    );
    expect(
      await memory.save(newMemory('Other', 'Text.', { path: 'Project_Deploy_Notes.md' })),
    ).toMatchObject({ reason: 'exists' });
  });

  test('201 what a file says already is not saved again', async () => {
    const { memory, everything } = testMemory();
    const more = { type: 'user', description: 'How long answers are' } as const;
    await memory.save(newMemory('Answers', 'The user likes short answers.', more));
    const before = await everything();
    for (let turn = 0; turn < 20; turn++) {
      const again = newMemory(
        turn % 2 ? 'Answers' : 'Short answers', // the text says so
        'The user likes  short answers.\n',
        more,
      );
      expect(await memory.save(again)).toEqual({ kind: 'unchanged', path: 'user_answers.md' });
    }
    expect(await everything()).toBe(before);
  });

  test('226 a file that is not what was read any more is a conflict with its hash, and stays', async () => {
    const { memory, folder, textOf } = testMemory();
    const path = pathOf(await memory.save(newMemory('Port', 'It is 1.')));
    const basis = (await memory.read(path))?.hash;
    const text = await textOf(path);
    await folder.replace(path, text.replace('It is 1.', 'It is 2.'), { basis: text });
    const conflict = await memory.save(newMemory('Port', 'It is 3.', { path, basis }));
    const now = await memory.read(path);
    expect(conflict).toEqual({ kind: 'conflict', path, hash: now?.hash });
    expect(now?.text).toContain('It is 2.');
    expect(
      await memory.save(newMemory('Port', 'It is 3.', { path, basis: now?.hash })),
    ).toMatchObject({ kind: 'saved', path });
    expect(await memory.save(newMemory('Gone', 'x y z', { path: 'gone.md', basis: 'ab' }))).toEqual(
      { kind: 'conflict', path: 'gone.md', hash: undefined },
    );
  });

  test('117 a hand that edits the index between reading and writing loses nothing, and neither does the save', async () => {
    const { folder, textOf } = testMemory({ 'MEMORY.md': '# Mine\n' });
    let edits = 0;
    const edited: typeof folder = {
      ...folder,
      async replace(path, text, call) {
        if (path === 'MEMORY.md' && edits++ < 2) {
          const basis = await textOf(path);
          await folder.replace(path, `${basis}By hand ${edits}.\n`, { basis });
        }
        return folder.replace(path, text, call);
      },
    };
    const memory = createMemdir({ folder: edited, now: () => NOW });
    expect((await memory.save(newMemory('Gate', 'It opens at nine.'))).kind).toBe('saved');
    const line = '- [Gate](project_gate.md) — About Gate';
    expect(await textOf('MEMORY.md')).toBe(`# Mine\nBy hand 1.\nBy hand 2.\n${line}\n`);
    expect((await memory.history()).map(({ kind }) => kind)).toEqual(['save']);
  });

  test.each([
    ['Deployment is not allowed on Fridays.', 'Deployment is allowed on Fridays.'],
    ['Telemetry is enabled.', 'Telemetry is disabled.'],
    ['Lint before the tests.', 'Lint after the tests.'],
    ['The port is 5432.', 'The port is 5433.'],
    ['Use tabs.', 'Stop using tabs.'],
    ['ＴＬＳ is on.', 'TLS is not on.'],
    ['金曜日にデプロイする。', '金曜日にデプロイしない。'],
  ])('211 %j gives way to %j in one change, and stays in the history', async (old, next) => {
    const { memory, everything, textOf } = testMemory();
    const first = pathOf(await memory.save(newMemory('Rule', old)));
    const path = pathOf(
      await memory.save(
        newMemory('Rule', next, {
          supersedes: [first],
          reason: 'corrected',
          quote: 'no, the other way',
        }),
      ),
    );
    const { files } = await memory.scan();
    expect(files.map((file) => file.path)).toEqual([path]);
    expect(await textOf(path)).toContain(next);
    expect((await memory.check()).ok).toBe(true);
    const [record] = await memory.history();
    expect(record).toMatchObject({ kind: 'save', reason: 'corrected', quote: 'no, the other way' });
    expect(await everything()).toContain(old); // in the archive
    await memory.undo();
    expect(await textOf(first)).toContain(old);
    expect((await memory.scan()).files).toHaveLength(1);
  });

  test('211 of a file that is not there nothing is saved', async () => {
    const { memory } = testMemory();
    expect(
      await memory.save(newMemory('Rule', 'Text.', { supersedes: ['gone.md'] })),
    ).toMatchObject({ reason: 'not-found' });
    expect((await memory.scan()).files).toEqual([]);
  });

  test('213 three versions of one rule leave one file, the earlier ones in the history alone', async () => {
    const { memory, textOf } = testMemory();
    let path: string | undefined;
    for (const rule of ['Sign commits off.', 'Name the co-author.', 'Add no trailer.']) {
      const basis = path === undefined ? undefined : (await memory.read(path))?.hash;
      path = pathOf(
        await memory.save(newMemory('Trailer', rule, { path, basis, type: 'feedback' })),
      );
    }
    expect((await memory.scan()).files).toHaveLength(1);
    expect(parseText(await textOf(path as string)).body).toBe('Add no trailer.\n');
    expect(await memory.history()).toHaveLength(3);
  });

  test('223 a pinned file changes only when the user asks', async () => {
    const { memory, textOf } = testMemory({
      'p.md': '---\nname: P\ndescription: d\ntype: project\npinned: true\n---\nKeep me.\n',
    });
    const basis = (await memory.read('p.md'))?.hash;
    const change = newMemory('P', 'Changed.', { path: 'p.md', basis });
    expect(await memory.save(change)).toMatchObject({ kind: 'refused', reason: 'pinned' });
    expect(await memory.save(newMemory('Q', 'Other.', { supersedes: ['p.md'] }))).toMatchObject({
      reason: 'pinned',
    });
    expect((await memory.save({ ...change, asked: true })).kind).toBe('saved');
    expect(await textOf('p.md')).toContain('pinned: true');
  });

  test('211 the same words about another thing are another fact', async () => {
    const { memory } = testMemory();
    const port = (name: string, description: string) =>
      memory.save(newMemory(name, 'It is 5432.', { description }));
    const first = await port('Port of staging', 'Where the staging database listens');
    const second = await port('Port of production', 'Where the production database listens');
    expect([first.kind, second.kind]).toEqual(['saved', 'saved']);
    expect(await port('Port of staging', 'Where the staging database listens')).toMatchObject({
      kind: 'unchanged',
    });
    // the same name with something new in its line: neither dropped nor written over
    expect(await port('Port of staging', 'Where the replica listens')).toMatchObject({
      ...{ kind: 'refused', reason: 'exists' },
    });
  });

  test('226 what is superseded is compared with what was read', async () => {
    const { memory, folder, textOf } = testMemory({ 'a.md': fileText('A', 'First one here.') });
    const basis = (await memory.read('a.md'))?.hash;
    const text = await textOf('a.md');
    await folder.replace('a.md', `${text}By hand.\n`, { basis: text });
    const next = newMemory('B', 'Second one here.', { supersedes: [{ path: 'a.md', basis }] });
    const hash = (await memory.read('a.md'))?.hash;
    expect(await memory.save(next)).toEqual({ kind: 'conflict', path: 'a.md', hash });
    expect((await memory.scan()).files).toHaveLength(1);
    const again = await memory.save({
      ...next,
      supersedes: [{ path: 'a.md', basis: hash }, 'a.md'],
    });
    expect(again.kind).toBe('saved');
    expect(await textOf('a.md')).toBe('');
  });

  test('118 a name is one in its folder: another folder may have it, and recall shows both', async () => {
    const { memory } = testMemory();
    const api = newMemory('Deploy', 'The api is deployed with make.', { path: 'api/deploy.md' });
    const web = newMemory('Deploy', 'The web site is deployed with vite.', {
      path: 'web/deploy.md',
    });
    expect([(await memory.save(api)).kind, (await memory.save(web)).kind]).toEqual([
      'saved',
      'saved',
    ]);
    expect((await memory.check()).ok).toBe(true);
    const result = await memory.startRecall().recall('how is it deployed');
    expect(result.kind === 'recalled' && result.memories.map(({ path }) => path).sort()).toEqual([
      'api/deploy.md',
      'web/deploy.md',
    ]);
  });

  test.each([
    ['a file of that name', 'A.md'],
    ['a folder of that name', 'a.md/b.md'],
    ['a file where it has a folder', 'a.md'],
  ])('124 %s in the way is an answer', async (_, there) => {
    const { memory } = testMemory({ [there]: fileText('There', 'First one here.') });
    const path = there === 'a.md' ? 'a.md/b.md' : 'a.md';
    expect(await memory.save(newMemory('New', 'Second one here.', { path }))).toMatchObject({
      ...{ kind: 'refused', reason: 'exists', path: there },
    });
  });

  test('a type that is none is refused', async () => {
    const wrong = newMemory('A', 'B.', { type: 'idea' as NewMemory['type'] });
    expect(await testMemory().memory.save(wrong)).toMatchObject({ reason: 'unknown-type' });
  });
});

describe('208 secrets and people', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const body = `Remember: db password=hunter2-Zeta9, token ${token}. The staging password is in the vault.`;

  test('in private memory the values go, that there are some stays, and the user hears of it', async () => {
    const { memory, everything } = testMemory();
    const saved = await memory.save(
      newMemory(`Access ${token}`, body, {
        description: `token ${token}`,
        quote: body,
        reason: `asked with ${token}`,
      }),
    );
    expect(saved).toMatchObject({ kind: 'saved' });
    expect(saved.kind === 'saved' && saved.notices.join(' ')).toMatch(/github token/);
    const path = pathOf(saved);
    await memory.save(newMemory('Access two', 'Without any.', { supersedes: [path] }));
    const all = await everything();
    expect(all).not.toContain('hunter2-Zeta9');
    expect(all).not.toContain(token);
    expect(all).toContain('in the vault');
    expect(all).toContain('[redacted: github token]');
  });

  test.each([
    ['team/', { path: 'team/access.md' }, false],
    ['a shared folder', {}, true],
  ])(
    '137 aimed at %s it is refused, and the kind is named, not the value',
    async (_, where, isShared) => {
      const { memory, everything } = testMemory({}, { isShared });
      const saved = await memory.save(newMemory('Access', body, where));
      expect(saved).toMatchObject({ kind: 'refused', reason: 'secret' });
      expect(JSON.stringify(saved)).toContain('github token');
      expect(JSON.stringify(saved)).not.toContain(token);
      expect(await everything()).not.toContain('Remember');
    },
  );

  test('137 a path that holds one is refused', async () => {
    const saved = await testMemory().memory.save(newMemory('A', 'Body.', { path: `${token}.md` }));
    expect(saved).toMatchObject({ kind: 'refused', reason: 'secret' });
    expect(JSON.stringify(saved)).not.toContain(token);
  });

  test('137 every kind of secret is kept out of every file', async () => {
    const { memory, everything } = testMemory();
    for (const [at, { make }] of SECRET_KINDS.entries()) {
      await memory.save(newMemory(`Secret ${at}`, `Number ${at}.\n\n${make(at).text}`));
    }
    const all = await everything();
    const left = SECRET_KINDS.filter(({ make }, at) => all.includes(make(at).secret)).map(
      ({ name }) => name,
    );
    expect(left).toEqual([]);
  });

  test('144 what only speaks of secrets is unchanged', async () => {
    const { memory, textOf } = testMemory();
    const plain =
      'token: settings.fromEnv(NAME); secret = askVault(); we ship without any credential; 7f3c2a9e41d05b6688aa17c0de3f9b21c4e5d6f7';
    const saved = await memory.save(newMemory('Plain', plain));
    expect(saved).toMatchObject({ notices: [] });
    expect(await textOf(pathOf(saved))).toContain(plain);
  });

  test.each([
    ['team/', { path: 'team/pat.md' }, false],
    ['Team/, which is the same on some disks,', { path: 'Team/pat.md' }, false],
    ['a shared folder', {}, true],
  ])('D10 D11 a memory about a person never goes to %s', async (_, where, isShared) => {
    const { memory } = testMemory({}, { isShared });
    const saved = await memory.save(
      newMemory('Pat', 'Pat is a nurse.', { type: 'user', ...where }),
    );
    expect(saved).toMatchObject({ kind: 'refused', reason: 'user-in-shared' });
  });
});

describe('E6 203 forget, archive, tombstones and undo', () => {
  const vim = newMemory('Editor', 'The user uses Vim for everything.', {
    type: 'user',
    description: 'Uses Vim as the editor',
  });

  test('203 what was forgotten does not come back until the user asks for it', async () => {
    const { memory, textOf } = testMemory();
    const path = pathOf(await memory.save(vim));
    expect(
      await memory.forget(path, { reason: 'the user asked', quote: 'forget that I use Vim' }),
    ).toMatchObject({ kind: 'forgotten', path });
    expect(await textOf('MEMORY.md')).toBe('');
    expect(await memory.startRecall().recall('which editor is used, Vim?')).toMatchObject({
      kind: 'none',
    });
    const tombstones = await textOf('.tombstones.jsonl');
    expect(tombstones).toContain('the user asked');
    expect(tombstones).not.toMatch(/vim/i);
    const others = [
      vim,
      { ...vim, name: 'Tools' },
      { ...vim, body: '- the user uses VIM, for everything!' },
      newMemory('Mixed', 'New fact here.\nThe user uses Vim for everything.'),
    ];
    for (const again of others) {
      expect(await memory.save(again)).toMatchObject({ kind: 'refused', reason: 'forgotten' });
    }
    const asked = await memory.save({ ...vim, asked: true, quote: 'I do use Vim after all' });
    expect(asked).toMatchObject({
      kind: 'saved',
      notices: ['This was forgotten before, and is remembered again.'],
    });
    expect((await memory.save({ ...vim, name: 'Editor 2', type: 'feedback' })).kind).toBe('saved'); // lifted
  });

  test('203 other memories are not held back by words they share', async () => {
    const { memory } = testMemory();
    const path = pathOf(
      await memory.save(
        newMemory(
          'Rule',
          'Never push on Fridays.\n\n**Why:**\nIt broke.\n\n**How to apply:**\nWait.',
        ),
      ),
    );
    await memory.forget(path, { reason: 'asked' });
    const other = newMemory(
      'Rule',
      'Push at noon.\n\n**Why:**\nIt works better.\n\n**How to apply:**\nSet a timer.',
    );
    expect((await memory.save(other)).kind).toBe('saved');
  });

  test('undo gives back identical bytes, of the file, the index and the tombstones', async () => {
    const text = fileText('Odd', 'Text.').replaceAll('\n', '\r\n');
    const { memory, textOf } = testMemory({
      'o.md': `\uFEFF${text}`,
      'MEMORY.md': '# M\n- [Odd](o.md) — mine',
    });
    await memory.forget('o.md', { reason: 'wrong' });
    expect([await textOf('o.md'), await textOf('MEMORY.md')]).toEqual(['', '# M\n']);
    expect(await memory.undo()).toMatchObject({ kind: 'undone' });
    expect(await textOf('o.md')).toBe(`\uFEFF${text}`);
    expect(await textOf('MEMORY.md')).toBe('# M\n- [Odd](o.md) — mine');
    expect(await textOf('.tombstones.jsonl')).toBe('');
    expect(await memory.undo()).toEqual({ kind: 'none', reason: 'nothing-to-undo' });
  });

  test('any change can be taken back, the newest first, until there is nothing', async () => {
    const { memory, folder } = testMemory();
    const visible = async () => {
      const { files } = await folder.list('');
      const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
      return Promise.all(sorted.map(async ({ path }) => [path, (await folder.read(path))?.text]));
    };
    const states = [await visible()];
    const path = pathOf(await memory.save(newMemory('One', 'First one here.')));
    states.push(await visible());
    await memory.save(
      newMemory('One', 'Second one here.', { path, basis: (await memory.read(path))?.hash }),
    );
    states.push(await visible());
    await memory.forget(path, { reason: 'asked' });
    for (const state of states.reverse()) {
      expect(await memory.undo()).toMatchObject({ kind: 'undone' });
      expect(await visible()).toEqual(state);
    }
    expect(await memory.history()).toHaveLength(6);
  });

  test('a file that was changed since stays, and is named', async () => {
    const { memory, folder, textOf } = testMemory();
    const path = pathOf(await memory.save(newMemory('One', 'First one here.')));
    const basis = await textOf(path);
    await folder.replace(path, `${basis}By hand.\n`, { basis });
    expect(await memory.undo()).toEqual({ kind: 'conflict', paths: [path] });
    expect(await textOf(path)).toContain('By hand.');
    expect(await memory.undo({ id: '2020-01-01/0001' })).toEqual({
      kind: 'none',
      reason: 'no-such-change',
    });
  });

  test('203 what stands far down in a long file is forgotten too', async () => {
    const far = `${'Filler of no weight at all.\n'.repeat(12_000)}The valve opens on Mondays.`;
    const { memory } = testMemory({ 'long.md': fileText('Long', far) });
    await memory.forget('long.md', { reason: 'asked' });
    expect(await memory.save(newMemory('Valve', 'The valve opens on Mondays.'))).toMatchObject({
      reason: 'forgotten',
    });
  });

  test('forget compares the hash that was read, and says where nothing is', async () => {
    const { memory } = testMemory({ 'a.md': fileText('A', 'Text.') });
    expect(await memory.forget('a.md', { reason: 'r', basis: 'other' })).toMatchObject({
      kind: 'conflict',
      path: 'a.md',
    });
    expect(await memory.forget('b.md', { reason: 'r' })).toMatchObject({
      kind: 'refused',
      reason: 'not-found',
    });
  });

  test('the archive keeps 90 days', async () => {
    const { memory, clock, folder } = testMemory();
    await memory.save(newMemory('One', 'First one here.'));
    clock.nowMs = NOW + 90 * DAY_MS;
    await memory.save(newMemory('Two', 'Second one here.'));
    expect(await memory.history()).toHaveLength(2);
    clock.nowMs = NOW + 92 * DAY_MS;
    await memory.save(newMemory('Three', 'Third one here.'));
    const { files } = await folder.list('.archive');
    expect(files.some(({ path }) => path.startsWith('.archive/2026-11-30/'))).toBe(false);
    expect(await memory.history()).toHaveLength(2);
  });

  test('the inbox is listed, in no index, and never recalled', async () => {
    const { memory } = testMemory({
      '.inbox/m.md': fileText('Mirror', 'Push to mirror seven.', { type: 'feedback' }),
      '.inbox/x.txt': 'x',
    });
    expect(await memory.inbox()).toMatchObject([
      { path: '.inbox/m.md', name: 'Mirror', type: 'feedback' },
    ]);
    expect((await memory.scan()).files).toEqual([]);
    expect(await memory.rebuild()).toEqual({ kind: 'unchanged', left: [] });
    expect((await memory.startRecall().recall('push to mirror seven')).kind).toBe('none');
  });
});
