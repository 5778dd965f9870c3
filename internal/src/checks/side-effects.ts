import { isAbsolute, join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import type { Manifest } from '../workspace.ts';

/**
 * What a bundler keeps of the published files of a package although nothing of them is used: statements that may do
 * something when they are loaded. Whoever takes one function of a file would carry them along.
 */
export async function sideEffectProblems({
  manifest,
  dir,
}: {
  readonly manifest: Manifest;
  /** The folder that the tarball unpacks to. */
  readonly dir: string;
}): Promise<string[]> {
  const entries = Object.values(manifest.publishConfig?.exports ?? {})
    .map((entry) => (entry as { default?: string }).default)
    .filter((file) => file !== undefined);
  const kept = await Promise.all(entries.map((file) => keptOf(join(dir, file))));
  return entries.flatMap((file, at) =>
    kept[at] === ''
      ? []
      : [`${manifest.name}: ${file} has side effects when it is loaded:\n${kept[at]}`],
  );
}

async function keptOf(file: string): Promise<string> {
  const consumer: Plugin = {
    name: 'consumer',
    // what is loaded later does nothing when this is loaded
    resolveId: (id, _importer, { kind }) =>
      id === CONSUMER ? id : kind === 'dynamic-import' ? { id, external: true } : null,
    load: (id) => (id === CONSUMER ? `import ${JSON.stringify(file)};` : null),
    // Whatever the manifest says: it is what is to be found out.
    transform: (code) => ({ code, moduleSideEffects: true }),
  };
  const build = await rolldown({
    input: CONSUMER,
    platform: 'neutral',
    external: (id) => id !== CONSUMER && !id.startsWith('.') && !isAbsolute(id),
    plugins: [consumer],
  });
  try {
    const { output } = await build.generate({ codeSplitting: false, comments: false });
    return output[0].code.replace(/^import [^;]*;\n/gm, '').trim();
  } finally {
    await build.close();
  }
}

const CONSUMER = 'consumer';
