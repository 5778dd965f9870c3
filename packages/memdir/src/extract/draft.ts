import { recordOf, textOf } from '@varve/guards';
import { corrects } from '../evidence/corrections.ts';
import { isPathList } from '../evidence/path-list.ts';
import { type Statement, statementKey, statementsOf } from '../evidence/statements.ts';
import { nameKey, type ReadMemory } from '../memory-file.ts';
import { isOfTeam } from '../path.ts';
import type { NewStatement } from './compose.ts';
import type { ExtractionNote, ExtractionRefusal, HoldReason } from './event.ts';
import { createJudge, type JudgeOptions } from './judge.ts';
import { type Claim, type Proposal, parseProposal } from './proposal.ts';

/** A write that was found to be right, before it is made. */
export interface Staged {
  /** Of the file that is changed; undefined: a new one. */
  readonly path: string | undefined;
  readonly name: string;
  readonly description: string;
  readonly type: Proposal['type'];
  readonly added: readonly (NewStatement & { readonly quote: string; readonly turn: number })[];
  /** Keys of the statements that go. */
  readonly removed: ReadonlySet<string>;
  /** Words of the user behind the removals. */
  readonly removalQuotes: readonly string[];
  /** The user asked for what was once forgotten. */
  readonly liftsTombstone: boolean;
}

export interface HeldStatement extends ExtractionNote<HoldReason> {
  readonly description: string;
  readonly type: Proposal['type'];
  readonly text: string;
}

export interface DraftOptions extends JudgeOptions {
  readonly files: readonly ReadMemory[];
  readonly isShared: boolean;
  /** Keys of what waits for the user already. */
  readonly waiting: ReadonlySet<string>;
}

export interface ToolOutcome {
  readonly content: string;
  readonly isError: boolean;
}

export interface DraftResult {
  readonly staged: readonly Staged[];
  readonly held: readonly HeldStatement[];
  readonly refused: readonly ExtractionNote<ExtractionRefusal>[];
  /** Calls of which nothing was a memory. */
  readonly malformed: number;
}

/** What one extraction is going to write. Its calls change nothing but it; the folder is changed when all of it is known. */
export interface Draft {
  read(input: unknown): ToolOutcome;
  save(input: unknown): ToolOutcome;
  result(): DraftResult;
}

export function createDraft(options: DraftOptions): Draft {
  const { files, isShared, waiting } = options;
  const { judge, removalProblem, isSoundLabel } = createJudge(options);
  const statements = new Map(files.map((file) => [file.path, statementsOf(file.body)]));
  const known = new Set(
    files.flatMap((file) => [...statementsOf(file.body)].map(({ text }) => statementKey(text))),
  );
  let staged: readonly Staged[] = [];
  /** Proposals for a new file of a name that is there: they go into that file, unless the model changes it itself. */
  const doubles = new Map<string, Staged>();
  /** New files of which a part was not taken: what follows under the name mends that part, and the rest stays. */
  const mendable = new Set<string>();
  const held = new Map<string, HeldStatement>();
  const refused: ExtractionNote<ExtractionRefusal>[] = [];
  let malformed = 0;

  function refuse(name: string, reason: ExtractionRefusal, message: string): ToolOutcome {
    refused.push({ name, reason, message });
    return { content: `Not taken. ${message}`, isError: true };
  }

  /** The file whose statement one of the new ones puts right. */
  function correctedFile(added: readonly NewStatement[]): ReadMemory | undefined {
    return files.find(({ path }) =>
      statements.get(path)?.some((old) => added.some(({ text }) => corrects(text, old.text))),
    );
  }

  /** Judges all statements; those that are not taken are noted. */
  function judgeAll(proposal: Proposal, target: ReadMemory | undefined, problems: string[]) {
    const added: Staged['added'][number][] = [];
    let liftsTombstone = false;
    for (const claim of proposal.statements) {
      const key = statementKey(claim.text);
      if (known.has(key)) {
        problems.push('A file says this already.');
        continue;
      }
      const verdict = judge(claim, target?.body ?? '');
      if (verdict.kind === 'taken') {
        held.delete(key);
        liftsTombstone ||= verdict.liftsTombstone;
        added.push({
          part: claim.part,
          text: claim.text,
          quote: claim.quote,
          turn: claim.turn ?? 0,
        });
        continue;
      }
      const { message } = verdict;
      problems.push(message);
      const { name, type, description } = proposal;
      if (verdict.kind === 'refused') refused.push({ name, reason: verdict.reason, message });
      else if (!waiting.has(key))
        held.set(key, {
          name,
          type,
          description,
          text: claim.text,
          reason: verdict.reason,
          message,
        });
    }
    return { added, liftsTombstone };
  }

  /** Of what one run says twice the last word of the user counts. Null: what was staged is newer. */
  function settle(next: Staged): Staged | undefined {
    const added = next.added.filter(
      ({ text, turn }) =>
        !staged.some((each) =>
          each.added.some((other) => other.turn > turn && corrects(other.text, text)),
        ),
    );
    const isNewer = ({ turn, text }: Staged['added'][number]): boolean =>
      !added.some((each) => each.turn >= turn && corrects(each.text, text));
    staged = staged
      .map((each) => ({ ...each, added: each.added.filter(isNewer) }))
      .filter((each) => each.added.length > 0 || each.removed.size > 0);
    const twin = next.path === undefined ? stagedAs(next.name) : undefined;
    const isMended = twin !== undefined && mendable.has(nameKey(twin.name));
    if (!isMended && twin !== undefined && lastTurn(twin) > lastTurn(next)) return undefined;
    if (twin !== undefined) staged = staged.filter((each) => each !== twin);
    const stays = isMended ? twin.added : [];
    const said = new Set(stays.map(({ text }) => statementKey(text)));
    const all = [...stays, ...added.filter(({ text }) => !said.has(statementKey(text)))];
    return all.length === 0 && next.removed.size === 0 ? undefined : { ...next, added: all };
  }

  /** The new file of a name that was taken before. */
  function stagedAs(name: string): Staged | undefined {
    return staged.find((each) => each.path === undefined && nameKey(each.name) === nameKey(name));
  }

  function save(input: unknown): ToolOutcome {
    const proposal = parseProposal(input);
    if (typeof proposal === 'string') {
      malformed++;
      return refuse(textOf(recordOf(input).name).slice(0, 80), 'malformed', proposal);
    }
    const { name, type } = proposal;
    let target = files.find(({ path }) => path === proposal.path);
    if (proposal.path !== undefined && target === undefined)
      return refuse(name, 'not-found', 'There is no file at this path: take one of the list.');
    if (type === 'user' && (isShared || isOfTeam(proposal.path ?? '')))
      return refuse(
        name,
        'user-in-shared',
        'Others read this memory: nothing about a person here.',
      );
    const problems: string[] = [];
    const refusedBefore = refused.length;
    const { added, liftsTombstone } = judgeAll(proposal, target, problems);
    target ??= correctedFile(added);
    if (target?.pinned === true)
      return refuse(name, 'pinned', `${target.path} is pinned: only the user changes it.`);
    const removals = removalsOf(proposal, { target, added });
    if (typeof removals === 'string') return refuse(name, 'removal-without-quote', removals);
    const hasRule =
      added.some(({ part }) => part === 'rule') ||
      (mendable.has(nameKey(name)) && stagedAs(name) !== undefined);
    if (added.length === 0 && removals.keys.size === 0) {
      const isMalformed = refused
        .slice(refusedBefore)
        .some(({ reason }) => reason === 'not-a-statement' || reason === 'prompt-text');
      if (isMalformed) malformed++;
      return { content: `Nothing was taken. ${problems.join(' ')}`, isError: true };
    }
    if (target === undefined && !hasRule)
      return refuse(name, 'no-rule', `The rule or fact itself is missing. ${problems.join(' ')}`);
    if (isPathList(added.map(({ text }) => text).join('\n')))
      return refuse(name, 'path-list', 'It lists paths, which the repository shows: leave it out.');
    const next = settle({
      ...labelsOf(proposal, added, target),
      path: target?.path,
      type: target?.type ?? type,
      ...{ added, liftsTombstone },
      removed: removals.keys,
      removalQuotes: removals.quotes,
    });
    if (next === undefined) return { content: 'A later word of the user stands.', isError: false };
    const twin =
      next.path === undefined
        ? files.find((file) => nameKey(file.name) === nameKey(next.name))
        : undefined;
    if (twin?.pinned === true)
      return refuse(name, 'pinned', `${twin.path} is pinned: only the user changes it.`);
    if (twin !== undefined) {
      doubles.set(twin.path, { ...next, path: twin.path, type: twin.type ?? next.type });
      const content = `${twin.path} has this name: read it, then save with its path, and with what is untrue of it now under remove.`;
      return { content, isError: true };
    }
    if (next.path !== undefined) doubles.delete(next.path);
    staged = [...staged, next, ...correctedElsewhere(next)];
    if (problems.length > 0 && next.path === undefined) mendable.add(nameKey(next.name));
    const rest = problems.length === 0 ? '' : ` Not all: ${problems.join(' ')}`;
    return { content: `Taken, and written when you stop.${rest}`, isError: false };
  }

  /** What the new statements put right in other files: two versions of one rule never stand side by side. */
  function correctedElsewhere(next: Staged): readonly Staged[] {
    return files.flatMap(({ path, name, description, type = next.type, pinned }): Staged[] => {
      if (path === next.path || pinned) return [];
      const pairs = (statements.get(path) ?? []).flatMap((old) =>
        next.added.filter(({ text }) => corrects(text, old.text)).map((by) => ({ old, by })),
      );
      if (pairs.length === 0) return [];
      return [
        {
          ...{ path, name, description, type, added: [], liftsTombstone: false },
          removed: new Set(pairs.map(({ old }) => statementKey(old.text))),
          removalQuotes: pairs.map(({ by }) => by.quote),
        },
      ];
    });
  }

  /** Keys of what goes, or why it may not. */
  function removalsOf(
    { remove }: Proposal,
    { target, added }: { readonly target: ReadMemory | undefined; readonly added: Staged['added'] },
  ) {
    const old = target === undefined ? [] : (statements.get(target.path) ?? []);
    const keys = new Set<string>();
    const quotes: string[] = [];
    for (const claim of remove) {
      const found = findStatement(old, claim);
      if (found === undefined) return `The file does not say "${claim.text.slice(0, 80)}".`;
      const problem = removalProblem(claim);
      if (problem !== undefined) return problem;
      keys.add(statementKey(found.text));
      quotes.push(claim.quote);
    }
    // What a new statement puts right goes in the same write, whether the model said so or not.
    for (const { text } of old) {
      const by = added.find((each) => corrects(each.text, text));
      if (by !== undefined) keys.add(statementKey(text));
    }
    return { keys, quotes };
  }

  /** What stands in the index says no more than the statements do. */
  function labelsOf(
    { name, description }: Proposal,
    added: readonly NewStatement[],
    target: ReadMemory | undefined,
  ) {
    const all = [...added.map(({ text }) => text), target?.body ?? ''].join('\n');
    const first = added[0]?.text ?? target?.description ?? name;
    const sound = isSoundLabel(name, 'name', all) ? name : first.split(' ').slice(0, 6).join(' ');
    const title = sound.slice(0, 80);
    const saysTheOld = added.some(({ text }) => corrects(text, target?.name ?? ''));
    const isSound = isSoundLabel(description, 'description', all);
    return {
      name: target === undefined || saysTheOld ? title : target.name,
      description: (isSound ? description : first).slice(0, 150),
    };
  }

  return {
    read(input) {
      const path = textOf(recordOf(input).path);
      const file = files.find((each) => each.path === path);
      if (file === undefined) {
        return { content: 'There is no file at this path: take one of the list.', isError: true };
      }
      const { name, description, type = 'none', pinned } = file;
      const header = { name, description, type, ...(pinned ? { pinned } : {}) };
      return { content: `${JSON.stringify(header)}\n\n${file.body.trim()}`, isError: false };
    },
    save,
    result: () => ({
      staged: [...staged, ...doubles.values()],
      held: [...held.values()],
      ...{ refused, malformed },
    }),
  };
}

const lastTurn = ({ added }: Staged): number => Math.max(0, ...added.map(({ turn }) => turn));

const findStatement = (old: readonly Statement[], { text }: Claim): Statement | undefined => {
  const key = statementKey(text);
  return old.find((each) => statementKey(each.text) === key);
};
