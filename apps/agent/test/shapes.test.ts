import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAgentDefinition } from '@varve/fork-agent/definitions';
import { recordOf } from '@varve/guards';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readServers } from '../src/mcp/config.ts';
import { loadSettings } from '../src/settings/load.ts';
import { KNOWN, KNOWN_PERMISSIONS } from '../src/settings/settings.ts';
import { findSkills } from '../src/skills/find.ts';
import { TOOLS } from '../src/tools/index.ts';
import { AGENTS, SERVERS, SKILLS } from './shapes/files.ts';
import { SETTINGS } from './shapes/settings.ts';

/** A project and a home of nobody. */
function project() {
  const root = mkdtempSync(join(tmpdir(), 'varve-shapes-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const cwd = join(root, 'project');
  mkdirSync(join(cwd, '.claude'), { recursive: true });
  mkdirSync(join(cwd, '.git'));
  return { cwd, home: root, configDir: join(root, 'config'), managed: [] as string[] };
}

describe('A5: of settings as people have them, each part is read or named', () => {
  test.each(SETTINGS)('$about', async ({ settings: given, hooks = 0, names = [] }) => {
    const { cwd, ...folders } = project();
    writeFileSync(join(cwd, '.claude', 'settings.json'), JSON.stringify(given));
    const tools = TOOLS.map(({ name }) => name);
    const { settings, problems } = await loadSettings({ cwd, ...folders, tools, trusts: true });
    const [unknown, useless] = ['unknown', 'useless'].map((kind) =>
      problems.filter((problem) => problem.kind === kind).map(({ text }) => text),
    );

    const permissions = recordOf(given.permissions);
    expect(unknown).toEqual([
      ...Object.keys(given).filter((key) => !KNOWN.has(key)),
      ...Object.keys(permissions)
        .filter((key) => !KNOWN_PERMISSIONS.has(key))
        .map((key) => `permissions.${key}`),
    ]);
    expect(useless).toEqual(names.map((name) => expect.stringContaining(name)));

    for (const list of ['allow', 'ask', 'deny'] as const) {
      const read = new Set(settings[list].map(({ text }) => text));
      const wanted = Array.isArray(permissions[list]) ? permissions[list] : [];
      for (const rule of wanted)
        expect(
          read.has(rule) ||
            useless?.some((text) => text.includes(String(rule)) || typeof rule !== 'string'),
          rule,
        ).toBe(true);
    }
    expect(settings.hooks).toHaveLength(hooks);
    const isNamed = (key: string) => names.some((name) => name.endsWith(key));
    if (!isNamed('model')) expect(settings.model).toBe(given.model);
    if (!isNamed('defaultMode')) expect(settings.mode).toBe(permissions.defaultMode);
    if (!isNamed('additionalDirectories'))
      expect(settings.folders).toEqual(permissions.additionalDirectories ?? []);
    expect(settings.outputStyle).toBe(given.outputStyle);
    expect(settings.layers).toEqual(recordOf(given.varve).layers ?? {});
    if (!isNamed('env'))
      expect(Object.keys(settings.env)).toEqual(Object.keys(recordOf(given.env)));
  });

  test.each([
    ['a byte order mark and carriage returns', '\uFEFF{\r\n  "model": "opus"\r\n}\r\n', 'opus'],
    ['nothing at all', '', undefined],
  ])('a file with %s', async (_about, text, model) => {
    const { cwd, ...folders } = project();
    writeFileSync(join(cwd, '.claude', 'settings.json'), text);
    const { settings, problems } = await loadSettings({ cwd, ...folders, tools: [] });
    expect({ model: settings.model, problems }).toEqual({ model, problems: [] });
  });
});

describe('A10: a skill as people have it', () => {
  test.each(SKILLS)('$about', ({ text, read }) => {
    const { cwd, ...folders } = project();
    const folder = join(cwd, '.claude', 'skills', 'folder');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'SKILL.md'), text);
    const { skills, problems } = findSkills({ cwd, root: cwd, isCompatible: true, ...folders });
    const [found] = skills.values();
    const { why } = problems[0] ?? {};
    if ('why' in read) expect({ found, why }).toEqual({ found: undefined, why: read.why });
    else expect({ found, why }).toMatchObject({ found: read, why: undefined });
  });
});

describe('F6: an agent as people have it: each field is read or named', () => {
  test.each(AGENTS)('$about', ({ text, read, names = [] }) => {
    const found = parseAgentDefinition(text);
    expect(found.problems.map(({ field }) => field)).toEqual(names);
    expect(found.kind === 'definition' ? found.definition : undefined).toEqual(
      read === undefined ? undefined : expect.objectContaining(read),
    );
  });
});

describe('A10: servers as people list them: each is read or named', () => {
  const environment = { HOME_FOLDER: '/home/me', TOKEN: 'secret' };
  test.each(SERVERS)('$about', ({ servers, read, names = [] }) => {
    const found = readServers(servers, environment);
    expect(found.servers).toMatchObject(read);
    expect(found.servers).toHaveLength(read.length);
    expect(found.problems).toEqual(names.map((name) => expect.stringContaining(name)));
  });
});
