import type { FileChange } from '../change-files.ts';
import { statementKey, statementsOf } from '../evidence/statements.ts';
import { parseText } from '../header.ts';
import { INBOX, maskedText, waitingFile } from '../inbox.ts';
import type { Memdir } from '../memdir.ts';
import { hashOf, nameOf } from '../memory-file.ts';
import { freePath } from '../save.ts';
import { withoutSecrets, withoutSecretsBelow } from '../secrets.ts';
import { composeBody } from './compose.ts';
import type { DraftResult, HeldStatement, Staged } from './draft.ts';
import type {
  ExtractionEvent,
  ExtractionNote,
  ExtractionRefusal,
  ExtractionWrite,
} from './event.ts';

type Finished = Extract<ExtractionEvent, { kind: 'finished' }>;
type Written = Pick<Finished, 'writes' | 'refused' | 'held' | 'id'>;

const MOST_ATTEMPTS = 4;

/** Makes everything that a draft holds one change of the folder: after a kill there is all of it or nothing. */
export async function writeDraft(
  memory: Memdir,
  draft: DraftResult,
  { nowMs, signal }: { readonly nowMs: number; readonly signal: AbortSignal },
): Promise<Written> {
  const refused: ExtractionNote<ExtractionRefusal>[] = [...draft.refused];
  let staged = draft.staged;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const plan = await planFiles(memory, { ...draft, staged }, { nowMs, signal });
    if (plan.files.length === 0) return { writes: [], refused, held: [], id: undefined };
    const result = await memory.change(plan.files, {
      ...{ kind: 'extraction', reason: 'learnt from the conversation', signal },
      lifts: plan.lifts,
    });
    if (result.kind === 'changed')
      return { writes: plan.writes, refused, held: plan.held, id: result.id };
    if (result.kind === 'unchanged') return { writes: [], refused, held: [], id: undefined };
    const isBlocked = (path: string): boolean =>
      result.kind === 'refused' ? result.path === path : result.paths.includes(path);
    if (result.kind === 'conflict' && attempt < MOST_ATTEMPTS) continue; // read again
    const blocked = plan.planned.filter(({ path }) => isBlocked(path));
    if (blocked.length === 0) throw new Error(`The memory was not written: ${result.kind}.`);
    for (const { of } of blocked) {
      const reason = result.kind === 'refused' ? result.reason : 'changed-meanwhile';
      const message = result.kind === 'refused' ? result.message : 'The file changes all the time.';
      refused.push({ name: of.name, reason, message });
    }
    staged = staged.filter((each) => !blocked.some(({ of }) => of === each));
  }
}

interface Planned {
  readonly path: string;
  readonly of: Staged;
}

async function planFiles(
  memory: Memdir,
  { staged, held }: Pick<DraftResult, 'staged' | 'held'>,
  { nowMs, signal }: { readonly nowMs: number; readonly signal: AbortSignal },
) {
  const { folder } = memory;
  const { files: there } = await folder.list('', { signal });
  const taken = there.map(({ path }) => path);
  const modified = new Date(nowMs).toISOString();
  const files: FileChange[] = [];
  const writes: ExtractionWrite[] = [];
  const planned: Planned[] = [];
  const lifts: string[] = [];
  for (const each of byPath(staged)) {
    const [first] = each;
    if (first === undefined) continue;
    const path = first.path ?? freePath({ ...first, name: withoutSecrets(first.name) }, taken);
    taken.push(path);
    const before =
      first.path === undefined ? undefined : (await folder.read(path, { signal }))?.text;
    if (first.path !== undefined && before === undefined) continue; // it was taken away meanwhile
    const parsed = before === undefined ? undefined : parseText(before);
    // As the model was shown it.
    const old =
      parsed === undefined
        ? ''
        : withoutSecretsBelow(parsed.header.name ?? nameOf(path), parsed.body);
    const body = each.reduce((text, step) => composeBody(text, step), old);
    const known = new Set(statementsOf(old).map(({ text }) => statementKey(text)));
    const removed = [...new Set(each.flatMap((step) => [...step.removed]))].filter((key) =>
      known.has(key),
    );
    const latest = each.at(-1) ?? first;
    const { name, description, type } = latest;
    const isEmptied = removed.length > 0 && body.trim() === '';
    const text = isEmptied
      ? undefined
      : maskedText({ name, description, type, modified }, body, parsed);
    if (text === before) continue;
    const quotes = each.flatMap((step) => [
      ...step.added.map(({ quote }) => quote),
      ...step.removalQuotes,
    ]);
    const added = each.flatMap((step) => step.added);
    const basis = before === undefined ? undefined : hashOf(before);
    const turns = [...new Set(added.map(({ turn }) => turn))].sort((one, other) => one - other);
    const reason = `the user said it in turn ${turns.join(', ')}`;
    files.push({ path, basis, text, reason, quote: [...new Set(quotes)].join('\n') });
    for (const step of each) planned.push({ path, of: step });
    if (each.some((step) => step.liftsTombstone)) lifts.push(path);
    const kind = before === undefined ? 'created' : removed.length > 0 ? 'superseded' : 'updated';
    writes.push({ path, kind, added: added.length, removed: removed.length });
  }
  const { waiting, notes } = await planInbox(memory, held, { modified, signal });
  return { files: [...files, ...waiting], writes, planned, lifts, held: notes };
}

/** Writes of one file stand together, in order. */
function byPath(staged: readonly Staged[]): readonly (readonly Staged[])[] {
  const groups = new Map<string, Staged[]>();
  for (const [at, each] of staged.entries()) {
    const key = each.path ?? `new ${at}`;
    const group = groups.get(key) ?? [];
    groups.set(key, [...group, each]);
  }
  return [...groups.values()];
}

/** What waits for the user, one file for each memory it was meant for. */
async function planInbox(
  { folder }: Memdir,
  held: readonly HeldStatement[],
  { modified, signal }: { readonly modified: string; readonly signal: AbortSignal },
) {
  const { files: there } = await folder.list(INBOX, { signal });
  const taken = there.map(({ path }) => path);
  const waiting: FileChange[] = [];
  const notes: Written['held'][number][] = [];
  for (const name of new Set(held.map((each) => each.name))) {
    const group = held.filter((each) => each.name === name);
    const [first] = group;
    if (first === undefined) continue;
    const { type, description, reason } = first;
    const body = group.map(({ text }) => (group.length > 1 ? `- ${text}` : text)).join('\n');
    const file = waitingFile({ name, type, description, body, reason }, { taken, modified });
    taken.push(file.path);
    waiting.push(file);
    for (const each of group)
      notes.push({ name, path: file.path, reason: each.reason, message: each.message });
  }
  return { waiting, notes };
}
