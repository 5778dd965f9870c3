import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bundle, markConstants } from '../src/bundle.ts';
import { sideEffectProblems } from '../src/checks/side-effects.ts';
import type { Manifest } from '../src/workspace.ts';

const entry = (name: string) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });

const MANIFEST: Manifest = {
  name: '@varve/planted',
  version: '1.0.0',
  publishConfig: {
    exports: {
      '.': entry('index'),
      './node': entry('node/index'),
      './package.json': './package.json',
    },
    bin: { planted: './dist/cli.js' },
  },
};

const SOURCES = {
  'src/error.ts': 'export class PlantedError extends Error {}\n',
  'src/index.ts': `import { HEX } from './hex.ts';
import { PlantedError } from './error.ts';
export { PlantedError } from './error.ts';
/** Throws. */
export function fail(): never {
  throw new PlantedError(HEX.join('').slice(0, 4));
}
`,
  'src/hex.ts':
    'export const HEX: readonly string[] = Array.from({ length: 256 }, (_, at) => at.toString(16));\n',
  'src/node/index.ts': `import { tmpdir } from 'node:os';
import { PlantedError } from '../error.ts';
export const failHere = (): never => {
  throw new PlantedError(tmpdir());
};
`,
  'src/cli.ts': "#!/usr/bin/env node\nimport { fail } from './index.ts';\nfail();\n",
};

/** A folder with these files that is gone after the test. */
function plant(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'varve-bundle-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [file, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  return dir;
}

async function bundled(files: Readonly<Record<string, string>> = SOURCES): Promise<string> {
  const dir = plant(files);
  await bundle({ dir, manifest: MANIFEST });
  return dir;
}

describe('bundle', () => {
  test('keeps one identity of a class across entries', async () => {
    const dir = await bundled();
    const program = `import { PlantedError } from '${dir}/dist/index.js';
import { failHere } from '${dir}/dist/node/index.js';
try { failHere(); } catch (error) { console.log(error instanceof PlantedError); }`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('true\n');
  });

  test('puts what the agent loads at each start into its program, with the licences, and not into what is imported', async () => {
    const dir = plant({
      ...SOURCES,
      'src/index.ts':
        "import { parse } from 'yaml';\nexport const fail = () => parse('planted');\n",
      'node_modules/yaml/package.json':
        '{ "name": "yaml", "version": "2.0.0", "type": "module", "main": "./index.js" }',
      'node_modules/yaml/index.js': 'export const parse = (text) => console.log(text);\n',
      'node_modules/yaml/LICENSE': 'May be copied with this line.\n',
    });
    await bundle({ dir, manifest: { ...MANIFEST, name: '@varve/agent' } });
    const read = (file: string) => readFileSync(join(dir, 'dist', file), 'utf8');
    expect(read('index.js')).toContain('from "yaml"');
    expect(read('cli.js')).not.toMatch(/from "yaml"/);
    expect(read('LICENSES.txt')).toBe('yaml 2.0.0\n\nMay be copied with this line.\n');
    rmSync(join(dir, 'node_modules'), { recursive: true });
    const { stdout } = spawnSync(process.execPath, [join(dir, 'dist', 'cli.js')], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('planted\n');
  });

  test('writes a file per entry, removes what an earlier build wrote, leaves declarations alone', async () => {
    const dir = plant({
      ...SOURCES,
      'dist/old.js': '',
      'dist/chunks/old.js': '',
      'dist/old.d.ts': '',
    });
    await bundle({ dir, manifest: MANIFEST });
    const there = (file: string) => existsSync(join(dir, 'dist', file));
    expect(['index.js', 'node/index.js', 'cli.js', 'old.d.ts'].filter(there)).toHaveLength(4);
    expect(['old.js', 'chunks/old.js', 'hex.js', 'error.js'].filter(there)).toEqual([]);
    expect(readFileSync(join(dir, 'dist/cli.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test('maps a line of a bundle to its line in the sources', async () => {
    const dir = await bundled();
    const { stderr } = spawnSync(
      process.execPath,
      ['--enable-source-maps', join(dir, 'dist/cli.js')],
      { encoding: 'utf8' },
    );
    expect(stderr).toContain(`${join(dir, 'src/index.ts')}:6:`);
    expect(stderr).toContain('PlantedError: 0123');
  });
});

describe('side effects of published files', () => {
  test('are none, though constants are computed', async () => {
    const dir = await bundled();
    expect(await sideEffectProblems({ manifest: MANIFEST, dir })).toEqual([]);
  });

  test.each([
    ['a call for its own sake', 'globalThis.planted = 1;'],
    [
      'a loop that fills a constant',
      'export const M = new Map(); for (const a of [1]) M.set(a, a);',
    ],
    ['a static field', 'export class Counted { static at = performance.now(); }'],
  ])('are found in %s', async (_, statement) => {
    const dir = await bundled({
      ...SOURCES,
      'src/hex.ts': `${SOURCES['src/hex.ts']}${statement}\n`,
    });
    const [problem, ...others] = await sideEffectProblems({ manifest: MANIFEST, dir });
    expect(problem).toContain('@varve/planted: ./dist/index.js has side effects when it is loaded');
    expect(others).toEqual([]);
  });
});

describe('markConstants', () => {
  const marked = (init: string) => `/* @__PURE__ */ (() => (${init}))()`;

  test.each([
    'new Map([[1, 2]])',
    'Object.freeze({ a: 1 })',
    '[...OTHERS]',
    '{ ...OTHERS }',
    '{ a: [f()] }',
    '{ [KEY]: 1 }',
    `\`\${A}|b\``,
    'String.raw`\\d`',
    'OTHERS.length',
    '60 * SECOND',
    'f() as const',
    'Array.from(\n  [1],\n)',
  ])('marks `%s`', (init) => {
    expect(markConstants('a.ts', `export const A = ${init};`)).toBe(
      `export const A = ${marked(init)};`,
    );
    expect(markConstants('a.ts', `const A = 1, B = ${init};`)).toBe(
      `const A = 1, B = ${marked(init)};`,
    );
  });

  test.each([
    "'a'",
    '/a/u',
    '`a`',
    '-1',
    '24 * 60 * 60',
    'OTHER',
    '(a) => f(a)',
    '{ a: [1, { b: -1 }], c() {}, d: OTHER }',
    "['a', 'b'] as const satisfies readonly string[]",
  ])('leaves `%s`', (init) => {
    const code = `export const A = ${init};`;
    expect(markConstants('a.ts', code)).toBe(code);
  });

  test('leaves what is within functions and classes', () => {
    const code = 'function a() { const b = f(); return b; }\nexport class C { d = f(); }\n';
    expect(markConstants('a.ts', code)).toBe(code);
  });
});
