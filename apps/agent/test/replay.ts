import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isRecord, textOf } from '@varve/guards';
import {
  type Block,
  type Entry,
  isText,
  isToolResult,
  isToolUse,
  type ToolResultBlock,
  type ToolUseBlock,
} from '@varve/messages';

/** What a recorded call did, in the words of no tool in particular. */
type Deed =
  | {
      readonly kind: 'read';
      readonly path: string;
      readonly isPart: boolean;
      readonly shown: Lines;
    }
  | { readonly kind: 'edit'; readonly path: string; readonly edits: readonly Replacement[] }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  /** A tool that the agent has, with input of ours. */
  | { readonly kind: 'other'; readonly name: string; readonly input: object }
  /** What a program, a person or the web said: it is not done again, and the agent is told the same. */
  | { readonly kind: 'told'; readonly text: string; readonly failed: boolean };

interface Replacement {
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

interface Lines {
  /** The number of the first line. */
  readonly first: number;
  readonly lines: readonly string[];
}

export interface Turn {
  readonly prompt: string;
  /** The last one makes no call. */
  readonly replies: readonly (readonly Block[])[];
}

/** Turns of a recorded session: what a person said, and what the model answered until the next time. */
export function turnsOf(entries: readonly Entry[]): Turn[] {
  const turns: { prompt: string; replies: Block[][] }[] = [];
  const last = () => turns.at(-1);
  const close = () => {
    const turn = last();
    const end = turn?.replies.at(-1);
    if (turn !== undefined && (end === undefined || end.some(isToolUse)))
      turn.replies.push([{ type: 'text', text: 'Stopped here.' }]);
  };
  for (const entry of entries) {
    if (entry.type !== 'message') continue;
    const { role, content } = entry.message;
    const text = content.flatMap((block) => (isText(block) ? [block.text] : [])).join('\n\n');
    if (role === 'user') {
      if (content.some(isToolResult) || text.trim() === '') continue;
      close();
      turns.push({ prompt: text, replies: [] });
      continue;
    }
    const said = content.filter(
      (block) => (isText(block) && block.text.trim() !== '') || isToolUse(block),
    );
    if (said.length === 0) continue;
    const turn = last();
    const isOver = turn?.replies.at(-1)?.some(isToolUse) === false;
    if (turn === undefined || isOver) turns.push({ prompt: 'Go on.', replies: [said] });
    else turn.replies.push(said);
  }
  close();
  return turns;
}

/** Counts of a replay. */
export interface Counts {
  calls: number;
  reads: number;
  /** Reads whose lines were there already, written by earlier calls of the agent. */
  agreed: number;
  edits: number;
  writes: number;
  searches: number;
  told: number;
  /** Files that the session had read in another way, so that the agent reads them first. */
  readFirst: number;
}

/** What Read shows at once. */
const MOST_LINES = 2_000;
const PIECE_LINES = 500;

/** The scratch checkout of a session: files as its own reads and writes show them. */
export function createCheckout(folder: string, entries: readonly Entry[]) {
  const results = resultsOf(entries);
  const deeds = new Map<string, Deed>();
  for (const call of callsOf(entries)) deeds.set(call.id, deedOf(call, results.get(call.id)));
  const later = laterEdits([...deeds.values()]);
  const files = join(folder, 'files');
  const said = join(folder, 'said');
  for (const each of [files, said]) mkdirSync(each, { recursive: true });
  const seen = new Set<string>();
  const inPart = new Set<string>();
  const counts: Counts = {
    calls: 0,
    reads: 0,
    agreed: 0,
    edits: 0,
    writes: 0,
    searches: 0,
    told: 0,
    readFirst: 0,
  };
  const wanted = new Map<string, Deed['kind']>();

  /** Where a path of the session is: never outside of the checkout. */
  const placeOf = (path: string): string =>
    join(files, resolve('/', isAbsolute(path) ? path : join('cwd', path)));
  const textAt = (path: string): string | undefined =>
    existsSync(placeOf(path)) ? readFileSync(placeOf(path), 'utf8') : undefined;
  const put = (path: string, text: string): void => {
    if (textAt(path) === text) return;
    mkdirSync(dirname(placeOf(path)), { recursive: true });
    writeFileSync(placeOf(path), text);
    seen.delete(path);
  };
  const use = (name: string, input: object, kind: Deed['kind']): ToolUseBlock => {
    const id = `call_${++counts.calls}`;
    wanted.set(id, kind);
    return { type: 'tool_use', id, name, input: { ...input } };
  };
  const readCall = (path: string, more: object = {}): ToolUseBlock => {
    seen.add(path);
    if ('offset' in more || (textAt(path) ?? '').split('\n').length > MOST_LINES) inPart.add(path);
    return use('Read', { file_path: placeOf(path), ...more }, 'read');
  };
  /** A file that can be changed: one that is there was read since it was changed last. */
  const before = (path: string): ToolUseBlock[] => {
    if (seen.has(path) || textAt(path) === undefined) return [];
    counts.readFirst += 1;
    return [readCall(path)];
  };
  /** A file that can be written anew: one of which the session saw a part is read to its end. */
  function* beforeWrite(path: string): Generator<ToolUseBlock> {
    const text = textAt(path);
    if (text === undefined || !inPart.delete(path)) {
      yield* before(path);
      return;
    }
    counts.readFirst += 1;
    for (let offset = 1; offset <= text.split('\n').length; offset += PIECE_LINES)
      yield readCall(path, { offset, limit: PIECE_LINES });
  }

  function* callsFor(block: ToolUseBlock): Generator<ToolUseBlock> {
    const deed = deeds.get(block.id) ?? { kind: 'told', text: '', failed: true };
    switch (deed.kind) {
      case 'read': {
        const { path, shown, isPart } = deed;
        const old = textAt(path);
        const next = withLines(old ?? '', shown);
        counts.reads += 1;
        if (old !== undefined && old === next) counts.agreed += 1;
        put(path, withEdits(next, later.get(deed) ?? []));
        yield readCall(path, isPart ? { offset: shown.first, limit: shown.lines.length } : {});
        break;
      }
      case 'edit': {
        const { path, edits } = deed;
        const text = withEdits(textAt(path) ?? '', [...edits, ...(later.get(deed) ?? [])]);
        put(path, edits[0]?.all === false ? onlyOnce(text, edits[0].from) : text);
        yield* before(path);
        for (const { from, to, all } of edits) {
          counts.edits += 1;
          const input = { old_string: from, new_string: to, ...(all && { replace_all: true }) };
          yield use('Edit', { file_path: placeOf(path), ...input }, 'edit');
        }
        break;
      }
      case 'write':
        counts.writes += 1;
        yield* beforeWrite(deed.path);
        seen.add(deed.path);
        inPart.delete(deed.path);
        yield use('Write', { file_path: placeOf(deed.path), content: deed.content }, 'write');
        break;
      case 'other': {
        counts.searches += 1;
        const { path } = deed.input as { path?: string };
        const input = {
          ...deed.input,
          ...(deed.name !== 'TodoWrite' && { path: path === undefined ? files : placeOf(path) }),
        };
        yield use(deed.name, input, 'other');
        break;
      }
      case 'told': {
        counts.told += 1;
        const file = join(said, String(counts.told));
        writeFileSync(file, deed.text);
        yield use('Bash', { command: `cat ${file}${deed.failed ? '; exit 1' : ''}` }, 'told');
      }
    }
  }

  return {
    counts,
    /** What a call was for, by the id that it has here. */
    kindOf: (id: string) => wanted.get(id),
    /** After a compaction the agent has to read files again. */
    forget: () => seen.clear(),
    /**
     * As much of a reply as can be done at once, in our words, with files as they have to be for it; what comes after a second
     * call for the same file has to wait until the first one is done.
     */
    prepare(reply: readonly Block[]): { readonly now: Block[]; readonly rest: readonly Block[] } {
      const now: Block[] = [];
      const touched = new Set<string>();
      for (const [index, block] of reply.entries()) {
        if (!isToolUse(block)) {
          now.push(block);
          continue;
        }
        const path = pathOf(deeds.get(block.id));
        if (path !== undefined && touched.has(path)) return { now, rest: reply.slice(index) };
        if (path !== undefined) touched.add(path);
        now.push(...callsFor(block));
      }
      return { now, rest: [] };
    },
  };
}

const pathOf = (deed: Deed | undefined): string | undefined =>
  deed !== undefined && 'path' in deed ? deed.path : undefined;

function* callsOf(entries: readonly Entry[]): Generator<ToolUseBlock> {
  for (const entry of entries)
    if (entry.type === 'message') yield* entry.message.content.filter(isToolUse);
}

function resultsOf(entries: readonly Entry[]): Map<string, ToolResultBlock> {
  const results = new Map<string, ToolResultBlock>();
  for (const entry of entries)
    if (entry.type === 'message')
      for (const block of entry.message.content)
        if (isToolResult(block)) results.set(block.tool_use_id, block);
  return results;
}

/** Of a read, and of an edit that none comes before, the edits that follow until the file is read or written again. */
function laterEdits(deeds: readonly Deed[]): Map<Deed, Replacement[]> {
  const later = new Map<Deed, Replacement[]>();
  const open = new Map<string, Replacement[]>();
  for (const deed of deeds) {
    if (deed.kind === 'write') open.delete(deed.path);
    if (deed.kind !== 'read' && deed.kind !== 'edit') continue;
    if (deed.kind === 'edit') open.get(deed.path)?.push(...deed.edits);
    const edits: Replacement[] = [];
    if (deed.kind === 'read' || !open.has(deed.path)) {
      open.set(deed.path, edits);
      later.set(deed, edits);
    }
  }
  return later;
}

const FILLER = 'a line that the session did not show';

/** A text in which lines are as a read showed them. */
function withLines(text: string, { first, lines }: Lines): string {
  const all = text === '' ? [] : text.split('\n');
  while (all.length < first - 1) all.push(FILLER);
  all.splice(first - 1, lines.length, ...lines);
  return all.join('\n');
}

/** A text to which edits apply one after the other: what no read showed of them stands at its end. */
function withEdits(text: string, edits: readonly Replacement[]): string {
  let base = text;
  for (let tries = 0; tries <= edits.length; tries++) {
    const missing = firstMissing(base, edits);
    if (missing === undefined) return base;
    base = `${base}\n${FILLER}\n${missing}\n`;
  }
  return base;
}

/** Without the other places of a text that the session says stood there once. */
function onlyOnce(text: string, part: string): string {
  const at = text.indexOf(part) + part.length;
  return text.slice(0, at) + text.slice(at).split(part).join(FILLER);
}

function firstMissing(base: string, edits: readonly Replacement[]): string | undefined {
  let text = base;
  for (const { from, to } of edits) {
    if (!text.includes(from)) return from;
    text = text.split(from).join(to);
  }
  return undefined;
}

/** The tools of the agents whose sessions we have, by what they do. */
function deedOf({ name, input }: ToolUseBlock, result: ToolResultBlock | undefined): Deed {
  const text = resultText(result);
  const failed = result === undefined || result.is_error === true;
  const told: Deed = { kind: 'told', text, failed };
  if (failed || !isRecord(input)) return told;
  const given = (...names: readonly string[]): string | undefined => {
    for (const each of names) if (typeof input[each] === 'string') return input[each] as string;
    return undefined;
  };
  const path = given('file_path', 'filePath', 'path', 'absolute_path');
  const from = given('old_string', 'oldString', 'old_str', 'oldText');
  const to = given('new_string', 'newString', 'new_str', 'newText') ?? '';
  const content = given('content', 'file_text');
  const all =
    input.replace_all === true ||
    input.replaceAll === true ||
    input.expected_replacements !== undefined;
  const does = name === 'str_replace_editor' ? String(input.command) : name.toLowerCase();
  switch (does) {
    case 'read':
    case 'read_file':
    case 'view': {
      const isPart = ['offset', 'limit', 'view_range'].some((each) => input[each] !== undefined);
      const shown = linesIn(text, Number(input.offset ?? 1));
      if (path === undefined || shown === undefined) return told;
      return { kind: 'read', path, shown, isPart };
    }
    case 'edit':
    case 'replace':
    case 'str_replace':
      if (path === undefined || from === undefined || from === to) return told;
      if (from === '') return { kind: 'write', path, content: to };
      return { kind: 'edit', path, edits: [{ from, to, all }] };
    case 'multiedit': {
      const edits = Array.isArray(input.edits) ? input.edits.filter(isRecord) : [];
      const read = edits.map((each) => ({
        from: textOf(each.old_string),
        to: textOf(each.new_string),
        all: each.replace_all === true,
      }));
      if (path === undefined || read.some((each) => each.from === '' || each.from === each.to))
        return told;
      return { kind: 'edit', path, edits: read };
    }
    case 'write':
    case 'write_file':
    case 'create':
      return path === undefined || content === undefined ? told : { kind: 'write', path, content };
    case 'glob':
    case 'ls':
      return {
        kind: 'other',
        name: 'Glob',
        input: { pattern: textOf(input.pattern) || '*', ...(path && { path }) },
      };
    case 'grep':
    case 'grep_search': {
      const glob = given('glob', 'include');
      const pattern = given('pattern');
      if (pattern === undefined) return told;
      return {
        kind: 'other',
        name: 'Grep',
        input: { pattern, ...(path && { path }), ...(glob && { glob }), output_mode: 'content' },
      };
    }
    case 'todowrite':
    case 'todo': {
      const items = [input.todos, input.items].find(Array.isArray)?.filter(isRecord) ?? [];
      const todos = items.map((item) => ({
        content: textOf(item.content ?? item.text) || 'something',
        status: STATUSES[textOf(item.status)] ?? 'pending',
      }));
      return { kind: 'other', name: 'TodoWrite', input: { todos } };
    }
    default:
      return told;
  }
}

const STATUSES: Readonly<Record<string, string>> = {
  'in-progress': 'in_progress',
  in_progress: 'in_progress',
  completed: 'completed',
  done: 'completed',
};

function resultText(result: ToolResultBlock | undefined): string {
  const { content = '' } = result ?? {};
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (isText(block) ? [block.text] : [])).join('\n');
}

const NUMBERED = /^\s*(\d+)(?:→|\t|\||: |:|\. )(.*)$/;
const FOLDER = /^<path>[^\n]*\n<type>directory/;

/** The lines of a file that a read showed, numbered or as they are; undefined where it showed no file. */
function linesIn(result: string, offset: number): Lines | undefined {
  if (result === '' || FOLDER.test(result)) return undefined;
  const all = result.replaceAll('\r\n', '\n').split('\n');
  const at = all.findIndex((line) => NUMBERED.test(line));
  const numberOf = (line: string | undefined) =>
    Number(NUMBERED.exec(line ?? '')?.[1] ?? Number.NaN);
  const isNumbered =
    at >= 0 && at < 6 && (all.length === at + 1 || numberOf(all[at + 1]) === numberOf(all[at]) + 1);
  if (!isNumbered) {
    const first = Number.isInteger(offset) && offset > 0 ? offset : 1;
    return { first, lines: all };
  }
  const first = numberOf(all[at]);
  const lines: string[] = [];
  for (const line of all.slice(at)) {
    if (numberOf(line) !== first + lines.length) break;
    lines.push(NUMBERED.exec(line)?.[2] ?? '');
  }
  return { first: Math.max(1, first), lines };
}
