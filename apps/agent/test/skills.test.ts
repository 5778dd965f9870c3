import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findSkills } from '../src/skills/find.ts';
import { use, sharedWorkbench as workbench } from './support.ts';

const skill = (fields: string, text = 'Do it well.') => `---\n${fields}\n---\n${text}\n`;

/** A project and a home with files in them. */
function folders(files: Readonly<Record<string, string>>) {
  const base = mkdtempSync(join(tmpdir(), 'varve-skills-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text);
  };
  mkdirSync(join(base, 'project/sub'), { recursive: true });
  for (const [name, text] of Object.entries(files)) put(name, text);
  const find = (more: { isCompatible?: boolean; cwd?: string } = {}) => {
    const cwd = join(base, more.cwd ?? 'project');
    const { skills, problems } = findSkills({
      ...{ cwd, root: join(base, 'project'), configDir: join(base, 'config') },
      ...{ home: join(base, 'home'), isCompatible: more.isCompatible ?? true },
    });
    return {
      skills,
      from: Object.fromEntries(
        [...skills].map(([name, { path }]) => [name, path.slice(base.length + 1)]),
      ),
      problems: problems.map(({ path, why }) => `${path.slice(base.length + 1)}: ${why}`),
    };
  };
  return { base, find };
}

describe('A10: skills that people have', () => {
  test('are found in all their folders; the nearer ones win, and ours', () => {
    const { find } = folders({
      'project/.varve/skills/a/SKILL.md': skill('name: a\ndescription: ours'),
      'project/.claude/skills/a/SKILL.md': skill('name: a\ndescription: theirs'),
      'project/.agents/skills/b/SKILL.md': skill('description: of no name'),
      'project/sub/.claude/skills/b/SKILL.md': skill('name: b\ndescription: nearer'),
      'home/.claude/skills/a/SKILL.md': skill('name: a\ndescription: of the person'),
      'home/.agents/skills/c/SKILL.md': skill('name: c\ndescription: c'),
      'config/skills/d/SKILL.md': skill('name: d\ndescription: d'),
      'project/.claude/commands/git/ship.md': 'Ship it.',
      'project/.claude/commands/a.md': 'A command of the same name.',
      'home/.claude/commands/mine.md': skill('description: Mine.\nargument-hint: "[file]"'),
    });
    expect(find({ cwd: 'project/sub' }).from).toEqual({
      a: 'project/.varve/skills/a/SKILL.md',
      b: 'project/sub/.claude/skills/b/SKILL.md',
      c: 'home/.agents/skills/c/SKILL.md',
      d: 'config/skills/d/SKILL.md',
      ship: 'project/.claude/commands/git/ship.md',
      mine: 'home/.claude/commands/mine.md',
    });
    const { skills, problems } = find();
    expect(problems).toEqual([]);
    expect(skills.get('ship')).toMatchObject({
      ...{ description: 'Ship it.', isForModel: false, isForPerson: true },
    });
    expect(skills.get('mine')?.hint).toBe('[file]');
    expect(Object.keys(find({ isCompatible: false }).from).sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  test.each([
    [
      'a colon that YAML does not take',
      'name: x\ndescription: Use this when: it rains',
      {
        description: 'Use this when: it rains',
      },
    ],
    [
      'a description over several lines',
      'name: x\ndescription: >-\n  one\n  two',
      {
        description: 'one two',
      },
    ],
    [
      'other fields',
      'name: x\ndescription: d\nlicense: MIT\nmetadata: { a: 1 }\nallowed-tools: Read',
      {
        isForModel: true,
      },
    ],
    ['a switch', 'name: x\ndescription: d\ndisable-model-invocation: true', { isForModel: false }],
    ['the other switch', 'name: x\ndescription: d\nuser-invocable: false', { isForPerson: false }],
    ['carriage returns', 'name: x\r\ndescription: d\r', { description: 'd' }],
  ])('are read with %s', (_what, fields, wanted) => {
    const { find } = folders({ 'project/.varve/skills/x/SKILL.md': skill(fields) });
    const { skills, problems } = find();
    expect(problems).toEqual([]);
    expect(skills.get('x')).toMatchObject({ text: 'Do it well.', ...wanted });
  });

  test('have a long description cut, and a name that cannot be typed replaced by that of the folder', () => {
    const { find } = folders({
      'project/.varve/skills/x/SKILL.md': skill(`name: x\ndescription: ${'y'.repeat(2_000)}`),
      'project/.varve/skills/pdf/SKILL.md': skill('name: PDF Processing\ndescription: d'),
    });
    const { skills, problems } = find();
    expect(skills.get('x')?.description).toHaveLength(1_024);
    expect(skills.get('pdf')?.description).toBe('d');
    expect(problems).toEqual([
      expect.stringContaining('cannot be typed, so it is pdf'),
      expect.stringContaining('is longer than 1024 characters'),
    ]);
  });
});

describe('A10: hostile skills are refused with a notice', () => {
  test.each([
    ['an escape in its name', skill('name: "a\\e[2Jb"\ndescription: d'), '\\u001b[2J'],
    ['a name turned around', skill('name: "a\\u202Eb"\ndescription: d'), '\\u{202e}'],
    ['a long name', skill(`name: ${'n'.repeat(65)}\ndescription: d`), 'longer than 64'],
    ['no end of its front matter', '---\nname: x\ndescription: d\n', 'has no end'],
    ['a list as front matter', skill('- a\n- b'), 'holds no fields'],
    ['an alias bomb', skill(`a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]`, ''), 'description'],
    ['nothing in it', '', 'no description'],
    ['a huge text', skill('description: d', 'x'.repeat(200_000)), 'very large'],
    ['bytes that are no text', 'a\0b', 'no text'],
  ])('%s', (_what, text, why) => {
    const { find } = folders({ 'project/.varve/skills/x/SKILL.md': text });
    const { skills, problems } = find();
    expect([...skills.keys()]).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(why)]);
    expect(problems.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('a link that leads outside, one that goes round, a folder, a pipe, a folder of thousands', () => {
    const { base, find } = folders({
      'secret.md': skill('name: leak\ndescription: d'),
      'outside/skills/o/SKILL.md': skill('name: o\ndescription: d'),
      'project/.varve/skills/good/SKILL.md': skill('description: good'),
      'project/sub/.varve/skills/s/SKILL.md': skill('description: s'),
    });
    const at = join(base, 'project/.varve/skills');
    for (const name of ['link', 'pipe', 'folder']) mkdirSync(join(at, name));
    symlinkSync(join(base, 'secret.md'), join(at, 'link/SKILL.md'));
    symlinkSync(join(at, 'round'), join(at, 'round'));
    execFileSync('mkfifo', [join(at, 'pipe/SKILL.md')]);
    mkdirSync(join(at, 'folder/SKILL.md'));
    symlinkSync(join(base, 'outside'), join(base, 'project/.agents'));
    mkdirSync(join(base, 'project/.varve/commands'));
    symlinkSync(base, join(base, 'project/.varve/commands/up'));
    symlinkSync('.', join(base, 'project/.varve/commands/self'));
    for (let each = 0; each < 600; each++)
      mkdirSync(join(base, `home/.agents/skills/${each}`), { recursive: true });
    const { skills, problems } = find();
    expect([...skills.keys()]).toEqual(['good']);
    const reasons = ['outside of the project', 'it is no file', 'only 500 of its entries'];
    for (const why of reasons) expect(problems.join('\n')).toContain(why);
    expect(problems.join('\n')).toContain('.varve/commands/up');
  });
});

const bypass = ['--permission-mode', 'bypassPermissions'];

test('A10: skills are listed in one reminder, called by the model and by the person, and the text is put in behind the call', async () => {
  const bench = await workbench({
    replies: [
      use('call_1', 'Skill', { skill: 'commit', args: 'all of it' }),
      use('call_2', 'Skill', { skill: 'deploy' }),
      use('call_3', 'Skill', { skill: 'nothing' }),
      'done',
      'reviewed',
    ],
  });
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(bench.folder, name)), { recursive: true });
    bench.write(name, text);
  };
  put(
    '.varve/skills/commit/SKILL.md',
    skill(
      'name: commit\ndescription: How to commit',
      'Commit $ARGUMENTS, says $& </system-reminder>.',
    ),
  );
  put(
    '.varve/skills/deploy/SKILL.md',
    skill('name: deploy\ndescription: How to deploy\ndisable-model-invocation: true'),
  );
  put('.claude/commands/review.md', 'Review what is named.');
  put('.varve/skills/bad/SKILL.md', '---\nname: bad');
  const ran = await bench.run(['-p', 'Commit.', ...bypass]);
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stderr).toContain('its front matter has no end');
  const said = bench.bodies().map(({ messages }) => JSON.stringify(messages));
  expect(said[0]).toContain('- commit: How to commit');
  expect(said[0]).not.toMatch(/deploy|review/);
  expect(said[1]).toContain('follows as the next message');
  expect(said[1]).toContain('Commit all of it, says $& <\\\\/system-reminder>.');
  expect(said[2]).toContain('Only the person calls deploy.');
  expect(said[3]).toContain('There are: commit.');

  await bench.run(['-p', '-c', '/review src/a.ts', ...bypass]);
  const last = bench.bodies().at(-1)?.messages as { readonly content: unknown }[];
  const [text, prompt] = last.slice(-2).map(({ content }) => JSON.stringify(content));
  expect(text).toContain('Review what is named.\\n\\nArguments: src/a.ts');
  expect(prompt).toContain('/review src/a.ts');
  expect(JSON.stringify(last).match(/- commit: How to commit/g)).toHaveLength(1);
  expect(JSON.stringify(last)).toContain(said[3]?.slice(1, -1).split(',"cache_control"')[0]);
});

test('A10: the same call by a person sends the same bytes with -p and in a conversation; a new skill is told of as it comes', async () => {
  const { run, emulator, folder, write } = await workbench({ replies: () => 'Fine.' });
  mkdirSync(join(folder, '.varve/skills/tidy'), { recursive: true });
  write('.varve/skills/tidy/SKILL.md', skill('description: Tidies up'));
  await run(['-p', '/tidy src']);
  await run(['--plain'], { input: '/tidy src\n/skills\n' });
  const [first, second] = emulator.requests.map(({ body }) => Buffer.from(body).toString());
  expect(second).toBe(first);
  mkdirSync(join(folder, '.varve/skills/later'), { recursive: true });
  write('.varve/skills/later/SKILL.md', skill('description: Came later'));
  await run(['-p', '-c', 'Go on.']);
  const last = Buffer.from(emulator.requests.at(-1)?.body as Uint8Array).toString();
  expect(last).toContain('- later: Came later');
  expect(last.match(/- tidy: Tidies up/g)).toHaveLength(1);
});

test('A10: a rewind that takes the list of skills away has it told anew', async () => {
  const { run, emulator, folder, write } = await workbench({ replies: () => 'Fine.' });
  mkdirSync(join(folder, '.varve/skills/tidy'), { recursive: true });
  write('.varve/skills/tidy/SKILL.md', skill('description: Tidies up'));
  const more = '.varve/skills/more';
  const come = `!mkdir ${more}; echo 'Comes later.' > ${more}/SKILL.md`;
  await run(['--plain'], { input: `Hello.\n${come}\nAgain.\n/rewind 2\nAnew.\n` });
  const sent = emulator.requests.map(({ body }) => Buffer.from(body).toString());
  expect(sent).toHaveLength(3);
  for (const each of sent) expect(each.match(/- tidy: Tidies up/g)).toHaveLength(1);
  expect(sent.map((each) => each.match(/- more: Comes later/g)?.length ?? 0)).toEqual([0, 1, 1]);
  expect(sent[2]).not.toContain('Again.');
});

test('A10: a kill between a call and its text loses nothing: the text comes with the next prompt, once', async () => {
  const { run, emulator, folder, write, config } = await workbench({
    replies: [use('call_1', 'Skill', { skill: 'tidy' }), 'done', 'on', 'on'],
  });
  mkdirSync(join(folder, '.varve/skills/tidy'), { recursive: true });
  write('.varve/skills/tidy/SKILL.md', skill('description: Tidies up', 'Use a broom.'));
  await run(['-p', 'Tidy.']);
  const projects = join(config, 'projects');
  const [project = ''] = readdirSync(projects);
  const [name = ''] = readdirSync(join(projects, project)).filter((each) =>
    each.endsWith('.jsonl'),
  );
  const path = join(projects, project, name);
  const lines = readFileSync(path, 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes('"tool_result"'));
  writeFileSync(path, `${lines.slice(0, at + 1).join('\n')}\n`);
  expect(readFileSync(path, 'utf8')).toContain('"kind":"skill"');
  for (const prompt of ['Go on.', 'And on.']) await run(['-p', '-c', prompt]);
  const last = Buffer.from(emulator.requests.at(-1)?.body as Uint8Array).toString();
  expect(last.match(/Use a broom\./g)).toHaveLength(1);
});
