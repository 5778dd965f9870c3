import { type ChangeResult, changeFiles, type FileChange } from './change-files.ts';
import { type Change, changing, commit } from './commit.ts';
import { statementKey, statementsOf } from './evidence/statements.ts';
import type { FolderCall, MemoryFolder } from './folder.ts';
import { entombed } from './forget.ts';
import {
  formatText,
  type MemoryType,
  type NewHeader,
  type ParsedText,
  parseText,
} from './header.ts';
import { type MemoryFile, readMemory } from './memory-file.ts';
import {
  bodyProblem,
  freePath,
  MASKED_NOTE,
  type SaveResult,
  saveMemory,
  type WriteParts,
} from './save.ts';
import { kindsOf, withoutSecrets, withoutSecretsBelow } from './secrets.ts';

/** Where memories wait that nobody has vouched for. */
export const INBOX = '.inbox';

/** A memory that waits for the user. */
export interface WaitingMemory {
  readonly name: string;
  readonly description: string;
  readonly type: MemoryType;
  readonly body: string;
  /** Why it waits. */
  readonly reason: string;
}

export type HoldResult = ChangeResult | { readonly kind: 'waiting-already' };

export type AcceptResult = SaveResult | { readonly kind: 'not-found' };

export type DiscardResult =
  | { readonly kind: 'discarded'; readonly id: string }
  | { readonly kind: 'not-found' };

/** Puts a memory where the user decides about it; what waits there already is not put there twice. */
export async function holdMemory(
  parts: WriteParts,
  memory: WaitingMemory,
  { signal }: FolderCall,
): Promise<HoldResult> {
  const { folder, now } = parts;
  const problem = bodyProblem(memory.body);
  if (problem !== undefined) return { kind: 'refused', path: '', ...problem };
  const known = await waitingKeys(folder, signal);
  const said = statementsOf(memory.body).map(({ text }) => statementKey(text));
  if (said.length > 0 && said.every((key) => known.has(key))) return { kind: 'waiting-already' };
  const { files } = await folder.list(INBOX, { signal });
  const taken = files.map(({ path }) => path);
  const file = waitingFile(memory, { taken, modified: new Date(now()).toISOString() });
  return changeFiles(parts, [file], { kind: 'extraction', reason: memory.reason, signal });
}

/** Saves what waits, because the user wants it, and takes it out of the inbox. */
export async function acceptWaiting(
  parts: WriteParts,
  path: string,
  { signal }: FolderCall,
): Promise<AcceptResult> {
  const { folder } = parts;
  const found = await findWaiting(folder, path, signal);
  if (found === undefined) return { kind: 'not-found' };
  const { name, description, type = 'project', body } = found.memory;
  const result = await saveMemory(parts, {
    ...{ name, description, type, body: body.trim() },
    ...{ asked: true, reason: 'accepted from the inbox', signal },
  });
  if (result.kind === 'saved' || result.kind === 'unchanged')
    await folder.remove(path, { basis: found.text });
  return result;
}

/** Takes out what waits, because the user does not want it: no writer brings it back. */
export async function discardWaiting(
  parts: WriteParts,
  path: string,
  { signal }: FolderCall,
): Promise<DiscardResult> {
  const { folder, now } = parts;
  const work = async (): Promise<DiscardResult> => {
    const found = await findWaiting(folder, path, signal);
    if (found === undefined) return { kind: 'not-found' };
    const nowMs = now();
    const reason = 'discarded from the inbox';
    const changes: Change[] = [
      await entombed(parts, { memory: found.memory, reason, nowMs }),
      { path, before: found.text, after: undefined },
    ];
    const { id } = await commit(folder, changes, { kind: 'forget', reason, nowMs, signal });
    return { kind: 'discarded', id };
  };
  return changing(folder, work, signal);
}

export async function listWaiting(
  folder: MemoryFolder,
  signal: AbortSignal | undefined,
): Promise<readonly MemoryFile[]> {
  const { files } = await folder.list(INBOX, { signal });
  const found: MemoryFile[] = [];
  for (const file of files.filter(({ path }) => path.endsWith('.md'))) {
    const memory = await readMemory(folder, file, signal);
    if (memory === undefined) continue;
    const { path, name, description, type, stampMs, bytes, pinned, problems } = memory;
    found.push({ path, name, description, type, modifiedMs: stampMs, bytes, pinned, problems });
  }
  return found;
}

/** The keys of the statements that wait. */
export async function waitingKeys(
  folder: MemoryFolder,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const { files } = await folder.list(INBOX, { signal });
  const keys = new Set<string>();
  for (const { path } of files) {
    const text = (await folder.read(path, { signal }))?.text ?? '';
    for (const each of statementsOf(parseText(text).body)) keys.add(statementKey(each.text));
  }
  return keys;
}

/** The file of a memory that waits; its name is free, its secrets are masked. */
export function waitingFile(
  { name, description, type, body, reason }: WaitingMemory,
  { taken, modified }: { readonly taken: readonly string[]; readonly modified: string },
): FileChange {
  const names = taken.map((path) => path.slice(INBOX.length + 1));
  const path = `${INBOX}/${freePath({ type, name: withoutSecrets(name) }, names)}`;
  const text = maskedText({ name, description, type, modified }, `${body.trim()}\n`);
  return { path, basis: undefined, text, reason };
}

/** A memory file without secrets: where one stood, it says where such things are. */
export function maskedText(header: NewHeader, body: string, old?: ParsedText): string {
  const { name } = header;
  const description = withoutSecretsBelow(name, header.description);
  const text = withoutSecretsBelow(name, body);
  const isMasked = kindsOf(text).length > kindsOf(old?.body ?? '').length;
  const hasNote = text.includes(MASKED_NOTE);
  const noted = isMasked && !hasNote ? `${text.trimEnd()}\n\n${MASKED_NOTE}\n` : text;
  return withoutSecrets(
    formatText({ ...header, name: withoutSecrets(name), description }, noted, old),
  );
}

async function findWaiting(folder: MemoryFolder, path: string, signal: AbortSignal | undefined) {
  const { files } = await folder.list(INBOX, { signal });
  const listed = files.find((each) => each.path === path);
  const memory = listed && (await readMemory(folder, listed, signal));
  return memory && { memory, text: memory.text };
}
