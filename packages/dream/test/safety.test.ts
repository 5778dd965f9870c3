import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inMemoryFolder } from '@varve/memdir';
import { describe, expect, test } from 'vitest';
import { createDream, reportText } from '../src/index.ts';
import { sessionFolder } from '../src/node/index.ts';
import {
  child,
  DAY_MS,
  fileText,
  NOW,
  quote,
  removal,
  sessionsOf,
  temporaryFolder,
  testDream,
} from './support.ts';

const PUMP = fileText('Pump', 'The pump of Ostrava runs at 9 bar.');
const archive = (path: string, text: string, source: string, by: string) => ({
  name: 'archive_memory',
  input: {
    ...{ path, reason: 'contradicted', quotes: [quote(path, text)] },
    removes: [removal(text, source, by)],
  },
});
const retype = (path: string, text: string, type = 'reference') => ({
  name: 'retype_memory',
  input: { path, type, reason: 'it says where', quotes: [quote(path, text)] },
});
const rewrite = (
  path: string,
  body: string,
  quotes: readonly object[],
  removes: readonly object[] = [],
) => ({
  name: 'rewrite_memory',
  input: { path, body, reason: 'put right', quotes, removes },
});

describe('what a dream never touches', () => {
  test('223 in the first dream a file without a stamp changes by no step but a fold, and its links follow; a pinned one keeps them', async () => {
    const bare = (text: string) => text.replace(/modified.*\n/, '');
    const link = bare(fileText('Site', 'See [[b]] for the pump.'));
    const pinned = fileText('Bell', 'See [[b]] for the bell.', { more: 'pinned: true\n' });
    const { runFork, answers } = child([retype('a.md', 'runs at 9 bar'), retype('l.md', 'See')]);
    const { dream, textOf, memory } = testDream(
      { 'a.md': bare(PUMP), 'b.md': bare(PUMP), 'l.md': link, 'p.md': pinned },
      { runFork },
    );
    expect(await dream.dreamNow()).toMatchObject({ report: { steps: { fold: 1 } } });
    expect(answers.map(({ content }) => content)).toEqual(
      Array(2).fill(expect.stringContaining('writer-not-known')),
    );
    const paths = (await memory.scan()).files.map(({ path }) => path).sort();
    expect(paths).toEqual(['a.md', 'l.md', 'p.md']);
    expect(await textOf('a.md')).toBe(bare(PUMP));
    expect(await textOf('l.md')).toBe(link.replace('[[b]]', '[[a]]'));
    expect(await textOf('p.md')).toBe(pinned);
  });

  test('223 a pinned file: its twin goes, it stays to the byte, and the model is refused', async () => {
    const pinned = fileText('Pump', 'The pump of Ostrava runs at 9 bar.', {
      more: 'pinned: true\n',
    });
    const { runFork, answers } = child([
      retype('pinned.md', 'runs at 9 bar'),
      archive(
        'pinned.md',
        'The pump of Ostrava runs at 9 bar.',
        's1',
        'The pump of Ostrava runs at 12 bar.',
      ),
    ]);
    const { dream, textOf, memory } = testDream(
      { 'pinned.md': pinned, 'twin.md': PUMP },
      { runFork, sessions: sessionsOf({ s1: ['The pump of Ostrava runs at 12 bar.'] }) },
    );
    expect(await dream.dreamNow()).toMatchObject({
      report: { steps: { fold: 1 }, refused: { 'read-only': 2 } },
    });
    expect(answers.map(({ isError }) => isError)).toEqual([true, true]);
    expect(await textOf('pinned.md')).toBe(pinned);
    expect((await memory.scan()).files.map(({ path }) => path)).toEqual(['pinned.md']);
  });

  test('223 a file edited by hand since the last dream, until the one after', async () => {
    const folder = inMemoryFolder({});
    const first = testDream(folder, { runFork: child([]).runFork });
    await first.memory.save({
      name: 'Pump',
      description: 'About it',
      type: 'project',
      body: 'It runs at 9 bar, in Ostrava.',
    });
    expect((await first.dream.dreamNow()).kind).toBe('completed');
    const path = 'project_pump.md';
    const text = (await folder.read(path))?.text ?? '';
    const byHand = text.replace('9 bar', '8 bar');
    await folder.replace(path, byHand, { basis: text });
    const calls = [retype(path, 'It runs at 8 bar')];
    const second = child(calls);
    await testDream(folder, { runFork: second.runFork }).dream.dreamNow();
    expect(second.answers[0]).toMatchObject({
      isError: true,
      content: expect.stringContaining('edited-by-hand'),
    });
    expect((await folder.read(path))?.text).toBe(byHand);
    await folder.replace('other.md', PUMP, { basis: undefined }); // something new, so that there is a dream
    const third = child(calls);
    await testDream(folder, { runFork: third.runFork }).dream.dreamNow();
    expect(third.answers[0]?.content).toMatch(/^Done/);
  });

  test('203 what was forgotten does not come back by a merge or from a session', async () => {
    const said = 'The editor is Vim every single day.';
    const { runFork, answers } = child([
      rewrite('tools.md', `The shell is fish on all machines.\n${said}`, [quote('s1', said)]),
    ]);
    const { dream, memory, textOf } = testDream(
      { 'tools.md': fileText('Tools', 'The shell is fish on all machines.') },
      { runFork, sessions: sessionsOf({ s1: [said] }) },
    );
    await memory.save({
      name: 'Editor',
      description: 'What is used',
      type: 'user',
      body: said,
      path: 'vim.md',
    });
    await memory.forget('vim.md', { reason: 'asked' });
    expect(await dream.dreamNow()).toMatchObject({
      report: { improved: 0, refused: { forgotten: 1 } },
    });
    expect(answers[0]?.content).toContain('forget');
    expect(await textOf('tools.md')).not.toContain('Vim');
  });

  test('137 208 no secret of a session or of a file that a person wrote goes to the model', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const { runFork, answers, forks } = child([
      { name: 'read_memory', input: { path: 'tools.md' } },
      { name: 'search_memories', input: { words: 'deploy token' } },
      { name: 'search_sessions', input: { words: 'deploy token' } },
    ]);
    const { dream } = testDream(
      { 'tools.md': fileText('Tools', `The deploy token is ${secret}.`) },
      { runFork, sessions: sessionsOf({ s1: [`The deploy token is ${secret}.`] }) },
    );
    await dream.dreamNow();
    const seen = [forks[0]?.directive, ...answers.map(({ content }) => content)];
    expect(seen).toHaveLength(4);
    for (const each of seen) expect(each).toContain('[redacted: github token]');
    expect(seen.join()).not.toContain(secret);
  });

  test('137 a secret that a session holds is not written, to memory or the inbox', async () => {
    const secret = `The deploy token is ghp_${'a1B2'.repeat(9)}.`;
    const { runFork } = child([
      rewrite('tools.md', `The shell is fish on all machines.\n${secret}`, [quote('s1', secret)]),
    ]);
    const { dream, folder } = testDream(
      { 'tools.md': fileText('Tools', 'The shell is fish on all machines.') },
      { runFork, sessions: sessionsOf({ s1: [secret] }) },
    );
    expect(await dream.dreamNow()).toMatchObject({
      report: { improved: 0, refused: { secret: 1 } },
    });
    for (const below of ['', '.archive', '.inbox'])
      for (const { path } of (await folder.list(below)).files)
        expect((await folder.read(path))?.text).not.toContain('ghp_');
  });

  test('221 only paths that git had and that are gone are flagged, and no file goes for it', async () => {
    const notes: Record<string, string> = {
      'home.md': 'The settings stand in ~/.config/pump/main.toml on each machine.',
      'other.md': 'See ../valve/src/open.ts of the other repository.',
      'env.md': 'Set $PUMP_HOME/bin/run.sh before the start.',
      'gone.md': 'The file src/old.ts was removed in spring.',
      'self.md': 'This stands in self.md and in memory/self.md too.',
      'renamed.md': 'The gate is opened by src/gate.ts at nine.',
      'deleted.md': 'The bell is rung by src/bell.ts at noon.',
    };
    const git = async (path: string) =>
      ['src/old.ts', 'src/gate.ts', 'src/bell.ts'].includes(path) ? 'gone' : 'not-checkable';
    const { runFork, answers, forks } = child([
      {
        name: 'archive_memory',
        input: {
          ...{
            path: 'deleted.md',
            reason: 'stale',
            quotes: [quote('deleted.md', 'rung by src/bell.ts')],
          },
          removes: [{ quote: 'rung by src/bell.ts', source: 'repository', by: 'src/bell.ts' }],
        },
      },
      archive(
        'env.md',
        'Set $PUMP_HOME/bin/run.sh before the start.',
        'repository',
        'PUMP_HOME/bin/run.sh',
      ),
    ]);
    const { dream, memory } = testDream(
      Object.fromEntries(Object.entries(notes).map(([path, body]) => [path, fileText(path, body)])),
      { runFork, git: git as never },
    );
    const result = await dream.dreamNow();
    expect(result).toMatchObject({
      report: {
        improved: 0,
        stale: [
          { path: 'deleted.md', claim: 'src/bell.ts' },
          { path: 'renamed.md', claim: 'src/gate.ts' },
        ],
        refused: { stays: 1, 'not-checkable': 1 },
      },
    });
    expect(answers.every(({ isError }) => isError)).toBe(true);
    expect(forks[0]?.directive).toContain('deleted.md names src/bell.ts');
    expect((await memory.scan()).files).toHaveLength(7);
  });

  test('131 most of what goes waits for a person: the cap, archived with its reason, and undone', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [
        `f${at}.md`,
        fileText(`Valve ${at}`, `Valve ${at} opens at ${at} bar.`),
      ]),
    );
    const said = Array.from({ length: 10 }, (_, at) => `Valve ${at} opens at ${at + 20} bar.`);
    const { runFork, answers } = child(
      said
        .slice(0, 8)
        .map((by, at) => archive(`f${at}.md`, `Valve ${at} opens at ${at} bar.`, 's1', by)),
    );
    const { dream, memory, visible, inbox } = testDream(files, {
      runFork,
      sessions: sessionsOf({ s1: said }),
    });
    await memory.rebuild();
    const before = await visible();
    expect(await dream.dreamNow()).toMatchObject({
      report: { improved: 2, steps: { archive: 2 }, waiting: 6 },
    });
    expect(answers.map(({ content }) => content.slice(0, 5))).toEqual([
      ...Array(2).fill('Done.'),
      ...Array(6).fill('Noted'),
    ]);
    expect((await memory.scan()).files).toHaveLength(8);
    expect(await inbox()).toHaveLength(6);
    const waiting = await dream.waiting();
    expect(waiting.steps.map(({ waits, isBroken }) => [waits, isBroken])).toEqual(
      Array(6).fill(['over-limit', false]),
    );
    const [one] = waiting.patch.steps;
    const applied = await dream.apply(waiting.patch, { only: [one?.id ?? ''] });
    expect(applied).toMatchObject({ kind: 'applied', steps: [one?.id] });
    expect([(await memory.scan()).files.length, (await inbox()).length]).toEqual([7, 5]);
    await dream.undo();
    await dream.undo();
    expect(await visible()).toBe(before);
    expect(await inbox()).toEqual([]);
  });
});

describe('while others write', () => {
  test('130 what others add, edit and delete during the dream stands; the rest of it takes effect', async () => {
    const folder = inMemoryFolder({
      'e1.md': fileText('One', 'The first valve is made of brass.'),
      'e2.md': fileText('Two', 'The second valve is made of steel.'),
      'd3.md': fileText('Three', 'The third valve is made of lead.'),
    });
    const edited = fileText('Two', 'The second valve is made of copper.');
    const { runFork } = child([
      retype('e1.md', 'made of brass'),
      retype('e2.md', 'made of steel'),
      retype('d3.md', 'made of lead'),
    ]);
    const { dream, memory, textOf } = testDream(folder, {
      runFork: async (fork) => {
        const done = await runFork(fork);
        await folder.replace('n1.md', PUMP, { basis: undefined });
        await folder.replace('e2.md', edited, { basis: (await folder.read('e2.md'))?.text });
        await folder.remove('d3.md', { basis: (await folder.read('d3.md'))?.text });
        return done;
      },
    });
    const result = await dream.dreamNow();
    expect(result).toMatchObject({
      report: {
        improved: 1,
        skipped: [
          { reason: 'changed-meanwhile', paths: ['e2.md'] },
          { reason: 'changed-meanwhile', paths: ['d3.md'] },
        ],
      },
    });
    expect(await textOf('n1.md')).toBe(PUMP);
    expect(await textOf('e2.md')).toBe(edited);
    expect(await textOf('d3.md')).toBeUndefined();
    expect((await memory.scan()).files.find(({ path }) => path === 'e1.md')?.type).toBe(
      'reference',
    );
  });

  test('a file that is pinned between the dream and its apply stays, and says so', async () => {
    const { runFork } = child([retype('a.md', 'runs at 9 bar')]);
    const { dream, folder, textOf } = testDream({ 'a.md': PUMP }, { runFork, isReviewed: true });
    const result = await dream.dreamNow();
    if (result.kind !== 'completed') throw new Error(result.kind);
    expect(await textOf('a.md')).toBe(PUMP);
    const pinned = PUMP.replace('type:', 'pinned: true\ntype:');
    await folder.replace('a.md', pinned, { basis: PUMP });
    expect(await dream.apply(result.patch)).toMatchObject({
      kind: 'applied', // the index
      steps: [],
      skipped: [{ reason: 'changed-meanwhile', paths: ['a.md'] }],
    });
    expect(await textOf('a.md')).toBe(pinned);
  });

  test('what was forgotten between the dream and its apply is refused by memory itself', async () => {
    const body = 'The editor is Vim every single day.';
    const { runFork } = child([
      rewrite('a.md', `The pump of Ostrava runs at 9 bar.\n${body}`, [quote('s1', body)]),
    ]);
    const { dream, memory, textOf } = testDream(
      { 'a.md': PUMP },
      { runFork, isReviewed: true, sessions: sessionsOf({ s1: [body] }) },
    );
    const result = await dream.dreamNow();
    if (result.kind !== 'completed') throw new Error(result.kind);
    await memory.save({ name: 'Editor', description: 'd', type: 'user', body, path: 'vim.md' });
    await memory.forget('vim.md', { reason: 'asked' });
    expect(await dream.apply(result.patch)).toMatchObject({
      skipped: [{ reason: 'refused', paths: ['a.md'], message: expect.stringContaining('forget') }],
    });
    expect(await textOf('a.md')).toBe(PUMP);
  });

  test('a part of a patch, and a step on one that is left out', async () => {
    const { runFork } = child([
      retype('a.md', 'runs at 9 bar'),
      retype('b.md', 'opens at noon'),
      retype('a.md', 'runs at 9 bar', 'feedback'),
    ]);
    const { dream, memory } = testDream(
      { 'a.md': PUMP, 'b.md': fileText('Gate', 'The gate opens at noon.') },
      { runFork, isReviewed: true },
    );
    const result = await dream.dreamNow();
    if (result.kind !== 'completed') throw new Error(result.kind);
    expect(JSON.parse(JSON.stringify(result.patch))).toEqual(result.patch);
    expect(await dream.apply(result.patch, { only: ['2', '3'] })).toMatchObject({
      steps: ['2'],
      skipped: [{ id: '3', reason: 'changed-meanwhile' }],
    });
    expect(await dream.apply(result.patch, { only: ['1', '3'] })).toMatchObject({
      steps: ['1', '3'],
    });
    const types = (await memory.scan()).files.map(({ path, type }) => `${path} ${type}`).sort();
    expect(types).toEqual(['a.md feedback', 'b.md reference']);
  });
});

describe('a reason says what it was', () => {
  const throwing = () => Promise.reject(new Error('of the host'));
  const sessions = sessionsOf({ s1: ['Hello there.'] });
  test.each([
    ['sessions', { sessions: { ...sessions, list: throwing } }],
    ['sessions that are no list', { sessions: { ...sessions, list: async () => 'x' as never } }],
    ['a session that is none', { sessions: { ...sessions, list: async () => [{}] as never } }],
    ['a lock', { lock: { lastMs: throwing, take: throwing } }],
    ['paths', { git: throwing }],
  ])('%s of the host', async (_, options) => {
    const named = fileText('Code', 'It stands in src/pump/main.ts and nowhere else.');
    const { dream, visible } = testDream({ 'a.md': named }, options);
    const before = await visible();
    expect(await dream.dreamNow()).toMatchObject({ kind: 'failed', reason: 'host-failed' });
    expect(await visible()).toBe(before);
  });

  test.each(['list', 'git'] as const)('a %s that hangs is ended by kill', async (which) => {
    const hangs = () => new Promise<never>(() => undefined);
    const named = fileText('Code', 'It stands in src/pump/main.ts and nowhere else.');
    const { dream } = testDream(
      { 'a.md': named },
      which === 'git' ? { git: hangs } : { sessions: { ...sessions, list: hangs } },
    );
    const running = dream.dreamNow();
    await new Promise((resolve) => setTimeout(resolve, 20));
    dream.kill();
    expect(await running).toEqual({ kind: 'killed' });
  });

  test('a folder of sessions that is not there is none with too few', async () => {
    const missing = sessionFolder(join(temporaryFolder(), 'nowhere'));
    for (const options of [{ sessions: missing }, {}])
      expect(await testDream({ 'a.md': PUMP }, options).dream.afterLoop()).toEqual({
        ...{ kind: 'none', reason: 'no-sessions' },
      });
    const empty = sessionFolder(temporaryFolder());
    expect(await testDream({ 'a.md': PUMP }, { sessions: empty }).dream.afterLoop()).toEqual({
      ...{ kind: 'none', reason: 'too-few-sessions' },
    });
  });

  test('the report of a dream that is reviewed has its steps, as what would be done', async () => {
    const { runFork } = child([retype('a.md', 'runs at 9 bar')]);
    const { dream, visible } = testDream({ 'a.md': PUMP }, { runFork, isReviewed: true });
    const before = await visible();
    const result = await dream.dreamNow();
    expect(result).toMatchObject({
      report: {
        ...{ isReviewed: true, improved: 1, steps: { retype: 1 }, paths: ['a.md'] },
        ...{ indexes: ['MEMORY.md'], changeId: undefined },
      },
    });
    if (result.kind !== 'completed') throw new Error(result.kind);
    expect(reportText(result.report)).toMatch(/^Memory can be tidied: 1 to improve\./);
    expect(await visible()).toBe(before);
  });
});

test('137 208 no result, event or patch holds a secret, and the patch applies all the same', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const password = 'hunter2-Zeta9';
  const files = {
    'a.md': fileText('Token', `The deploy token is ${token}.`),
    'b.md': fileText('Access', `| what | password |\n|---|---|\n| vault | ${password} |`),
    'src.md': fileText('Place', `It stands in src/pump/main.ts with token ${token}.`),
  };
  const { runFork, forks, answers } = child([
    { name: 'read_memory', input: { path: 'b.md' } },
    rewrite('a.md', `The deploy token is in the vault.`, [quote('s1', `token ${token}`)]),
  ]);
  const { dream, events, visible } = testDream(files, {
    ...{ runFork, isReviewed: true, git: async () => 'gone' as const },
    sessions: sessionsOf({ s1: [`Use token ${token} for now.`] }),
  });
  const result = await dream.dreamNow();
  if (result.kind !== 'completed') throw new Error(result.kind);
  const told = JSON.stringify([result, events, forks[0]?.directive, answers]);
  expect(told).not.toContain(token);
  expect(told).not.toContain(password);
  expect(await dream.apply(JSON.parse(JSON.stringify(result.patch)))).toMatchObject({
    kind: 'applied',
    skipped: [],
  });
  expect(await visible()).not.toContain(token);
});

describe('a second dream', () => {
  test('222 over an unchanged folder changes no byte and asks no model', async () => {
    const { runFork, forks } = child([retype('a.md', 'runs at 9 bar')]);
    const { dream, visible, folder } = testDream(
      { 'a.md': PUMP, 'b.md': PUMP },
      { runFork, sessions: sessionsOf({ s1: ['Nothing of note.'] }) },
    );
    expect(await dream.dreamNow()).toMatchObject({ report: { steps: { fold: 1, retype: 1 } } });
    const [after, state] = [await visible(), (await folder.read('.dream.json'))?.text];
    for (let again = 0; again < 3; again++)
      expect(await dream.dreamNow()).toEqual({ kind: 'none', reason: 'nothing-new' });
    expect(await visible()).toBe(after);
    expect((await folder.read('.dream.json'))?.text).toBe(state);
    expect(forks).toHaveLength(1);
  });

  test('222 224 what was refused is not asked for again before something is new, or a person forces it', async () => {
    const { runFork, forks } = child(() =>
      forks.length === 1 ? [retype('a.md', 'no such words')] : [retype('a.md', 'runs at 9 bar')],
    );
    const { dream, visible, clock } = testDream(
      { 'a.md': PUMP },
      { runFork, minSessions: 1, sessions: sessionsOf({ s1: ['Nothing of note.'] }) },
    );
    expect(await dream.dreamNow()).toMatchObject({ kind: 'completed', patch: { steps: [] } });
    const before = await visible();
    clock.nowMs += DAY_MS;
    expect(await dream.dreamNow()).toEqual({ kind: 'none', reason: 'nothing-new' });
    clock.nowMs += 600_000;
    expect(await dream.afterLoop()).toEqual({ kind: 'none', reason: 'nothing-new' });
    expect([await visible(), forks.length]).toEqual([before, 1]);
    const forced = await dream.dreamNow({ isForced: true });
    expect(forced).toMatchObject({ report: { sessions: 1, steps: { retype: 1 } } });
    clock.nowMs += DAY_MS;
    expect(await dream.dreamNow()).toEqual({ kind: 'none', reason: 'nothing-new' });
    expect(forks).toHaveLength(2);
  });

  test('224 after a dream of which all was refused a new session brings the others with it', async () => {
    const said: Record<string, readonly string[]> = { s1: ['The gate opens at noon.'] };
    const { runFork, forks } = child([retype('a.md', 'no such words')]);
    const { dream } = testDream(
      { 'a.md': PUMP },
      {
        runFork,
        sessions: { ...sessionsOf({}), list: (options) => sessionsOf(said).list(options) },
      },
    );
    await dream.dreamNow();
    expect(await dream.dreamNow()).toEqual({ kind: 'none', reason: 'nothing-new' });
    said.s2 = ['Nothing of note.'];
    expect(await dream.dreamNow()).toMatchObject({ report: { sessions: 2 } });
    expect(forks[1]?.directive).toContain('- s2\n- s1');
  });

  test('222 what waits is kept once, however often it is proposed', async () => {
    const said = 'Please do not forget to configure the async runtime.';
    const calls = [archive('rule.md', 'Use the async runtime.', 's1', said)];
    const { runFork } = child(calls);
    const { dream, inbox, folder, textOf } = testDream(
      { 'rule.md': fileText('Runtime', 'Use the async runtime.') },
      { runFork, sessions: sessionsOf({ s1: [said] }) },
    );
    await dream.dreamNow();
    const [path = ''] = await inbox();
    const before = await textOf(path);
    for (let round = 0; round < 3; round++) {
      await folder.replace(
        `n${round}.md`,
        fileText(`N ${round}`, `Number ${round} of the valves.`),
        { basis: undefined },
      );
      await dream.dreamNow();
    }
    expect(await inbox()).toEqual([path]);
    expect(await textOf(path)).toBe(before);
    await folder.replace('rule.md', fileText('Runtime', 'Use another runtime.'), {
      basis: await textOf('rule.md'),
    });
    const { steps, patch } = await dream.waiting();
    expect([steps.map(({ isBroken }) => isBroken), patch.steps]).toEqual([[true], []]); // 224: listed, not counted
  });

  test('what was undone is not seen as new, and not done again', async () => {
    const { runFork, forks, answers } = child([retype('a.md', 'runs at 9 bar')]);
    const { dream, folder, memory } = testDream(
      { 'a.md': PUMP, 'twin.md': PUMP, 'z.md': fileText('Gate', 'The gate opens at noon.') },
      { runFork },
    );
    expect(await dream.dreamNow()).toMatchObject({ report: { steps: { fold: 1, retype: 1 } } });
    await dream.undo();
    expect(await dream.dreamNow()).toEqual({ kind: 'none', reason: 'nothing-new' });
    expect(forks).toHaveLength(1);
    await folder.replace('new.md', fileText('Bell', 'The bell rings at noon.'), {
      basis: undefined,
    });
    expect(await dream.dreamNow()).toMatchObject({
      report: { improved: 0, steps: {}, refused: { 'taken-back': 1 } },
    });
    expect(answers[1]?.isError).toBe(true);
    expect((await memory.scan()).files).toHaveLength(4);
  });
});

describe('without a model', () => {
  test('only files that are equal to the letter are folded, index and links repaired, and the report says so', async () => {
    const other = fileText('Pump', 'The pump of Ostrava runs at 9 bar.', {
      description: 'Another fact',
    });
    const { dream, memory, textOf } = testDream({
      'a.md': PUMP,
      'copy/a.md': PUMP.replace('2026-11-20', '2026-11-21'),
      'other.md': other,
      'team/a.md': PUMP,
      'link.md': fileText('Site', 'See [[copy/a]], [[a]] and `[[a]]`.'),
    });
    const result = await dream.dreamNow();
    expect(result).toMatchObject({
      kind: 'completed',
      report: { mode: 'without-model', steps: { fold: 1 }, usage: undefined },
    });
    const paths = (await memory.scan()).files.map(({ path }) => path).sort();
    expect(paths).toEqual(['copy/a.md', 'link.md', 'other.md', 'team/a.md']);
    expect(await textOf('copy/a.md')).toContain('2026-11-21');
    expect((await memory.check()).counts.orphan).toBeUndefined();
    expect(await dream.dreamNow()).toEqual({ kind: 'none', reason: 'nothing-new' });
  });
});

describe('a child that does not end well leaves memory as it was', () => {
  const good = [retype('a.md', 'runs at 9 bar')];
  const ends = {
    fails: async () => ({ kind: 'failed', reason: 'no answer' }) as const,
    throws: async () => Promise.reject(new Error('broken')),
    hangs: () => new Promise<never>(() => undefined),
  };
  test.each(Object.entries(ends))('%s', async (name, end) => {
    const { runFork } = child(good);
    const { dream, visible, events, folder } = testDream(
      { 'a.md': PUMP },
      { runFork: (fork) => runFork(fork).then(end), timeoutMs: 20 },
    );
    const before = await visible();
    const result = await dream.dreamNow();
    expect(result).toMatchObject({
      kind: 'failed',
      reason: name === 'hangs' ? 'timed-out' : 'fork-failed',
    });
    expect(await visible()).toBe(before);
    expect((await folder.list('.archive')).files).toEqual([]);
    expect(await folder.read('.dream.json')).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ kind: 'failed' });
    expect(dream.progress().status).toBe('failed');
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'done'],
    ['an empty object', {}],
    ['another kind', { kind: 'ok' }],
    ['usage that is none', { kind: 'done', usage: 'much' }],
    ['usage without counts', { kind: 'done', usage: {} }],
  ])('one that answers with %s', async (_, answer) => {
    const { runFork } = child(good);
    const { dream, visible, folder } = testDream(
      { 'a.md': PUMP },
      { runFork: (fork) => runFork(fork).then(() => answer as never) },
    );
    const before = await visible();
    expect(await dream.dreamNow()).toMatchObject({
      ...{ kind: 'failed', reason: 'fork-failed' },
      cause: { message: expect.stringContaining('Expected `runFork` to be a function that') },
    });
    expect(await visible()).toBe(before);
    expect(await folder.read('.dream.json')).toBeUndefined();
  });

  test('one that hangs is ended also where nothing else keeps the process alive, and a child that is quick keeps it no longer', async () => {
    const program = join(import.meta.dirname, 'programs', 'hanging-child.ts');
    const run = (...args: readonly string[]) =>
      promisify(execFile)(process.execPath, [program, ...args]);
    expect((await run('hangs', '50')).stdout).toBe('failed timed-out\n');
    const started = performance.now();
    expect((await run('answers', '60000')).stdout).toBe('completed\n');
    expect(performance.now() - started).toBeLessThan(30_000);
  }, 60_000);

  test.each(['kill', 'signal', 'close'] as const)(
    'E5 ended by %s, also where the child goes on',
    async (how) => {
      const { runFork } = child(good);
      let reached: () => void = () => undefined;
      const inChild = new Promise<void>((resolve) => {
        reached = resolve;
      });
      let late: Promise<{ content: string }> | undefined;
      const { dream, visible, events } = testDream(
        { 'a.md': PUMP },
        {
          runFork: async (fork) => {
            await runFork(fork);
            fork.signal.addEventListener('abort', () => {
              late = new Promise((resolve) => setTimeout(resolve, 5)).then(() =>
                fork.runTool({ id: 'late', ...retype('a.md', 'runs at 9 bar', 'user') }),
              );
            });
            reached();
            return new Promise<never>(() => undefined);
          },
        },
      );
      const before = await visible();
      const stop = new AbortController();
      const running = dream.dreamNow({ signal: stop.signal });
      await inChild;
      if (how === 'kill') dream.kill();
      if (how === 'close') await dream.close();
      if (how === 'signal') {
        stop.abort(new Error('enough'));
        await expect(running).rejects.toThrow('enough');
      } else expect(await running).toEqual({ kind: 'killed' });
      expect((await late)?.content).toBe('The dream is over.');
      expect(await visible()).toBe(before);
      expect(events.at(-1)).toEqual({ kind: 'killed' });
      if (how === 'close')
        expect(await dream.dreamNow()).toEqual({ kind: 'none', reason: 'closed' });
    },
  );

  test('224 every write refused: completed, nothing improved, N refused, and the time of the lock stays', async () => {
    const { runFork } = child([
      { name: 'Bash', input: { command: 'rm -r .' } },
      retype('nowhere.md', 'runs at 9 bar'),
      retype('a.md', 'no such words'),
    ]);
    const clock = { nowMs: NOW };
    const { memory } = testDream({ 'a.md': PUMP });
    const released: (number | undefined)[] = [];
    const dream = createDream({
      ...{ memory, runFork, now: () => clock.nowMs },
      lock: {
        lastMs: async () => NOW - 2 * DAY_MS,
        take: async () => ({
          isHeld: () => true,
          release: async (at) => void released.push(at),
        }),
      },
    });
    await memory.rebuild();
    const result = await dream.dreamNow();
    expect(result).toMatchObject({
      ...{ kind: 'completed', patch: { steps: [] } },
      report: { improved: 0, refused: { 'not-allowed': 1, 'not-found': 1, 'quote-not-found': 1 } },
    });
    expect(released).toEqual([undefined]);
  });

  test('a lock that is lost during the dream: nothing is written', async () => {
    const { runFork } = child(good);
    const { memory, visible } = testDream({ 'a.md': PUMP });
    const before = await visible();
    const lock = {
      lastMs: async () => undefined,
      take: async () => ({ isHeld: () => false, release: async () => undefined }),
    };
    const dream = createDream({ memory, runFork, lock, now: () => NOW });
    expect(await dream.dreamNow()).toMatchObject({ kind: 'failed', reason: 'lock-lost' });
    expect(await visible()).toBe(before);
  });
});

test('208 a secret that is cut where a text is shortened is no part of what a child is shown', async () => {
  const secret = ['ghp_', 'a1B2c3D4e5'.repeat(4).slice(0, 36)].join('');
  const filled = (length: number): string =>
    'word '
      .repeat(length)
      .slice(0, length - 1)
      .concat(' ');
  const said = `The pump of Ostrava runs at 7 bar, ${filled(65)}${secret} and so on.`;
  const long = `${'Some words of this file stand here.\n'.repeat(1_000).slice(0, 15_900)} ${secret} at the end.`;
  const line = `needle ${filled(280)}${secret}`;
  const { runFork, answers, forks } = child([
    {
      name: 'archive_memory',
      input: {
        path: 'a.md',
        reason: 'r',
        quotes: [quote('a.md', 'runs at 7 bar')],
        removes: [
          {
            quote: 'The pump of Ostrava runs at 7 bar.',
            why: 'not-from-the-user',
            source: 's1',
            by: 'Seven bar it is',
          },
        ],
      },
    },
    { name: 'search_sessions', input: { words: 'needle' } },
    { name: 'search_memories', input: { words: 'needle' } },
    { name: 'read_memory', input: { path: 'long.md' } },
  ]);
  const { dream } = testDream(
    {
      'a.md': fileText('Pump', 'The pump of Ostrava runs at 7 bar.'),
      'b.md': fileText('Line', line),
      'long.md': fileText('Long', long),
    },
    {
      runFork,
      sessions: sessionsOf({
        s1: [
          said,
          line,
          { by: 'assistant', text: 'Seven bar it is, for the pump of Ostrava: it runs at 7 bar.' },
        ],
      }),
    },
  );
  await dream.dreamNow();
  const shown = [forks[0]?.directive, ...answers.map(({ content }) => content)].join('\n');
  expect(answers[0]?.content).toContain('stays: the user said "The pump of Ostrava');
  expect(shown).not.toContain(secret.slice(0, 8));
});

test('E5 progress: starting, updating from the first change, the last 30 turns, touched files', async () => {
  const reads = Array.from({ length: 40 }, () => ({
    name: 'read_memory',
    input: { path: 'a.md' },
  }));
  const { runFork, forks } = child([...reads, retype('a.md', 'runs at 9 bar')]);
  const { dream, events } = testDream({ 'a.md': PUMP }, { runFork });
  expect(dream.progress()).toMatchObject({ status: 'idle' });
  await dream.dreamNow();
  expect(dream.progress()).toMatchObject({
    status: 'completed',
    phase: 'updating',
    touched: ['a.md'],
  });
  expect(dream.progress().turns).toHaveLength(30);
  expect(dream.progress().turns[0]).toEqual({ text: 'turn 11', toolCalls: 1, touched: ['a.md'] });
  const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'progress');
  expect(kinds).toEqual(['started', 'updating', 'completed']);
  expect(forks[0]).toMatchObject({ source: 'auto_dream', maxTurns: 20 });
});
