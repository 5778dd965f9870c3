import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { type Node, nodeAt, nodesAt, parseSource } from './syntax.ts';
import { type Manifest, publicPackages } from './workspace.ts';

/** Whether a package is published as bundles; the evals are a program that finds files of its own beside its modules. */
export const isBundled = ({ path }: { readonly path: string }): boolean =>
  path.startsWith('packages/') || path.startsWith('apps/');

/** Bundles every package into its `dist`, beside the declarations that tsc wrote. */
export async function bundleAll(): Promise<void> {
  for (const pack of publicPackages().filter(isBundled)) await bundle(pack);
}

/**
 * Writes the JavaScript of a package as it is published into a folder: a file per entry, and files in `chunks` for what
 * several entries share, so that a class is one class whichever entry it came from. A module for each source file takes a
 * process most of its start: Node needs about half a millisecond to find and link one.
 */
export async function bundle(
  { dir, manifest }: { readonly dir: string; readonly manifest: Manifest },
  to: string = join(dir, 'dist'),
): Promise<void> {
  removeJavaScript(to);
  const { exports = {}, bin = {} } = manifest.publishConfig ?? {};
  const [entries, programs] = [entriesOf(exports), entriesOf(bin)];
  const inlined = INLINED[manifest.name];
  if (inlined === undefined) return write([...entries, ...programs], { dir, to });
  await write(entries, { dir, to });
  await write(programs, { dir, to, inlined });
}

/**
 * What a program holds in its own files beside the packages of the workspace: they are hundreds of modules, which each start
 * would find and link. Its package depends on them all the same, for those who import it.
 */
const INLINED: Readonly<Record<string, readonly string[]>> = {
  '@varve/agent': ['commander', 'ignore', 'yaml', 'zod'],
};

interface WriteOptions {
  readonly dir: string;
  readonly to: string;
  readonly inlined?: readonly string[];
}

async function write(names: readonly string[], { dir, to, inlined }: WriteOptions): Promise<void> {
  const isExternal = (id: string): boolean =>
    !id.startsWith('.') &&
    !isAbsolute(id) &&
    !(inlined !== undefined && (id.startsWith('@varve/') || inlined.includes(id)));
  const build = await rolldown({
    cwd: dir,
    input: Object.fromEntries(names.map((name) => [name, join(dir, 'src', `${name}.ts`)])),
    platform: 'neutral',
    external: isExternal,
    plugins: [pureConstants],
  });
  try {
    const { output } = await build.write({
      dir: to,
      chunkFileNames: `${inlined === undefined ? 'chunks' : 'program'}/[name].js`,
      // One file of what most entries need, where it would be a small one for each set of entries.
      codeSplitting: { groups: [{ name: 'shared', minShareCount: 3 }] },
      comments: { legal: true, annotation: true, jsdoc: false },
      // The sources are in the tarball, but for those of other packages.
      sourcemap: inlined === undefined,
      sourcemapExcludeSources: true,
    });
    const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    if (inlined !== undefined) writeFileSync(join(to, 'LICENSES.txt'), licencesOf(modules));
  } finally {
    await build.close();
  }
}

/** The licences of the packages that modules came from, which ask to stand beside every copy. */
function licencesOf(modules: readonly string[]): string {
  const folders = modules.flatMap(
    (file) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [],
  );
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name} has no file with its licence.`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** The files that a package publishes as entries, without folder and ending: `index`, `node/index`. */
const entriesOf = (published: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.values(published)
    .map((entry) => String((entry as { default?: string }).default ?? entry))
    .filter((file) => file.endsWith('.js'))
    .map((file) => relative('dist', file).replace(/\.js$/, ''));

/** Of a build before. */
function removeJavaScript(dist: string): void {
  if (!existsSync(dist)) return;
  for (const folder of ['chunks', 'program'])
    rmSync(join(dist, folder), { recursive: true, force: true });
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((each) => /\.js(?:\.map)?$/.test(each))) rmSync(join(dist, file));
}

/**
 * Marks what a module computes for its constants as free of side effects, as `sideEffects: false` says of the modules: a
 * bundler that takes one function of a file leaves out the constants of others.
 */
const pureConstants: Plugin = {
  name: 'pure-constants',
  transform: {
    filter: { id: /\.ts$/ },
    handler: (code, id) => ({ code: markConstants(id, code), map: null }),
  },
};

export function markConstants(file: string, code: string): string {
  const statements = nodesAt(parseSource(file, code), 'body').map((statement) =>
    statement.type === 'ExportNamedDeclaration' ? nodeAt(statement, 'declaration') : statement,
  );
  return statements
    .flatMap((statement) => nodesAt(statement, 'declarations'))
    .flatMap((declarator) => nodeAt(declarator, 'init') ?? [])
    .filter((init) => !isFree(init))
    .reduceRight((text, { start, end }) => {
      const marked = `/* @__PURE__ */ (() => (${text.slice(start, end)}))()`;
      return text.slice(0, start) + marked + text.slice(end);
    }, code);
}

/** Whether a bundler sees by itself that an expression does nothing but make a value. */
function isFree(node: Node): boolean {
  switch (node.type) {
    case 'Literal':
    case 'Identifier':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return true;
    case 'TemplateLiteral':
      return nodesAt(node, 'expressions').length === 0;
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return isFree(nodeAt(node, 'expression') ?? node);
    case 'UnaryExpression':
      return nodeAt(node, 'argument')?.type === 'Literal';
    case 'BinaryExpression':
      return ['left', 'right'].map((side) => nodeAt(node, side)).every(isSum);
    case 'ArrayExpression':
      return nodesAt(node, 'elements').every(isFree);
    case 'ObjectExpression':
      return nodesAt(node, 'properties').every(
        (property) =>
          property.type === 'Property' &&
          property.computed === false &&
          isFree(nodeAt(property, 'value') ?? property),
      );
    default:
      return false;
  }
}

/** A number, or numbers that are added, multiplied, … */
const isSum = (node: Node | undefined): boolean =>
  node?.type === 'Literal' || (node?.type === 'BinaryExpression' && isFree(node));
