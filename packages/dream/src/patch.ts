import { checkOptions, expected, isRecord } from '@varve/guards';
import { type FileChange, type Memdir, MemdirError } from '@varve/memdir';
import { hashOf, linkKey, parseText, relink, withoutSecrets } from '@varve/memdir/files';

/** What a dream would do, as data: it can be stored, shown, and applied as a whole or in part. */
export interface DreamPatch {
  /** When it was made, ISO 8601. */
  readonly at: string;
  readonly steps: readonly DreamStep[];
}

const STEP_KINDS = ['mask', 'fold', 'merge', 'rewrite', 'retype', 'archive'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** One change of one or several files: all of it happens, or nothing. */
export interface DreamStep {
  readonly id: string;
  readonly kind: StepKind;
  readonly reason: string;
  /** What the change rests on. */
  readonly quotes: readonly SourcedQuote[];
  readonly files: readonly StepFile[];
  /** Why it is for a person to decide; such a step is applied only where it is named. */
  readonly waits?: WaitReason | undefined;
  /** Where it waits. */
  readonly waitsAt?: string | undefined;
}

/** `over-limit`: more files or statements would go than a run may remove; `not-proven`: no rule shows that it is out of date. */
export type WaitReason = 'over-limit' | 'not-proven';

export interface SourcedQuote {
  /** A path of memory, the id of a session, or `repository`. */
  readonly source: string;
  readonly quote: string;
}

export interface StepFile {
  readonly path: string;
  /** The hash of what it was, which is what a step applies to; undefined: there was none. */
  readonly basis: string | undefined;
  /** What it was, without its secrets. */
  readonly before: string | undefined;
  /** What it is to be; undefined: it goes to the archive. */
  readonly after: string | undefined;
  /** Of a file that goes: the one that says the same. */
  readonly successor?: string | undefined;
}

/** A file of a step, of its texts. */
export const stepFile = (
  path: string,
  before: string | undefined,
  after: string | undefined,
  successor?: string,
): StepFile => ({
  ...{ path, basis: hashIfAny(before), after },
  before: before === undefined ? undefined : withoutSecrets(before),
  ...(successor === undefined ? {} : { successor }),
});

/** A step without the secrets of what it quotes: it is told, stored and shown. */
export const safeStep = (step: DreamStep): DreamStep => ({
  ...step,
  reason: withoutSecrets(step.reason),
  quotes: step.quotes.map(({ source, quote }) => ({ source, quote: withoutSecrets(quote) })),
});

/** Holds what `apply` is given to what it has to be; each throws a TypeError. */
export function checkApply(patch: DreamPatch, options: ApplyOptions): void {
  const isPatch =
    isRecord(patch) && Array.isArray(patch.steps) && patch.steps.every((step) => isStep(step));
  if (!isPatch) throw expected('patch', A_PATCH, patch);
  checkOptions<ApplyOptions>(options, { only: 'a list of texts', signal: 'an AbortSignal' });
  const ids = patch.steps.map(({ id }) => id);
  const unknown = options.only?.find((id) => !ids.includes(id));
  if (unknown === undefined) return;
  const named = ids.map((id) => `'${id}'`).join(', ') || 'none, for the patch has no steps';
  throw expected('only', { what: `ids of steps of the patch (${named})`, quotes: true }, unknown);
}

const A_PATCH = {
  what: 'a patch of a dream, `{ at, steps }`, as a result or `waiting()` gives it',
};

function isStep(value: unknown): value is DreamStep {
  if (!isRecord(value)) return false;
  const { id, kind, reason, quotes, files } = value;
  const isQuote = (each: unknown): boolean =>
    isRecord(each) && typeof each.source === 'string' && typeof each.quote === 'string';
  return (
    [id, reason].every((each) => typeof each === 'string') &&
    STEP_KINDS.some((known) => known === kind) &&
    Array.isArray(quotes) &&
    quotes.every(isQuote) &&
    Array.isArray(files) &&
    files.every(isStepFile)
  );
}

function isStepFile(value: unknown): value is StepFile {
  if (!isRecord(value)) return false;
  const { path, basis, before, after, successor } = value;
  const isTextIfAny = (each: unknown): boolean => each === undefined || typeof each === 'string';
  // Without its hash nobody would see that a file has changed since.
  const isBased = (basis === undefined) === (before === undefined);
  return (
    typeof path === 'string' && isBased && [basis, before, after, successor].every(isTextIfAny)
  );
}

/** A step that was not applied. */
export interface SkippedStep {
  readonly id: string;
  /** `changed-meanwhile`: a file is not what the dream read; `waits`: nobody has decided about it; `refused`: memory did not take it, see `message`. */
  readonly reason: 'changed-meanwhile' | 'waits' | 'refused';
  readonly paths: readonly string[];
  readonly message?: string | undefined;
}

export interface ApplyOptions {
  /** Ids of steps; those that wait are applied only if they stand here. @default all that do not wait */
  readonly only?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type ApplyResult =
  | {
      readonly kind: 'applied';
      /** Of the change, for `undo`. */
      readonly id: string;
      /** Ids of the steps that took effect. */
      readonly steps: readonly string[];
      readonly skipped: readonly SkippedStep[];
      /** Paths whose bytes changed, links that were repaired among them, indexes not. */
      readonly paths: readonly string[];
      /** Indexes whose lines changed. */
      readonly indexes: readonly string[];
    }
  | { readonly kind: 'unchanged'; readonly skipped: readonly SkippedStep[] };

/** Between reading and writing a hand may change a file. */
const MOST_ATTEMPTS = 4;

/**
 * Applies a patch as one change: each step on exactly the bytes that the dream read, or not at all. Links to files that went lead to
 * what took their place; indexes follow. With it go files for the inbox, where they can be written.
 */
export async function applyPatch(
  memory: Memdir,
  patch: DreamPatch,
  { only, signal }: ApplyOptions = {},
  waiting: readonly FileChange[] = [],
): Promise<ApplyResult> {
  const refused = new Map<string, SkippedStep>();
  let extras = waiting;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const steps = patch.steps.filter(({ id }) => !refused.has(id));
    const plan = await planSteps(memory, steps, { only, signal });
    const skipped = [...plan.skipped, ...refused.values()];
    const result = await memory.change([...plan.files, ...extras], {
      reason: wordsOf(plan.steps),
      signal,
    });
    if (result.kind === 'unchanged') return { kind: 'unchanged', skipped };
    if (result.kind === 'changed') {
      const ids = plan.steps.map(({ id }) => id);
      const paths = plan.files.map(({ path }) => path);
      const { id, indexes } = result;
      return { kind: 'applied', id, steps: ids, skipped, paths, indexes };
    }
    if (result.kind === 'conflict' && attempt < MOST_ATTEMPTS) continue;
    const paths = result.kind === 'conflict' ? result.paths : [result.path];
    const message = result.kind === 'conflict' ? undefined : result.message;
    const isInvolved = ({ path }: { readonly path: string }): boolean => paths.includes(path);
    const left = extras.filter((each) => !isInvolved(each));
    const involved = plan.steps.filter(({ files }) => files.some(isInvolved));
    if (left.length === extras.length && plan.steps.length === 0)
      throw new MemdirError('changed-meanwhile', 'The memory folder changes too often: try again.');
    // What no step touches is a link that was repaired: without the steps it is not.
    const dropped = left.length < extras.length || involved.length > 0 ? involved : plan.steps;
    const reason = result.kind === 'conflict' ? 'changed-meanwhile' : 'refused';
    for (const { id } of dropped) refused.set(id, { id, reason, paths, message });
    extras = left;
  }
}

const pathOf = ({ path }: { readonly path: string }): string => path;

const wordsOf = (steps: readonly DreamStep[]): string =>
  `dream: ${[...new Set(steps.map(({ kind }) => kind))].join(', ') || 'index'}`;

interface StepPlan {
  readonly files: readonly FileChange[];
  /** Those that apply. */
  readonly steps: readonly DreamStep[];
  readonly skipped: readonly SkippedStep[];
}

/** Which steps apply to what stands in the folder now, and what they make of it. What counts and what lists steps asks this. */
export async function planSteps(
  memory: Memdir,
  steps: readonly DreamStep[],
  { only, signal }: ApplyOptions,
): Promise<StepPlan> {
  const isWanted = ({ id, waits }: DreamStep): boolean =>
    only === undefined ? waits === undefined : only.includes(id);
  const wanted = steps.filter(isWanted);
  const original = new Map<string, string | undefined>();
  for (const path of new Set(wanted.flatMap(({ files }) => files.map((file) => file.path))))
    original.set(path, await readText(memory, path, signal));
  const texts = new Map(original);
  const applied: DreamStep[] = [];
  const skipped: SkippedStep[] = steps
    .filter((step) => only === undefined && !isWanted(step))
    .map(({ id, files }) => ({ id, reason: 'waits', paths: files.map(({ path }) => path) }));
  for (const step of wanted) {
    const changed = step.files.filter(({ path, basis }) => hashIfAny(texts.get(path)) !== basis);
    if (changed.length > 0) {
      const paths = changed.map(pathOf);
      skipped.push({ id: step.id, reason: 'changed-meanwhile', paths });
      continue;
    }
    for (const { path, after } of step.files) texts.set(path, after);
    applied.push(step);
  }
  if (applied.length > 0) await repairLinks(memory, { applied, original, texts, signal });
  const files = [...texts].flatMap(([path, text]): FileChange[] => {
    const before = original.get(path);
    if (text === before) return [];
    const own = applied.filter((step) => step.files.some((file) => file.path === path));
    return [
      {
        path,
        basis: before === undefined ? undefined : hashOf(before),
        text,
        successor: lastSuccessor(applied, path),
        reason: own.map(({ kind, reason }) => `${kind}: ${reason}`).join('; ') || 'links repaired',
        quote:
          own.flatMap(({ quotes }) => quotes.map(({ quote }) => quote)).join(' … ') || undefined,
      },
    ];
  });
  const waiting = applied.flatMap(({ waitsAt }) => waitsAt ?? []);
  for (const path of new Set(waiting)) {
    const text = await readText(memory, path, signal);
    if (text !== undefined) files.push({ path, basis: hashOf(text), text: undefined });
  }
  return { files, steps: applied, skipped };
}

export const hashIfAny = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : hashOf(text);

async function readText(
  memory: Memdir,
  path: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const found = await memory.folder.read(path, { signal });
  return found?.isText === false ? '\0' : found?.text;
}

/** Through all files that took the place of one another. */
function lastSuccessor(steps: readonly DreamStep[], path: string): string | undefined {
  let last: string | undefined;
  for (const { files } of steps) {
    const next = files.find((file) => file.path === (last ?? path) && file.after === undefined);
    last = next?.successor ?? last;
  }
  return last;
}

interface Repair {
  readonly applied: readonly DreamStep[];
  readonly original: Map<string, string | undefined>;
  readonly texts: Map<string, string | undefined>;
  readonly signal: AbortSignal | undefined;
}

/** Links to a file that went, or whose name changed, get the name of what took its place. Pinned files keep theirs. */
async function repairLinks(memory: Memdir, { applied, original, texts, signal }: Repair) {
  const targets = new Map<string, { readonly name: string; readonly base: string }>();
  for (const [path, before] of original) {
    if (before === undefined) continue;
    const heir = texts.get(path) === undefined ? lastSuccessor(applied, path) : path;
    const text =
      heir === undefined ? undefined : (texts.get(heir) ?? (await readText(memory, heir, signal)));
    if (heir === undefined || text === undefined) continue;
    const next = { name: parseText(text).header.name ?? baseOf(heir), base: baseOf(heir) };
    const old = parseText(before).header.name;
    if (old !== undefined && old !== next.name) targets.set(`name ${linkKey(old)}`, next);
    if (heir !== path) targets.set(`file ${linkKey(baseOf(path))}`, next);
  }
  if (targets.size === 0) return;
  const { files } = await memory.scan({ maxFiles: 1_000_000, signal });
  const paths = [...new Set([...files.map(({ path }) => path), ...texts.keys()])];
  const others = files.filter(({ path }) => texts.get(path) !== undefined || !texts.has(path));
  const stillNamed = new Set(
    others.filter(({ path }) => !texts.has(path)).map(({ name }) => linkKey(name)),
  );
  for (const path of paths) {
    const text = texts.has(path) ? texts.get(path) : await readText(memory, path, signal);
    if (text === undefined || !/\.md$/i.test(path) || path.startsWith('.')) continue;
    const next = relink(text, (target) => {
      const key = linkKey(target);
      const byFile = targets.get(`file ${key}`);
      if (byFile !== undefined) return byFile.base;
      return stillNamed.has(key) ? undefined : targets.get(`name ${key}`)?.name;
    });
    if (next === text || parseText(text).header.pinned === true) continue;
    if (!original.has(path)) original.set(path, text);
    texts.set(path, next);
  }
}

const baseOf = (path: string): string =>
  path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
