import type { patchedFiles, ToolCall } from '@varve/messages/tools';
import { shellCommand } from '@varve/messages/tools';
import type { DoneCall, Extractor } from './extractor.ts';
import type { Place } from './fact.ts';
import { createPaths, type Paths } from './paths.ts';
import { createSlots } from './slots.ts';

type PatchedFile = ReturnType<typeof patchedFiles>[number];

interface FileState {
  readonly created: boolean;
  readonly edits: number;
  readonly last: 'created' | 'edited' | 'deleted' | 'moved';
  readonly detail?: string;
}

/** UTF-16 units; no file system takes a longer one. */
const LONGEST_PATH = 4_096;

/** Files that were changed, with their last state, and files that were read. A changed file shows once, as changed. */
export function createFileFacts(): Extractor & { readonly paths: Paths } {
  const paths = createPaths();
  const states = new Map<string, FileState>();
  const changed = createSlots('file');
  const read = createSlots('file-read');
  let openFile: string | undefined;

  const change = ({ path, change: last, to }: PatchedFile, place: Place, folder?: string): void => {
    if (path.length > LONGEST_PATH) return;
    const key = paths.identify(path, folder);
    const target = to === undefined ? undefined : paths.identify(to, folder);
    const before = states.get(key);
    const there = before === undefined ? read.get(key) !== undefined : before.last !== 'deleted';
    const again = last === 'created' && there;
    const state: FileState = {
      created: (before?.created ?? false) || (last === 'created' && !again),
      edits: (before?.edits ?? 0) + (last === 'edited' || again ? 1 : 0),
      last,
      ...(to !== undefined && { detail: `to ${target === key ? to : target}` }),
    };
    states.set(key, state);
    changed.set(key, stateText(state), place);
    if (to !== undefined && target !== key) change({ path: to, change: 'created' }, place, folder);
  };
  const look = (path: string, range: string, place: Place, folder?: string): void => {
    if (path.length <= LONGEST_PATH) read.set(paths.identify(path, folder), range, place);
  };

  return {
    paths,
    done({ call, outcome, text, media }, place) {
      if (outcome.status !== 'passed' && outcome.status !== 'running') return;
      const folder =
        call.kind === 'shell' ? (shellCommand(call.command).folder ?? call.folder) : undefined;
      openFile = openedBy(call) ?? openFile;
      for (const file of changesOf(call, openFile, text)) change(file, place, folder);
      for (const path of readsOf({ call, outcome, text }))
        look(path, media === undefined ? rangeOf(call) : 'seen as an image', place, folder);
    },
    facts: () => [...changed.facts(), ...read.facts().filter(({ key }) => !states.has(key))],
    superseded: changed.superseded,
  };
}

function changesOf(
  call: ToolCall,
  openFile: string | undefined,
  text: string,
): readonly PatchedFile[] {
  if (call.kind === 'patch') return call.files;
  if (call.kind === 'shell') return shellCommand(call.command).files.changes;
  if (call.kind !== 'edit' && call.kind !== 'write') return [];
  const path = call.path ?? openFile;
  if (path === undefined) return [];
  // what a tool says about its write tells a new file from one that was there
  const created =
    call.kind === 'write' && !/\b(?:updated|overw\w+|modified)\b/i.test(text.slice(0, 200));
  return [{ path, change: created ? 'created' : 'edited' }];
}

/** Agents that edit without naming a file edit the one they opened last. */
function openedBy(call: ToolCall): string | undefined {
  if (call.kind === 'read') return call.paths[0];
  return call.kind === 'write' || call.kind === 'edit' ? call.path : undefined;
}

function readsOf({ call, outcome }: DoneCall): readonly string[] {
  if (call.kind === 'read') return call.paths;
  if (call.kind === 'shell' && outcome.status === 'passed')
    return shellCommand(call.command).files.reads;
  return [];
}

function rangeOf({ input }: ToolCall): string {
  const start = input.offset ?? input.start_line ?? input.startLine ?? input.line_number;
  const count = input.limit ?? input.end_line ?? input.endLine;
  const { view_range: view } = input;
  if (Array.isArray(view) && view.every((line) => typeof line === 'number')) {
    return `lines ${view.join('-')}`;
  }
  if (typeof start !== 'number') return 'read';
  const until =
    typeof count !== 'number' ? '' : `, ${'limit' in input ? `${count} lines` : `to ${count}`}`;
  return `from line ${start}${until}`;
}

function stateText({ created, edits, last, detail }: FileState): string {
  if (last === 'deleted') return 'deleted';
  if (last === 'moved') return `moved ${detail ?? ''}`.trim();
  const times = edits === 0 ? '' : edits === 1 ? 'edited once' : `edited ${edits} times`;
  return created ? ['created', times].filter((part) => part !== '').join(', ') : times;
}
