import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadSettings } from '../src/settings/load.ts';
import { saveAnswer } from '../src/settings/tell.ts';

function place() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'varve-settings-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [cwd, home, configDir, managed] = ['project', 'home', 'home/.config/varve', 'managed'].map(
    (name) => join(root, name),
  ) as [string, string, string, string];
  const write = (path: string, value: unknown) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof value === 'string' ? value : JSON.stringify(value));
  };
  mkdirSync(join(cwd, '.git'), { recursive: true });
  const load = (more: object = {}) =>
    loadSettings({ cwd, home, configDir, managed: [managed, managed], tools: [], ...more });
  return { root, cwd, configDir, write, load };
}

const allows = (...allow: string[]) => ({ permissions: { allow } });
const textsOf = (rules: readonly { readonly text: string }[]) => rules.map(({ text }) => text);

describe('A5: settings', () => {
  test('join lists, and of anything else managed wins over flags, local, project and user', async () => {
    const { load, write } = place();
    const all = {
      'home/.claude/settings.json': 'user-theirs',
      'home/.config/varve/settings.json': 'user',
      'project/.claude/settings.json': 'project-theirs',
      'project/.varve/settings.json': 'project',
      'project/.varve/settings.local.json': 'local',
      'managed/settings.json': 'managed',
    };
    for (const [path, name] of Object.entries(all))
      write(path, { ...allows(`Bash(${name})`), model: name, env: { [name]: 'yes', WHO: name } });
    const flags = { ...allows('Bash(flags)'), model: 'flags', env: { WHO: 'flags' } };
    const { settings } = await load({ flags, trusts: true });
    expect(textsOf(settings.allow)).toEqual(
      ['user-theirs', 'user', 'project-theirs', 'project', 'local', 'flags', 'managed'].map(
        (name) => `Bash(${name})`,
      ),
    );
    expect(settings.model).toBe('managed');
    expect(settings.env).toMatchObject({ WHO: 'managed', user: 'yes', project: 'yes' });
  });

  test('of .claude are left alone with compat: false of a person, and not with one of a project', async () => {
    const { load, write } = place();
    write('home/.claude/settings.json', { permissions: { deny: ['Bash(rm:*)'] } });
    write('project/.varve/settings.json', { compat: false });
    expect(textsOf((await load({ trusts: true })).settings.deny)).toEqual(['Bash(rm:*)']);
    write('home/.config/varve/settings.json', { compat: false });
    expect((await load()).settings.deny).toEqual([]);
  });

  test('name what is unknown or can never hold, and read the rest', async () => {
    const { load, write } = place();
    write('home/.claude/settings.json', {
      ...{ $schema: 'x', statusLine: {}, model: 7, outputStyle: 'terse', env: { A: 1 } },
      permissions: {
        allow: ['Bash(ls:*)', 'Bash(', 'Nothing', 5],
        deny: 'all',
        defaultMode: 'plan',
        other: 1,
      },
      hooks: {
        Nothing: [],
        Stop: [
          {
            hooks: [
              { type: 'prompt', prompt: 'x' },
              { type: 'command', command: 'ls' },
            ],
          },
        ],
      },
    });
    const { settings, problems } = await load();
    expect(problems.map(({ kind, text }) => `${kind} ${text.split(':')[0]}`)).toEqual([
      ...[
        'unknown statusLine',
        'unknown permissions.other',
        'useless permissions.allow',
        'useless permissions.allow',
        'useless permissions.allow',
      ],
      ...[
        'useless permissions.deny',
        'useless hooks.Nothing',
        'useless hooks.Stop[0]',
        'useless model',
      ],
    ]);
    expect(textsOf(settings.allow)).toEqual(['Bash(ls:*)']);
    expect(settings).toMatchObject({ mode: 'plan', outputStyle: 'terse', env: { A: '1' } });
    expect(settings.hooks).toMatchObject([{ event: 'Stop', command: 'ls' }]);
  });

  test.each([
    ['{ nothing', 'it is no JSON'],
    ['[]', 'it is no object'],
  ])(
    'that cannot be read (%s) stop the start, because what they forbid is not known',
    async (text, reason) => {
      const { load, write } = place();
      write('project/.varve/settings.json', text);
      await expect(load()).rejects.toThrow(reason);
    },
  );

  test('that a link leads out of the project for stop the start', async () => {
    const { cwd, load, write } = place();
    write('elsewhere.json', allows('Bash'));
    mkdirSync(join(cwd, '.varve'));
    symlinkSync('../../elsewhere.json', join(cwd, '.varve/settings.json'));
    await expect(load()).rejects.toThrow('leads out of the project');
  });
});

describe('A5: of a project that is not trusted', () => {
  test('what forbids and asks holds, and what runs or allows does not', async () => {
    const { load, write } = place();
    const permissions = {
      allow: ['Bash'],
      deny: ['Bash(rm:*)'],
      ask: ['Read'],
      defaultMode: 'bypassPermissions',
      additionalDirectories: ['/'],
    };
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'ls' }] }] };
    for (const name of ['settings.json', 'settings.local.json'])
      write(`project/.claude/${name}`, {
        permissions,
        hooks,
        env: { PATH: '.' },
        model: 'one',
        varve: { a: 1 },
      });
    write('project/.mcp.json', { mcpServers: { a: { command: 'ls' } } });
    const { settings, untrusted } = await load();
    expect(settings).toMatchObject({
      allow: [],
      folders: [],
      hooks: [],
      env: {},
      layers: {},
      model: 'one',
    });
    expect(settings.mode).toBeUndefined();
    expect(textsOf([...settings.deny, ...settings.ask])).toEqual([
      'Bash(rm:*)',
      'Bash(rm:*)',
      'Read',
      'Read',
    ]);
    const named = new Set(untrusted?.items.map(({ text }) => text.split(':')[0]));
    expect([...named].sort()).toEqual([
      ...['env', 'hooks', 'mcpServers', 'permissions.additionalDirectories'],
      ...['permissions.allow', 'permissions.defaultMode', 'varve'],
    ]);
  });

  test('a person is asked once, and again when the settings or a script that they name change', async () => {
    const { load, write } = place();
    const command = '"$CLAUDE_PROJECT_DIR"/check.sh --fast';
    write('project/check.sh', 'exit 0');
    write('project/.claude/settings.json', {
      hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] },
    });
    let asked = 0;
    const askTrust = async () => {
      asked += 1;
      return true;
    };
    const counts: number[] = [];
    const again = async () => {
      expect((await load({ askTrust })).settings.hooks).toHaveLength(1);
      counts.push(asked);
    };
    await again();
    await again();
    write('project/check.sh', 'rm -rf ~');
    await again();
    await again();
    write('project/.mcp.json', { mcpServers: {} });
    await again();
    expect(counts).toEqual([1, 1, 2, 2, 3]);
  });

  test('a script beside a folder of the project that the session is in is one that they name', async () => {
    const { cwd, load, write } = place();
    const inner = join(cwd, 'inner');
    write('project/inner/check.sh', 'exit 0');
    write('project/.claude/settings.json', {
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'cd .;./check.sh' }] }] },
    });
    expect((await load({ cwd: inner, trusts: true })).untrusted).toBeUndefined();
    expect((await load({ cwd: inner })).untrusted).toBeUndefined();
    write('project/inner/check.sh', 'rm -rf ~');
    expect((await load({ cwd: inner })).untrusted).toBeDefined();
  });

  test('nothing needs trust in one that only forbids', async () => {
    const { load, write } = place();
    write('project/.claude/settings.json', {
      permissions: { deny: ['Bash(rm:*)'] },
      model: 'one',
      statusLine: {},
    });
    expect((await load()).untrusted).toBeUndefined();
  });
});

describe('A2: a rule that is allowed for always', () => {
  test('is written beside what the file holds, and the folder stays trusted', async () => {
    const { cwd, load, write } = place();
    write('project/.varve/settings.local.json', {
      other: { kept: true },
      permissions: { deny: ['Read(x)'] },
    });
    saveAnswer({ kind: 'always', rule: 'Bash(make:*)' }, await load(), () => undefined);
    expect(JSON.parse(readFileSync(join(cwd, '.varve/settings.local.json'), 'utf8'))).toEqual({
      other: { kept: true },
      permissions: { deny: ['Read(x)'], allow: ['Bash(make:*)'] },
    });
    expect(textsOf((await load()).settings.allow)).toEqual(['Bash(make:*)']);
  });

  test('is not written where that would trust what nobody trusted, nor through a link', async () => {
    const { cwd, root, load, write } = place();
    write('project/.varve/settings.json', allows('Bash'));
    const notices: string[] = [];
    saveAnswer({ kind: 'always', rule: 'Bash(make:*)' }, await load(), (text) =>
      notices.push(text),
    );
    rmSync(join(cwd, '.varve'), { recursive: true });
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync('../elsewhere', join(cwd, '.varve'));
    saveAnswer({ kind: 'always', rule: 'Bash(make:*)' }, await load(), (text) =>
      notices.push(text),
    );
    expect(notices).toEqual([
      expect.stringContaining('not trusted'),
      expect.stringContaining('leads out'),
    ]);
  });
});
