import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runCommand } from '../run-command.ts';
import { publicPackages, type WorkspacePackage } from '../workspace.ts';
import type { Check } from './check.ts';
import { importsOf } from './layers.ts';

/** `api.d.ts` of every package is what its entries export today: a change of the surface shows as a diff. */
export const apiReportCheck: Check = {
  name: 'API reports',
  run: () => apiProblems(),
};

export async function apiProblems(): Promise<string[]> {
  return publicPackages().flatMap((pack) => {
    const path = join(pack.dir, 'api.d.ts');
    const committed = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return committed === report(pack) ? [] : [`${pack.path}/api.d.ts is stale: run \`pnpm api\``];
  });
}

export async function writeApiReports(): Promise<void> {
  const { code, output } = await runCommand('tsc', ['-b']);
  if (code !== 0) throw new Error(`the build failed, so there is nothing to report:\n${output}`);
  for (const pack of publicPackages()) writeFileSync(join(pack.dir, 'api.d.ts'), report(pack));
}

function report(pack: WorkspacePackage): string {
  const dist = join(pack.dir, 'dist');
  const entries = Object.values(pack.manifest.exports ?? {})
    .map(String)
    .filter((target) => target.endsWith('.ts'))
    .map((target) => join(dist, relative('src', target.replace(/\.ts$/, '.d.ts'))));
  const files = reachable(entries).map((file) => ({ file, text: declarations(file) }));
  return files.map(({ file, text }) => `// ${relative(dist, file)}\n${text}`).join('\n');
}

function reachable(entries: readonly string[]): string[] {
  const seen = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file) || !existsSync(file)) continue;
    seen.add(file);
    const from = dirname(file);
    const next = importsOf(readFileSync(file, 'utf8')).filter((specifier) =>
      specifier.startsWith('.'),
    );
    waiting.push(...next.map((specifier) => join(from, specifier.replace(/\.(ts|js)$/, '.d.ts'))));
  }
  return [...seen].sort();
}

function declarations(file: string): string {
  return readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
}
