import {
  createMemdir,
  type FileChange,
  inMemoryFolder,
  type Memdir,
  type MemoryType,
} from '@varve/memdir';
import { statementsOf } from '@varve/memdir/evidence';
import { formatText, isOfTeam, MEMORY_TYPES, parseText } from '@varve/memdir/files';
import { checkMade, checkTaken, type Refusal, refusal } from './checks/check-change.ts';
import { createClaims } from './checks/claims.ts';
import { identicalFiles } from './fold.ts';
import {
  type DreamStep,
  hashIfAny,
  type SourcedQuote,
  type StepFile,
  type StepKind,
  safeStep,
  stepFile,
  type WaitReason,
} from './patch.ts';
import { changeKey, type Snapshot, type SnapshotFile } from './snapshot.ts';
import type { FoundQuote, InstructionFile, Sources } from './sources.ts';
import type { Spent } from './state.ts';

/** What a child proposes. */
export interface Proposal {
  readonly kind: Exclude<StepKind, 'mask' | 'fold'>;
  readonly reason: string;
  /** What is written; undefined: nothing. */
  readonly target: Target | undefined;
  /** Files that go. */
  readonly goes: readonly string[];
  readonly quotes: readonly SourcedQuote[];
  /** Statements that are out of date, each with what was said since. */
  readonly removes: readonly Removal[];
}

export interface Target {
  readonly path: string;
  /** @default those of the file that is there */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: string | undefined;
  readonly body?: string | undefined;
}

export interface Removal {
  /** Of the statement that goes. */
  readonly quote: string;
  readonly why: RemovalReason;
  /** What was said since, the memory that says the same, or where an assistant said it. */
  readonly by: SourcedQuote;
}

export const REMOVAL_REASONS = [
  ...(['out-of-date', 'said-elsewhere', 'not-from-the-user', 'no-memory'] as const),
] as const;
export type RemovalReason = (typeof REMOVAL_REASONS)[number];

export type Proposed =
  | {
      readonly kind: 'taken';
      readonly step: DreamStep;
      readonly waits: WaitReason | undefined;
      /** Statements for which it waits, where others of the same call could go. */
      readonly unproven: readonly string[];
    }
  | Refusal;

/** A copy of the folder that a dream works on. What is proposed is checked at once, and what passes is a step of the patch. */
export interface Draft {
  /** The files as they are after the steps so far. */
  files(): ReadonlyMap<string, string>;
  propose(proposal: Proposal): Promise<Proposed>;
  steps(): readonly DreamStep[];
  /** Files whose secrets could not be masked. */
  secrets(): readonly LeftSecret[];
  room(): Room;
  /** What was removed today, with what this run removes. */
  spent(): Spent;
}

/** A file that holds a secret and stays as it is, and why: a person has to take it out. */
export interface LeftSecret {
  readonly path: string;
  readonly why: string;
}

/** How much of what the runs of a day may remove is used: what goes with nothing in its place. */
export interface Room {
  readonly files: number;
  readonly maxFiles: number;
  readonly statements: number;
  readonly maxStatements: number;
}

export interface DraftInput {
  readonly memory: Pick<Memdir, 'isShared'>;
  readonly snapshot: Snapshot;
  readonly instructions?: readonly InstructionFile[] | undefined;
  readonly sources: Sources;
  readonly nowMs: number;
  /** Of files, and of statements, that a run may remove. */
  readonly mostRemoved: number;
}

export async function createDraft(input: DraftInput): Promise<Draft> {
  const { snapshot, instructions = [], sources, nowMs, mostRemoved } = input;
  const clone = createMemdir({
    folder: inMemoryFolder(snapshot.texts),
    isShared: input.memory.isShared,
    now: () => nowMs,
  });
  const texts = new Map<string, string>();
  for (const [path, { text }] of snapshot.files)
    if (snapshot.texts[path] !== undefined) texts.set(path, text);
  const claims = createClaims();
  const steps: DreamStep[] = [];
  const spent = snapshot.spent;
  const sinceMs = spent?.sinceMs ?? 0;
  const isToday = spent !== undefined && nowMs >= sinceMs && nowMs - sinceMs < DAY_MS;
  const earlier = isToday ? spent : { sinceMs: nowMs, files: 0, statements: 0 };
  const used = { files: earlier.files, statements: earlier.statements };
  const said = [...texts.values()].flatMap((text) => statementsOf(parseText(text).body));
  const limit = (count: number): number => Math.floor(mostRemoved * count);
  const room = (): Room => ({
    ...used,
    maxFiles: limit(snapshot.files.size + earlier.files),
    maxStatements: limit(said.length + earlier.statements),
  });

  /** On the copy; undone there at once where the step waits. */
  async function enact(step: DreamStep): Promise<Refusal | undefined> {
    const changes = step.files.map(
      ({ path, basis, after, successor }): FileChange => ({ path, basis, text: after, successor }),
    );
    const keys = step.files.map(({ path, basis, after }) =>
      changeKey(path, basis ?? null, hashIfAny(after) ?? null),
    );
    if (keys.some((key) => snapshot.takenBack.has(key)))
      return refusal('taken-back', 'This was done once and taken back: it stays as it is.');
    const result = await clone.change(changes, { reason: step.reason });
    if (result.kind === 'refused') return refusal(result.reason, result.message);
    if (result.kind !== 'changed') return refusal('no-change', 'This would change nothing.');
    if (step.waits !== undefined) await clone.undo({ id: result.id });
    else
      for (const { path, after } of step.files)
        if (after === undefined) texts.delete(path);
        else texts.set(path, after);
    return undefined;
  }

  for (const { stays, goes } of identicalFiles(snapshot)) {
    const step: DreamStep = {
      ...{ id: String(steps.length + 1), kind: 'fold', quotes: [], files: goes },
      reason: `says what ${stays.path} says`,
    };
    if ((await enact(step)) === undefined) steps.push(step);
  }

  const secrets: LeftSecret[] = [];
  const isFolded = new Set(steps.flatMap(({ files }) => files.map(({ path }) => path)));
  for (const [path, { text, isProtected }] of snapshot.files) {
    const after = await sources.hide(text);
    if (after === text || isFolded.has(path)) continue;
    if (isProtected !== undefined) {
      secrets.push({ path, why: isProtected });
      continue;
    }
    const step: DreamStep = {
      ...{ id: String(steps.length + 1), kind: 'mask', reason: 'holds a secret', quotes: [] },
      files: [stepFile(path, text, after)],
    };
    const problem = await enact(step);
    if (problem === undefined) steps.push(step);
    // Who took the mask back knows of it.
    else if (problem.reason !== 'taken-back') secrets.push({ path, why: problem.reason });
  }

  /** A file as it is now, if it may be changed. */
  function fileAt(path: string, isChanged: boolean): SnapshotFile | { text: string } | Refusal {
    const text = texts.get(path);
    const file = snapshot.files.get(path);
    if (text === undefined)
      return refusal('not-found', `There is no memory ${path}: take a path of the list.`);
    if (isChanged && file?.isProtected !== undefined) {
      const why = `${path} may only be read (${file.isProtected}): nothing of it is changed.`;
      return refusal('read-only', why);
    }
    return { ...file, text };
  }

  async function prepare(proposal: Proposal): Promise<Prepared | Refusal> {
    const { target, goes, kind } = proposal;
    const isWritten = target !== undefined && target.body !== undefined;
    const there = target === undefined ? undefined : texts.get(target.path);
    const isKept = target !== undefined && there !== undefined && !isWritten && kind === 'merge';
    if (target !== undefined && there !== undefined) {
      const file = fileAt(target.path, !isKept);
      if ('message' in file) return file;
    }
    for (const path of goes) {
      const file = fileAt(path, true);
      if ('message' in file) return file;
      if (path === target?.path) return refusal('no-change', `${path} cannot go and stay at once.`);
    }
    if (target !== undefined && there === undefined && kind !== 'merge')
      return refusal('not-found', `There is no memory ${target.path}: take a path of the list.`);
    if (target !== undefined && there === undefined && !isWritten)
      return refusal('not-found', `A new file ${target.path} needs a body.`);
    const before = [
      ...new Set([...goes, ...(there === undefined || isKept ? [] : [target?.path ?? ''])]),
    ];
    const team = [...goes, ...(target === undefined ? [] : [target.path])].map(isOfTeam);
    if (target !== undefined && new Set(team).size > 1)
      return refusal('team', 'Private memory and that of the team are never put together.');
    return { there, before, isKept };
  }

  /** What the target is to say; of one that stays, what it says. */
  function textOf(
    { target, goes }: Proposal,
    { there, isKept }: Pick<Prepared, 'there' | 'isKept'>,
  ) {
    const old = there === undefined ? undefined : parseText(there);
    const like = old?.header ?? parseText(texts.get(goes[0] ?? '') ?? '').header;
    const given = isKept ? undefined : target;
    const { type = like.type ?? '' } = given ?? {};
    if (target !== undefined && !isType(type))
      return refusal('unknown-type', `The type has to be one of ${MEMORY_TYPES.join(', ')}.`);
    const header = {
      name: given?.name ?? like.name ?? '',
      description: given?.description ?? like.description ?? '',
      type: type as MemoryType,
    };
    return { header, body: given?.body ?? old?.body ?? '', old };
  }

  /** What removes rest on is looked at with them. */
  async function found({ quotes, removes }: Proposal): Promise<readonly FoundQuote[] | Refusal> {
    const all: FoundQuote[] = [];
    const isOfRemoval = ({ source, quote }: SourcedQuote) =>
      removes.some(({ by }) => by.source === source && by.quote === quote);
    for (const quote of quotes.filter((each) => !isOfRemoval(each))) {
      const result = await sources.find(quote);
      if (result.kind !== 'found') return refusal(result.kind, quoteText(quote, result.kind));
      all.push(result);
    }
    return all;
  }

  return {
    files: () => texts,
    steps: () => steps,
    secrets: () => secrets,
    room,
    spent: () => ({ sinceMs: earlier.sinceMs, ...used }),
    async propose(proposal) {
      const { kind, target, goes, quotes, removes } = proposal;
      const prepared = await prepare(proposal);
      if ('message' in prepared) return prepared;
      const { there, before, isKept } = prepared;
      const evidence = await found(proposal);
      if ('message' in evidence) return evidence;
      const unquoted = (kind === 'merge' ? goes : []).find(
        (path) => !quotes.some(({ source }) => source === path),
      );
      if (quotes.length === 0 || unquoted !== undefined) {
        const of = unquoted === undefined ? 'it' : unquoted;
        return refusal('no-quote', `Give a quote of ${of}, word for word, with its source.`);
      }
      const text = textOf(proposal, { there, isKept });
      if ('message' in text) return text;
      const { header, body, old } = text;
      const files = before.map((path) => ({
        path,
        text: texts.get(path) ?? '',
        modifiedMs: snapshot.files.get(path)?.modifiedMs,
      }));
      const others = [...texts].filter(([path]) => !before.includes(path));
      const isArchived = target === undefined;
      const taken = await checkTaken({
        ...{ before: files, isArchived, removes, claims, sources, instructions },
        isElsewhere: isArchived || isKept,
        others: others.map(([path, each]) => ({
          ...{ path, body: parseText(each).body },
          modifiedMs: snapshot.files.get(path)?.modifiedMs,
        })),
        header: `${header.name}\n${header.description}`,
        kept: isArchived ? others.map(([, each]) => parseText(each).body).join('\n\n') : body,
      });
      if ('message' in taken) return taken;
      const rests = [...evidence, ...taken.by];
      const changed: StepFile[] = goes.map((path) =>
        stepFile(path, texts.get(path), undefined, target?.path),
      );
      if (target !== undefined && !isKept) {
        const made = checkMade({ header, body, before: files, evidence: rests, claims });
        if (made !== undefined) return made;
        const isFresh = rests.some(({ from }) => from === 'session' || from === 'log');
        const known = files.flatMap(({ modifiedMs }) => modifiedMs ?? []);
        const newest = known.length === 0 ? undefined : Math.max(...known);
        const modifiedMs = isFresh ? nowMs : newest;
        const modified = modifiedMs === undefined ? undefined : new Date(modifiedMs).toISOString();
        const after = formatText({ ...header, modified }, `${body.trim()}\n`, old);
        changed.unshift(stepFile(target.path, there, after));
      }
      const next = {
        files: used.files + goes.filter((path) => taken.from.has(path)).length,
        statements: used.statements + taken.removed,
      };
      const { maxFiles, maxStatements } = room();
      const isOver =
        taken.removed > 0 && (next.files > maxFiles || next.statements > maxStatements);
      const waits: WaitReason | undefined =
        taken.unproven.length > 0 ? 'not-proven' : isOver ? 'over-limit' : undefined;
      const step = safeStep({
        ...{ id: String(lastId(steps) + 1), kind, reason: proposal.reason, files: changed },
        quotes: [
          ...quotes,
          ...removes.flatMap(({ quote, by }) => [{ source: before[0] ?? '', quote }, by]),
        ],
        ...(waits === undefined ? {} : { waits }),
      });
      const problem = await enact(step);
      if (problem !== undefined) return problem;
      if (waits === undefined) {
        // What waited and is proven now waits no more.
        const paths = new Set(changed.map(({ path }) => path));
        const isProvenNow = (each: DreamStep): boolean =>
          each.waits === 'not-proven' && each.files.every(({ path }) => paths.has(path));
        steps.splice(0, steps.length, ...steps.filter((each) => !isProvenNow(each)));
        Object.assign(used, next);
      }
      steps.push(step);
      const unproven = taken.unproven.length < removes.length ? taken.unproven : [];
      return { kind: 'taken', step, waits, unproven };
    },
  };
}

const DAY_MS = 86_400_000;

const lastId = (steps: readonly DreamStep[]): number => Number(steps.at(-1)?.id ?? 0);

interface Prepared {
  readonly there: string | undefined;
  /** Files whose statements have to be accounted for. */
  readonly before: readonly string[];
  /** Whether the target stays as it is. */
  readonly isKept: boolean;
}

const isType = (type: string): type is MemoryType => MEMORY_TYPES.some((each) => each === type);

const QUOTE_TEXTS: Readonly<Record<string, string>> = {
  'no-quote': 'A quote is missing',
  'quote-too-long': 'A quote has at most 200 characters',
  'quote-not-found': 'The quote does not stand in its source word for word',
  'unknown-source': 'There is no such source',
  'not-checkable': 'The repository does not show that this path was there once and is gone',
};

const quoteText = ({ source }: SourcedQuote, kind: string): string =>
  `${QUOTE_TEXTS[kind] ?? kind}: ${source}.`;
