import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packedProblems } from '../src/checks/packed-package.ts';
import type { Manifest } from '../src/workspace.ts';

const entry = (name: string) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });

/** A package without a fault. */
const SOUND: Planted = {
  manifest: {
    name: '@varve/sound',
    version: '1.0.0',
    exports: { '.': './src/index.ts', './node': './src/node.ts' },
    publishConfig: { exports: { '.': entry('index'), './node': entry('node') } },
    dependencies: { zod: '^4.0.0' },
    peerDependencies: { openai: '^7.0.0' },
    devDependencies: { 'fast-check': '^4.0.0' },
  },
  files: {
    'README.md':
      '# Sound\n\n[The source](./src/index.ts), `src/node.ts`, [docs](https://example.org/a.md), [above](#sound).\n\n```ts\nimport x from "./src/other.ts"; // `src/other.ts`\n```\n',
    'src/index.ts': 'export {};\n',
    'src/node.ts': 'export {};\n',
    'dist/index.js':
      "import { z } from 'zod';\nimport { readFile } from 'node:fs';\nexport * from './node.js';\nexport const a = () => import('openai/core');\n",
    'dist/node.js': "import { self } from '@varve/sound';\n",
  },
  pinned: ['.', './node'],
};

interface Planted {
  readonly manifest: Manifest;
  readonly files: Readonly<Record<string, string>>;
  readonly pinned: readonly string[];
}

/** What is found in a package that differs from the sound one. */
function problemsOf(change: Partial<Planted>): readonly string[] {
  const { manifest, files, pinned } = { ...SOUND, ...change };
  const dir = mkdtempSync(join(tmpdir(), 'varve-packed-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const packed = { ...manifest, ...manifest.publishConfig };
  const all = { 'package.json': JSON.stringify(packed), ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  return packedProblems({ manifest, dir, pinned });
}

const withManifest = (change: Partial<Manifest>): Partial<Planted> => ({
  manifest: { ...SOUND.manifest, ...change },
});
const withFile = (file: string, text: string): Partial<Planted> => ({
  files: { ...SOUND.files, [file]: text },
});

describe('a packed package', () => {
  test('without a fault passes', () => {
    expect(problemsOf({})).toEqual([]);
  });

  test.each<[string, Partial<Planted>, readonly string[]]>([
    [
      'a subpath that only the workspace has',
      withManifest({ exports: { ...SOUND.manifest.exports, './extra': './src/extra.ts' } }),
      ['`./extra` is in exports, not in publishConfig.exports'],
    ],
    [
      'a subpath that only the tarball has',
      withManifest({ exports: { '.': './src/index.ts' } }),
      ['`./node` is in publishConfig.exports, not in exports'],
    ],
    [
      'a published subpath that got lost',
      withManifest({
        exports: { '.': './src/index.ts' },
        publishConfig: { exports: { '.': entry('index') } },
      }),
      ['`./node` was published and is lost; internal/published-subpaths.json has it'],
    ],
    [
      'a command that got lost',
      { pinned: [...SOUND.pinned, 'bin sound'] },
      ['`bin sound` was published and is lost; internal/published-subpaths.json has it'],
    ],
    [
      'a new subpath that nobody wrote down',
      { pinned: ['.'] },
      ['`./node` is published and not stored: run `pnpm api`'],
    ],
    [
      'an import of a development dependency',
      withFile('dist/node.js', "import fc from 'fast-check';\n"),
      ['dist/node.js loads fast-check, which is no dependency of the published package'],
    ],
    [
      'an import of a development dependency, when it is called',
      withFile('dist/deep/late.js', "export const late = () => import('fast-check/lib');\n"),
      ['dist/deep/late.js loads fast-check, which is no dependency of the published package'],
    ],
    [
      'an import of what nobody declares',
      withFile('dist/node.js', "export { x } from '@scope/thing/deep';\n"),
      ['dist/node.js loads @scope/thing, which is no dependency of the published package'],
    ],
    [
      'a link to a file that is not packed',
      withFile('README.md', 'See [the example](examples/agent.ts#L3).\n'),
      ['README.md names examples/agent.ts, which is not in the tarball'],
    ],
    [
      'a link that leaves the package',
      withFile('README.md', 'See [the other](../other).\n'),
      ['README.md names ../other, which is not in the tarball'],
    ],
    [
      'the name of a file that is not packed',
      withFile('README.md', '`test/gate.test.ts` calls it.\n'),
      ['README.md names test/gate.test.ts, which is not in the tarball'],
    ],
  ])('with %s fails', (_, change, expected) => {
    expect(problemsOf(change)).toEqual(expected.map((each) => `@varve/sound: ${each}`));
  });
});
