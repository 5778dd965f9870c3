import { recordOf, textOf } from '@varve/guards';
import { corrects } from '../evidence/corrections.ts';
import { isPathList } from '../evidence/path-list.ts';
import { lostSpecifics, specificsOf } from '../evidence/specifics.ts';
import { type Statement, statementKey, statementsOf } from '../evidence/statements.ts';
import { nameKey, type ReadMemory } from '../memory-file.ts';
import { isOfTeam } from '../path.ts';
import { composeBody, type NewStatement } from './compose.ts';
import type { ExtractionNote, ExtractionRefusal, HoldReason } from './event.ts';
import { createJudge, type JudgeOptions } from './judge.ts';
import { type Proposal, parseProposal } from './proposal.ts';

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
  /** The file of each statement that is there. */
  const known = new Map(
    files.flatMap(({ path }) =>
      (statements.get(path) ?? []).map(({ text }) => [statementKey(text), path] as const),
    ),
  );
  let staged: readonly Staged[] = [];
  /** Proposals for a new file of a name that is there: they go into that file, unless the model changes it itself. */
  const doubles = new Map<string, Staged>();
  /** New files of which a part was not taken: what follows under the name mends that part, and the rest stays. */
  const mendable = new Set<string>();
  const held = new Map<string, HeldStatement>();
  const refused: ExtractionNote<ExtractionRefusal>[] = [];
  let malformed = 0;

  /** A call of which nothing is taken. The message goes into an event as well; what is quoted below it does not. */
  function refuse(
    proposal: Pick<Proposal, 'name' | 'statements' | 'remove'>,
    [reason, message]: readonly [ExtractionRefusal, string],
    notes: readonly Note[] = [],
  ): ToolOutcome {
    const { name, statements: wanted, remove } = proposal;
    refused.push({ name, reason, message });
    const others = [...wanted, ...remove].filter(
      ({ text }) => !notes.some((each) => each.text === text),
    );
    return outcomeOf(`Nothing of "${name}" was taken. ${message}`, [...notes, ...others]);
  }

  /** The file whose statement one of the new ones puts right. */
  function correctedFile(added: readonly NewStatement[]): ReadMemory | undefined {
    return files.find(({ path }) =>
      statements.get(path)?.some((old) => added.some(({ text }) => corrects(text, old.text))),
    );
  }

  /** Judges all statements; those that are not taken are noted. */
  function judgeAll(proposal: Proposal, target: ReadMemory | undefined) {
    const { name, type, description } = proposal;
    const added: Staged['added'][number][] = [];
    const notes: Note[] = [];
    let liftsTombstone = false;
    let hasRule = false;
    /** Claims as they came, and keys of what was taken. */
    const seen = new Set<string>();
    for (const claim of proposal.statements) {
      const { part, text, quote, turn = 0 } = claim;
      const key = statementKey(text);
      const said = JSON.stringify([part, text, quote, turn]);
      if (seen.has(said) || seen.has(key)) continue;
      seen.add(said);
      const path = knownIn(text);
      if (path !== undefined) {
        hasRule ||= part === 'rule';
        notes.push({ text, message: `${path} says this already: leave it out.` });
        continue;
      }
      const verdict = judge(claim, target?.body ?? '');
      if (verdict.kind === 'taken') {
        held.delete(key);
        seen.add(key);
        hasRule ||= part === 'rule';
        liftsTombstone ||= verdict.liftsTombstone;
        added.push({ part, text, quote, turn });
        continue;
      }
      const { message } = verdict;
      notes.push({ text, message });
      if (verdict.kind === 'refused') refused.push({ name, reason: verdict.reason, message });
      else if (!waiting.has(key))
        held.set(key, { name, type, description, text, reason: verdict.reason, message });
    }
    if (hasRule || added.length === 0 || proposal.statements.every(({ part }) => part !== 'rule'))
      return { added, notes, liftsTombstone };
    // A reason stands with what it is a reason of, or not at all.
    const message = 'The rule it belongs to was not taken: send both in one call.';
    for (const { text } of added) notes.push({ text, message });
    refused.push({ name, reason: 'no-rule', message });
    return { added: [], notes, liftsTombstone: false };
  }

  /** The file that says all of a text. */
  function knownIn(text: string): string | undefined {
    const parts = statementsOf(text).map((each) => known.get(statementKey(each.text)));
    return known.get(statementKey(text)) ?? (parts.every(Boolean) ? parts[0] : undefined);
  }

  /** Of what one run says twice the last word of the user counts. `late`: what of it is not the last word. */
  function settle(next: Staged): {
    readonly step: Staged | undefined;
    readonly late: readonly Note[];
  } {
    const added = withRule(next.added, ({ text, turn }) =>
      staged.every((each) =>
        each.added.every((other) => other.turn <= turn || !corrects(other.text, text)),
      ),
    );
    const late = next.added
      .filter((each) => !added.includes(each))
      .map(({ text }) => ({ text, message: LATER }));
    const isNewer = ({ turn, text }: Staged['added'][number]): boolean =>
      !added.some((each) => each.turn >= turn && corrects(each.text, text));
    staged = staged
      .map((each) => ({ ...each, added: withRule(each.added, isNewer) }))
      .filter((each) => each.added.length > 0 || each.removed.size > 0);
    const twin = next.path === undefined ? stagedAs(next.name) : undefined;
    const isMended = twin !== undefined && mendable.has(nameKey(twin.name));
    if (!isMended && twin !== undefined && lastTurn(twin) > lastTurn(next))
      return { step: undefined, late: next.added.map(({ text }) => ({ text, message: LATER })) };
    if (twin !== undefined) staged = staged.filter((each) => each !== twin);
    const stays = isMended ? twin.added : [];
    const all = [...stays, ...added.filter((each) => !isAmong(each, stays))];
    const isEmpty = all.length === 0 && next.removed.size === 0;
    const gone = isMended ? [] : (twin?.added.filter((each) => !isAmong(each, all)) ?? []);
    return {
      step: isEmpty ? undefined : { ...next, added: all },
      late: [...late, ...gone.map(({ text }) => ({ text, message: REPLACED }))],
    };
  }

  /** The new file of a name that was taken before. */
  function stagedAs(name: string): Staged | undefined {
    return staged.find((each) => each.path === undefined && nameKey(each.name) === nameKey(name));
  }

  function save(input: unknown): ToolOutcome {
    const proposal = parseProposal(input);
    if (typeof proposal === 'string') {
      malformed++;
      const name = textOf(recordOf(input).name).slice(0, 80);
      return refuse({ name, statements: [], remove: [] }, ['malformed', proposal]);
    }
    const { name, type } = proposal;
    let target = files.find(({ path }) => path === proposal.path);
    if (proposal.path !== undefined && target === undefined)
      return refuse(proposal, [
        'not-found',
        'There is no file at this path: take one of the list.',
      ]);
    if (type === 'user' && (isShared || isOfTeam(proposal.path ?? '')))
      return refuse(proposal, ['user-in-shared', FOR_OTHERS]);
    const refusedBefore = refused.length;
    const { added, notes, liftsTombstone } = judgeAll(proposal, target);
    target ??= correctedFile(added);
    if (target?.pinned === true) return refuse(proposal, ['pinned', pinnedAt(target.path)], notes);
    const removals = removalsOf(proposal, { target, added });
    if (removals.notes.length > 0) {
      const message =
        'What stands under remove is not taken out: mend it or leave it, and send all again.';
      return refuse(proposal, ['removal-without-quote', message], [...notes, ...removals.notes]);
    }
    const hasRule =
      added.some(({ part }) => part === 'rule') ||
      (mendable.has(nameKey(name)) && stagedAs(name) !== undefined);
    if (added.length === 0 && removals.keys.size === 0) {
      const isMalformed = refused
        .slice(refusedBefore)
        .some(({ reason }) => reason === 'not-a-statement' || reason === 'prompt-text');
      if (isMalformed) malformed++;
      const labels =
        target === undefined ? '' : ' Name and description change with a statement only.';
      return outcomeOf(`Nothing of "${name}" was taken.${labels}`, notes);
    }
    if (target === undefined && !hasRule) {
      const message =
        'A new file needs the rule or fact itself: send it with its reasons in one call.';
      return refuse(proposal, ['no-rule', message], notes);
    }
    if (isPathList(added.map(({ text }) => text).join('\n')))
      return refuse(
        proposal,
        ['path-list', 'It lists paths, which the repository shows: leave it out.'],
        notes,
      );
    const labels = labelsOf(proposal, { added, removed: removals.keys }, target);
    const { step: next, late } = settle({
      ...{ name: labels.name, description: labels.description },
      path: target?.path,
      type: target?.type ?? type,
      ...{ added, liftsTombstone },
      removed: removals.keys,
      removalQuotes: removals.quotes,
    });
    const problems = [...notes, ...late];
    if (next === undefined) return outcomeOf(`Nothing of "${name}" was taken.`, problems, false);
    const twin =
      next.path === undefined
        ? files.find((file) => nameKey(file.name) === nameKey(next.name))
        : undefined;
    if (twin?.pinned === true) return refuse(proposal, ['pinned', pinnedAt(twin.path)], problems);
    if (twin !== undefined) {
      doubles.set(twin.path, { ...next, path: twin.path, type: twin.type ?? next.type });
      const head = `${twin.path} has this name: read it, then save with its path, and with what is untrue of it now under remove.`;
      return outcomeOf(head, problems);
    }
    if (next.path !== undefined) doubles.delete(next.path);
    staged = [...staged, next, ...correctedElsewhere(next)];
    if (problems.length > 0 && next.path === undefined) mendable.add(nameKey(next.name));
    const head = ['Taken, and written when you stop.', ...labels.notes];
    if (problems.length > 0) head.push('Not all of it:');
    return outcomeOf(head.join(' '), problems, false);
  }

  /** What the new statements put right in other files: two versions of one rule never stand side by side. */
  function correctedElsewhere(next: Staged): readonly Staged[] {
    return files.flatMap((file): Staged[] => {
      const { path, type = next.type, pinned } = file;
      if (path === next.path || pinned) return [];
      const pairs = (statements.get(path) ?? []).flatMap((old) =>
        next.added.filter(({ text }) => corrects(text, old.text)).map((by) => ({ old, by })),
      );
      if (pairs.length === 0) return [];
      return [
        {
          ...{ path, type, ...labelledAs(file), added: [], liftsTombstone: false },
          removed: new Set(pairs.map(({ old }) => statementKey(old.text))),
          removalQuotes: pairs.map(({ by }) => by.quote),
        },
      ];
    });
  }

  /** The keys of what goes, and what may not go. */
  function removalsOf(
    { path, remove }: Proposal,
    { target, added }: { readonly target: ReadMemory | undefined; readonly added: Staged['added'] },
  ) {
    const old = target === undefined ? [] : (statements.get(target.path) ?? []);
    const keys = new Set<string>();
    const quotes: string[] = [];
    const notes: Note[] = [];
    for (const claim of remove) {
      const found = findStatements(old, claim.text);
      const message = found.length === 0 ? notThere(path) : removalProblem(claim);
      if (message !== undefined) notes.push({ text: claim.text, message });
      else quotes.push(claim.quote);
      for (const each of found) keys.add(statementKey(each.text));
    }
    // What a new statement puts right goes in the same write, whether the model said so or not.
    for (const { text } of old) {
      const by = added.find((each) => corrects(each.text, text));
      if (by !== undefined) keys.add(statementKey(text));
    }
    return { keys, quotes, notes };
  }

  /** What a file is called after the calls so far. */
  const labelledAs = (file: ReadMemory): Labels => {
    const { name, description } = staged.findLast(({ path }) => path === file.path) ?? file;
    return { name, description };
  };

  /**
   * What stands in the index says no more than the statements do. A call that names a file gives it both labels; where a call only
   * puts a statement of a file right, the labels stay as long as they are true.
   */
  function labelsOf(
    { path, name, description, type }: Proposal,
    { added, removed }: { readonly added: Staged['added']; readonly removed: ReadonlySet<string> },
    target: ReadMemory | undefined,
  ): Labels & { readonly notes: readonly string[] } {
    const old = target && labelledAs(target);
    const left = composeBody(target?.body ?? '', { added, removed });
    const first = added[0]?.text ?? old?.description ?? name;
    const isName = isSoundLabel(name, 'name', left);
    const isSound = isSoundLabel(description, 'description', left);
    const made = {
      name: (isName ? name : first.split(' ').slice(0, 6).join(' ')).slice(0, 80),
      description: (isSound ? description : first).slice(0, 150),
    };
    const notes: string[] = [];
    if (!isSound && path === target?.path) notes.push(`The description is "${made.description}".`);
    if (target === undefined || old === undefined) {
      if (!isName) notes.push(`The name is "${made.name}".`);
      return { ...made, notes };
    }
    const gone = lostSpecifics([target.body], left).filter((each) => /\p{N}/u.test(each));
    const isTrue = (label: string): boolean =>
      !added.some(({ text }) => corrects(text, label)) &&
      !gone.some((each) => specificsOf(label).has(each));
    const isWanted = path !== undefined;
    const labels = {
      name: (isWanted && isName) || !isTrue(old.name) ? made.name : old.name,
      description: isWanted || !isTrue(old.description) ? made.description : old.description,
    };
    if (nameKey(labels.name) === nameKey(old.name)) labels.name = old.name;
    const isOther = (each: ReadMemory): boolean =>
      each !== target && nameKey(each.name) === nameKey(labels.name);
    const holder = files.find(isOther);
    if (holder !== undefined) {
      notes.push(`${holder.path} has the name "${labels.name}".`);
      labels.name = old.name;
    }
    if (!isWanted) notes.push(`It goes into ${target.path}, which said otherwise.`);
    if (nameKey(labels.name) !== nameKey(name)) notes.push(`The name is "${labels.name}".`);
    if (target.type !== undefined && type !== target.type)
      notes.push(`The type stays ${target.type}.`);
    return { ...labels, notes };
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

/** A text of a call that was not taken, and why; without a message that of the whole call is meant. */
interface Note {
  readonly text: string;
  readonly message?: string;
}

type Labels = Pick<Staged, 'name' | 'description'>;

const LATER = 'A later word of the user stands: leave it out.';
const REPLACED =
  'This call takes the place of the earlier one of its name: where both hold, send it again.';
const FOR_OTHERS =
  'Others read this memory: nothing about a person here. Take another type for what is of use to all, or leave it.';
const pinnedAt = (path: string): string => `${path} is pinned: only the user changes it. Leave it.`;
const notThere = (path: string | undefined): string =>
  path === undefined
    ? 'Under remove stand statements of a file: give its path.'
    : 'The file does not say this: copy it from the file, or leave it.';

const MOST_QUOTED_CHARS = 200;

/** What a model is told of a call: each text that was not taken, in its own words. */
function outcomeOf(head: string, notes: readonly Note[], isError = true): ToolOutcome {
  const lines = notes.map(({ text, message }) => {
    const quoted = text.length > MOST_QUOTED_CHARS ? `${text.slice(0, MOST_QUOTED_CHARS)}…` : text;
    return `- not taken: ${JSON.stringify(quoted)}${message === undefined ? '' : ` ${message}`}`;
  });
  return { content: [head, ...lines].join('\n'), isError };
}

const isAmong = ({ text }: NewStatement, others: readonly NewStatement[]): boolean =>
  others.some((other) => statementKey(other.text) === statementKey(text));

/** What is left of statements; reasons whose rule went go with it. */
function withRule(
  added: Staged['added'],
  stays: (each: Staged['added'][number]) => boolean,
): Staged['added'] {
  const isRule = ({ part }: NewStatement): boolean => part === 'rule';
  const left = added.filter(stays);
  return added.some(isRule) && !left.some(isRule) ? [] : left;
}

const MOST_LINES = 8;

/** The statements of a file that a text is made of; none where it says more than they do. */
function findStatements(old: readonly Statement[], text: string): readonly Statement[] {
  const keyOf = (each: Statement): string => statementKey(each.text);
  const whole = statementKey(text);
  const exact = old.find((each) => keyOf(each) === whole);
  if (exact !== undefined) return [exact];
  // a sentence over several lines
  for (const start of old.keys()) {
    for (let end = start + 2; end <= Math.min(old.length, start + MOST_LINES); end++) {
      const run = old.slice(start, end);
      if (run.map(keyOf).join(' ') === whole) return run;
    }
  }
  const wanted = statementsOf(text).map(keyOf);
  const found = wanted.flatMap((key) => old.find((each) => keyOf(each) === key) ?? []);
  return found.length === wanted.length ? found : [];
}
