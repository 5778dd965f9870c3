import { replacementsIn, stringIn, type ToolCall } from '@varve/messages/tools';
import type { Extractor } from './extractor.ts';
import type { Fact, Place } from './fact.ts';
import { importanceOf } from './importance.ts';
import { oneLineOfWords } from './names.ts';
import type { Paths } from './paths.ts';

/** One change of a text, as the call gave it. */
interface Change {
  readonly before: string;
  readonly after: string;
}

interface Edited {
  readonly place: Place;
  /** The newest last. */
  readonly changes: readonly (Change | readonly Change[])[];
}

/** Edits of one file that are told of. */
const MOST_EDITS = 3;
/** Files that are remembered. */
const MOST_FILES = 400;
/** UTF-16 units of one side of a change that are compared. */
const MOST_READ = 20_000;
const MOST_LINE = 100;

/**
 * What the last edits of each file did: the symbol that they are in, how many lines came and went, and the first line that
 * says something, from the calls' own input. An edit costs nothing but a place in a list until it is asked for.
 */
export function createEditFacts(paths: Paths): Extractor {
  const edited = new Map<string, Edited>();
  const note = (path: string, change: Change | readonly Change[], place: Place): void => {
    const key = paths.find(path) ?? path;
    const changes = [...(edited.get(key)?.changes ?? []), change].slice(-MOST_EDITS);
    edited.delete(key);
    edited.set(key, { changes, place });
    const oldest = edited.size > MOST_FILES ? edited.keys().next().value : undefined;
    if (oldest !== undefined) edited.delete(oldest);
  };
  return {
    done({ call, outcome }, place) {
      if (outcome.status !== 'passed') return;
      for (const { path, change } of changesIn(call)) note(path, change, place);
    },
    facts: () =>
      [...edited].flatMap(([key, { changes, place }]): Fact[] => {
        const gists = changes
          .map((each) => gistOf(each, !PROSE.test(key)))
          .filter((gist) => gist !== '');
        if (gists.length === 0) return [];
        const value = [...new Set(gists)].join('; ');
        return [{ type: 'edit', key, value, ...place, ...importanceOf('edit') }];
      }),
  };
}

const CONTENT = ['content', 'contents', 'file_text', 'fileText', 'code_edit', 'new_str', 'text'];

function changesIn(
  call: ToolCall,
): readonly { readonly path: string; readonly change: Change | readonly Change[] }[] {
  if (call.kind === 'patch') return patchChanges(call);
  if ((call.kind !== 'edit' && call.kind !== 'write') || call.path === undefined) return [];
  const replaced = replacementsIn(call.input);
  const changes = replaced?.map(({ oldText, newText }) => ({ before: oldText, after: newText }));
  const after = stringIn(call.input, CONTENT);
  const change = changes ?? (after === undefined ? undefined : { before: '', after });
  return change === undefined ? [] : [{ path: call.path, change }];
}

/** The hunks of a patch, file by file. */
function patchChanges(
  call: Extract<ToolCall, { kind: 'patch' }>,
): readonly { readonly path: string; readonly change: Change }[] {
  const text =
    stringIn(call.input, ['input', 'patch', 'diff', 'patchText', 'command', 'cmd']) ?? '';
  const sections = text
    .slice(0, 10 * MOST_READ)
    .split(/^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ )/m);
  return sections.slice(1).flatMap((section) => {
    const [first = '', ...lines] = section.split('\n');
    const path = first.trim().replace(/^b\//, '');
    const file = call.files.find((each) => each.path === path);
    if (file === undefined) return [];
    const side = (sign: '+' | '-') =>
      lines
        .filter((line) => line.startsWith(sign) || line.startsWith(' ') || line.startsWith('@@'))
        .map((line) => line.replace(/^@@.*@@|^@@/, '').replace(/^[+ -]/, ''))
        .join('\n');
    return [{ path, change: { before: side('-'), after: side('+') } }];
  });
}

function gistOf(change: Change | readonly Change[], isCode: boolean): string {
  const changes = Array.isArray(change) ? (change as readonly Change[]) : [change as Change];
  const gists = changes.map((each) => gistOfOne(each, isCode)).filter((gist) => gist !== '');
  if (gists.length <= 2) return gists.join('; ');
  return `${gists.slice(0, 2).join('; ')}; and ${gists.length - 2} more places`;
}

/** Files without symbols. */
const PROSE = /\.(?:mdx?|txt|rst|html?|s?css|less|json[cl5]?|ya?ml|toml|xml|svg|csv|lock|log)$/i;

function gistOfOne({ before, after }: Change, isCode: boolean): string {
  const old = before.slice(0, MOST_READ).split('\n');
  const next = after.slice(0, MOST_READ).split('\n');
  const start = sharedLines(old, next);
  const [oldRest, nextRest] = [old.slice(start), next.slice(start)];
  const end = sharedLines(oldRest.toReversed(), nextRest.toReversed());
  const gone = oldRest.slice(0, oldRest.length - end).filter(isText);
  const come = nextRest.slice(0, nextRest.length - end).filter(isText);
  if (gone.length + come.length === 0) return '';
  const isNew = before === '';
  const known = new Set(old.map((line) => line.trim()));
  const added = come.filter((line) => !known.has(line.trim()));
  const symbol = !isCode
    ? undefined
    : (symbolIn(added) ?? symbolIn(next.slice(0, start + 1).toReversed()) ?? symbolIn(gone));
  const lost = gone.filter((each) => !come.includes(each));
  // a line that moved, or that stands there once more, is neither new nor gone
  const line =
    added.find((each) => !isFrame(each)) ?? added[0] ?? (lost.length === 0 ? come[0] : undefined);
  const words = line === undefined ? `without \`${short(lost[0] ?? '')}\`` : `\`${short(line)}\``;
  const counts = isNew
    ? `${come.length} ${come.length === 1 ? 'line' : 'lines'}`
    : `+${come.length} -${gone.length}`;
  const where = symbol === undefined || words.includes(symbol) ? '' : `in ${symbol} `;
  return `${where}${words} (${counts})`;
}

/** How many lines two texts begin with alike. */
function sharedLines(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((line, index) => line !== other[index]);
  return at === -1 ? one.length : at;
}

/** A bracket or a letter says nothing. */
const isText = (line: string): boolean => /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(line);
/** What stands around the change in most files. */
const isFrame = (line: string): boolean =>
  /^\s*(?:import\b|from\b|export \{|package\b|use\b|#include|\/\/|\/?\*|#!|"""|---)/.test(line);
const short = (line: string): string => oneLineOfWords(line.replaceAll('`', "'"), MOST_LINE);

const SYMBOL =
  /^\s*(?:export |default |async |public |private |protected |static |abstract |pub(?:\([a-z]+\))? |unsafe |override |final )*(?:function\*?|class|interface|type|enum|struct|trait|impl|def|fn|func(?: \([^)]*\))?|module|describe|test|it)\s*\(?['"`]?([\p{L}_$][\p{L}\p{N}_$.]*)/u;
const BINDING = /^\s*(?:export )?(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*[:=]/u;

function symbolIn(lines: readonly string[]): string | undefined {
  for (const shape of [SYMBOL, BINDING]) {
    for (const line of lines) {
      const name = shape.exec(line)?.[1];
      if (name !== undefined) return name;
    }
  }
  return undefined;
}
