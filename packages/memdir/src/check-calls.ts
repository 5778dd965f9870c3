import { checkOptions, expected, isRecord, required } from '@varve/guards';
import type { ChangeOptions, FileChange } from './change-files.ts';
import type { FolderCall } from './folder.ts';
import type { ForgetOptions } from './forget.ts';
import { MEMORY_TYPES } from './header.ts';
import type { WaitingMemory } from './inbox.ts';
import type { RecallCall } from './recall.ts';
import type { NewMemory, SupersededFile } from './save.ts';
import type { UndoOptions } from './undo.ts';

// What a call of a memory is given, held to what it has to be. Each throws a TypeError.

const SIGNAL = 'an AbortSignal';

export const checkCall = (call: FolderCall): void =>
  checkOptions<FolderCall>(call, { signal: SIGNAL });

export function checkPathGiven(path: unknown): void {
  if (typeof path !== 'string') throw expected('path', A_PATH, path);
}

const A_PATH = { what: 'the path of a file in the folder, as `scan` gives it' };

/** Its type is not looked at: another word than the four is refused with a sentence for the model. */
export function checkNewMemory(memory: NewMemory): void {
  checkOptions<NewMemory>(
    memory,
    {
      ...TEXTS,
      path: 'a text',
      basis: 'a text',
      supersedes: { what: 'a list of paths, or of `{ path, basis }`', fits: isSuperseded },
      asked: 'true or false',
      reason: 'a text',
      quote: 'a text',
      signal: SIGNAL,
    },
    'memory',
  );
}

export function checkWaiting(memory: WaitingMemory): void {
  checkOptions<WaitingMemory>(
    memory,
    { ...TEXTS, type: required(MEMORY_TYPES), reason: required('a text') },
    'memory',
  );
}

const TEXTS = {
  name: required('a text'),
  description: required('a text'),
  body: required('a text'),
};

const isSuperseded = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string' || isFile(each));

const isFile = (value: unknown): value is SupersededFile =>
  isRecord(value) && typeof value.path === 'string' && isTextIfAny(value.basis);

const isTextIfAny = (value: unknown): boolean => value === undefined || typeof value === 'string';

export function checkForget(path: unknown, options: ForgetOptions): void {
  checkPathGiven(path);
  checkOptions<ForgetOptions>(options, {
    reason: required('a text'),
    quote: 'a text',
    basis: 'a text',
    signal: SIGNAL,
  });
}

export function checkChange(files: readonly FileChange[], options: ChangeOptions): void {
  const areFiles = Array.isArray(files) && files.every((each) => isFile(each) && isChange(each));
  if (!areFiles) throw expected('files', A_LIST_OF_CHANGES, files);
  checkOptions<ChangeOptions>(options, {
    reason: required('a text'),
    kind: ['dream', 'extraction'],
    lifts: 'a list of texts',
    signal: SIGNAL,
  });
}

const A_LIST_OF_CHANGES = { what: 'a list of `{ path, basis, text }`' };

const isChange = ({ text, reason, quote, successor }: Partial<FileChange>): boolean =>
  [text, reason, quote, successor].every(isTextIfAny);

export function checkUndo(options: UndoOptions): void {
  if (!isRecord(options)) throw expected('options', AN_UNDO, options);
  checkOptions<UndoOptions>(options, { id: 'a text', signal: SIGNAL });
}

const AN_UNDO = { what: 'an object such as `{ id }`' };

export function checkRecall(turn: unknown, call: RecallCall): void {
  if (typeof turn !== 'string')
    throw expected('turn', { what: 'what the user said, as a text' }, turn);
  checkOptions<RecallCall>(call, {
    signal: SIGNAL,
    recentTools: 'a list of texts',
    onFirst: 'a function',
  });
}
