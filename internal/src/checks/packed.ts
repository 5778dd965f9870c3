import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundleAll, isBundled } from '../bundle.ts';
import { onAllCores, runCommand } from '../run-command.ts';
import { type Manifest, publicPackages, root, type WorkspacePackage } from '../workspace.ts';
import type { Check } from './check.ts';
import { lintProblems } from './packed-lint.ts';
import { packedProblems } from './packed-package.ts';
import { readPublished } from './published-subpaths.ts';
import { sideEffectProblems } from './side-effects.ts';

/** Bundles and packs every public package, checks the tarballs, then compiles against and runs what a consumer would install. */
export const packedCheck: Check = {
  name: 'published packages',
  async run() {
    const dir = mkdtempSync(join(tmpdir(), 'varve-packed-'));
    try {
      const packs = publicPackages();
      await bundleAll();
      const packed = await packAll(packs, dir);
      if (packed.code !== 0) return [`pnpm pack failed: ${packed.output}`];
      const problems = (await onAllCores(packs, (pack) => lint(pack, dir))).flat();
      return problems.length > 0 ? problems : await consumerProblems(packs, dir);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

/** In one call: starting pnpm takes longer than packing a package. */
function packAll(packs: readonly WorkspacePackage[], dir: string) {
  const filters = packs.flatMap(({ path }) => ['--filter', `./${path}`]);
  const pack = ['pack', '--pack-destination', dir];
  return runCommand('npx', ['-y', 'pnpm@12', '--recursive', ...filters, ...pack]);
}

/** Unpacks a tarball where a consumer would find it and checks it. */
async function lint(pack: WorkspacePackage, dir: string): Promise<string[]> {
  const { name, version } = pack.manifest;
  const tarball = join(dir, `${name.slice(1).replace('/', '-')}-${version}.tgz`);
  const installed = join(dir, 'node_modules', pack.manifest.name);
  mkdirSync(installed, { recursive: true });
  await runCommand('tar', ['xzf', tarball, '--strip-components=1', '-C', installed]);
  const found = await lintProblems(new Uint8Array(readFileSync(tarball)));
  const pinned = readPublished(name);
  return [
    ...found.map((problem) => `${pack.path}: ${problem}`),
    ...packedProblems({ manifest: pack.manifest, dir: installed, pinned }),
    ...(isBundled(pack) ? await sideEffectProblems({ ...pack, dir: installed }) : []),
  ];
}

async function consumerProblems(
  packs: readonly WorkspacePackage[],
  dir: string,
): Promise<string[]> {
  for (const pack of packs) linkDependencies(pack, dir);
  const entries = packs.flatMap((pack) => entriesOf(pack, dir));
  const lines = entries.map((entry, index) => `import * as entry${index} from '${entry}';`);
  const uses = entries.map((_, index) => `Object.keys(entry${index}).length`).join(' + ');
  writeFileSync(join(dir, 'package.json'), '{ "private": true, "type": "module" }');
  writeFileSync(
    join(dir, 'use.ts'),
    `${lines.join('\n')}\nexport const total: number = ${uses};\nconsole.log(total);\n`,
  );
  const options =
    '--strict --noEmit --skipLibCheck false --module nodenext --target es2023 --lib es2023,webworker --types node';
  const compiled = await runCommand('tsc', [...options.split(' '), 'use.ts'], { cwd: dir });
  if (compiled.code !== 0) return [`a consumer does not compile: ${compiled.output}`];
  const ran = await runCommand('node', ['use.ts'], { cwd: dir });
  return ran.code === 0 && Number(ran.stdout) > 0 ? [] : [`a consumer does not run: ${ran.output}`];
}

/** Third-party dependencies come from the workspace's own install, so that this check needs no network. */
function linkDependencies(pack: WorkspacePackage, dir: string): void {
  const { dependencies, peerDependencies } = pack.manifest;
  const names = [...Object.keys({ ...dependencies, ...peerDependencies }), '@types/node'];
  for (const name of names.filter((each) => !each.startsWith('@varve/'))) {
    const target = join(dir, 'node_modules', name);
    const source = [pack.dir, root]
      .map((base) => join(base, 'node_modules', name))
      .find(existsSync);
    if (source === undefined || existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(source, target);
  }
}

function entriesOf(pack: WorkspacePackage, dir: string): string[] {
  const path = join(dir, 'node_modules', pack.manifest.name, 'package.json');
  const packed = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  return Object.keys(packed.exports ?? {})
    .filter((key) => !key.endsWith('.json'))
    .map((key) => join(pack.manifest.name, key));
}
