import { isRecord } from '@varve/guards';
import type { ToolUseBlock } from '@varve/messages';
import {
  commandIn,
  editorKind,
  patchedFiles,
  pathsIn,
  plainPath,
  shellCommand,
} from '@varve/messages/tools';
import type { ToolClass, ToolRules } from './tool-class.ts';

/** What is kept of a tool call. */
export interface CallFacts {
  readonly toolName: string;
  /** The file or folder the call is about. */
  readonly path?: string;
  /** Everything the call names that could be a path or a handle, `path` included. */
  readonly names: readonly string[];
  /** Equal for calls that ask the same thing of the same tool; undefined when the input is long. */
  readonly key?: string;
  /** It asks an editor for a look at a file. */
  readonly views: boolean;
  /** What its shell command is about, where that is a look at files. */
  readonly looks?: 'read' | 'search';
}

/** A call as a set of tools has it. */
export interface RatedCall extends CallFacts {
  readonly toolClass: ToolClass;
  /** What it is used for: a shell that reads a file counts as reading. */
  readonly use: ToolClass;
  /** The tool is one whose results may be cleared, and the call is not protected. */
  readonly clearable: boolean;
}

/** Reads a call once in the life of its block. */
export function readCall(call: ToolUseBlock): CallFacts {
  let facts = known.get(call);
  if (!facts) {
    facts = factsOf(call);
    known.set(call, facts);
  }
  return facts;
}

// Memory of a pure function: dropping it changes nothing but time.
const known = new WeakMap<ToolUseBlock, CallFacts>();

export interface RateOptions {
  readonly tools: ToolRules;
  readonly isProtected: (call: CallFacts) => boolean;
}

/** What a set of tools says about a call. */
export function rateCall(facts: CallFacts, { tools, isProtected }: RateOptions): RatedCall {
  const { toolName, views, looks } = facts;
  const found = tools.classOf(toolName);
  const toolClass = found === 'edit' && views ? 'read' : found;
  return {
    ...facts,
    toolClass,
    use: toolClass === 'shell' ? (looks ?? toolClass) : toolClass,
    clearable: tools.isCompactable(toolName) && !isProtected(facts),
  };
}

function factsOf({ name, input }: ToolUseBlock): CallFacts {
  const strings = stringsOf(input);
  const path = pathOf(input) ?? patchedPath(strings);
  const names = new Set(path === undefined ? [] : [path]);
  for (const text of strings) addNames(text, names);
  const key = keyOf(name, input);
  const looks = lookOf(input);
  return {
    toolName: name,
    ...(path !== undefined && { path }),
    names: [...names],
    ...(key !== undefined && { key }),
    views: isRecord(input) && editorKind(input) === 'read',
    ...(looks !== undefined && { looks }),
  };
}

/** What its shell command is about, where that is a look at files. */
function lookOf(input: unknown): 'read' | 'search' | undefined {
  const command = isRecord(input) ? commandIn(input) : undefined;
  const use = command === undefined ? undefined : shellCommand(command).use;
  return use === 'read' || use === 'search' ? use : undefined;
}

function pathOf(input: unknown): string | undefined {
  const [path] = isRecord(input) ? pathsIn(input) : [];
  return path === undefined ? undefined : plainPath(path);
}

function patchedPath(strings: readonly string[]): string | undefined {
  for (const text of strings) {
    const [file] = patchedFiles(text);
    if (file !== undefined) return plainPath(file.path);
  }
  return undefined;
}

const MAX_DEPTH = 3;
const MAX_STRINGS = 64;
// Commands and patches name their files early; what follows is mostly content.
const READ_CHARACTERS = 2_000;

function stringsOf(input: unknown): string[] {
  const found: string[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (found.length >= MAX_STRINGS) return;
    if (typeof value === 'string') found.push(value.slice(0, READ_CHARACTERS));
    else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
      for (const inner of Object.values(value)) walk(inner, depth + 1);
    }
  };
  walk(input, 0);
  return found;
}

const WORD = /[\w@.~+-]*[/.][\w@./~+-]*/g;
const MIN_NAME = 4;
const MAX_NAMES = 32;

function addNames(text: string, names: Set<string>): void {
  for (const [word] of text.matchAll(WORD)) {
    if (names.size >= MAX_NAMES) return;
    const name = plainPath(word.replace(/\.+$/, ''));
    if (name.length >= MIN_NAME && /[A-Za-z]/.test(name) && name !== '/dev/null') names.add(name);
  }
}

const MAX_KEY = 1_000;

function keyOf(name: string, input: unknown): string | undefined {
  const written = JSON.stringify(input) ?? '';
  return written.length > MAX_KEY ? undefined : `${name} ${written}`;
}
