import type { ToolUseBlock } from '@varve/messages';
import { forEachString, OLD_TEXT_KEYS } from '../demand/demand.ts';
import { pathsOf } from './call-paths.ts';

/** What a call put into a file, as far as its input shows it. */
export interface WrittenFile {
  readonly path: string;
  /** The written lines; empty for a file that was deleted. */
  readonly text: string;
  /** Whether nothing of an earlier version is left. */
  readonly isWhole: boolean;
}

/** The files that a call writes: named by a path beside the text, by a patch, or by the redirection of a here-document. */
export function writtenFiles(call: ToolUseBlock): readonly WrittenFile[] {
  const files: WrittenFile[] = [];
  forEachString(call.input, (text) => {
    if (PATCH.test(text)) files.push(...patchedFiles(text));
    else if (text.includes('<<')) files.push(...hereDocuments(text));
  });
  if (files.length > 0 || !EDITS.test(call.name)) return files;
  const texts: string[] = [];
  forEachString(call.input, (text, key) => {
    if (TEXT_KEY.test(key) && !OLD_TEXT_KEYS.has(key)) texts.push(text);
  });
  const [path] = pathsOf(call);
  if (path === undefined || texts.length === 0) return [];
  return [{ path, text: texts.join('\n'), isWhole: WHOLE.test(call.name) }];
}

/** Added lines and those around them, file by file. */
function patchedFiles(patch: string): readonly WrittenFile[] {
  const files: { path: string; lines: string[]; isWhole: boolean }[] = [];
  for (const line of patch.split('\n')) {
    const [, verb, named, added = named] = FILE_HEADER.exec(line) ?? [];
    if (added !== undefined) {
      const isWhole = verb !== undefined && verb !== 'Update';
      files.push({ path: added.trim(), lines: [], isWhole });
    } else if (/^[ +]/.test(line)) files.at(-1)?.lines.push(line.slice(1));
  }
  return files.map(({ path, lines, isWhole }) => ({ path, text: lines.join('\n'), isWhole }));
}

function hereDocuments(command: string): readonly WrittenFile[] {
  return [...command.matchAll(HERE_DOCUMENT)].flatMap(([, before = '', , , after = '', text]) => {
    const [, arrow, path] = REDIRECTION.exec(`${before} ${after}`) ?? [];
    if (path === undefined || text === undefined) return [];
    return [{ path, text, isWhole: arrow === '>' || arrow === 'tee' }];
  });
}

const PATCH = /^(?:\*\*\* Begin Patch|diff --git |\+\+\+ )/m;
const FILE_HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$|^\+\+\+ (?:b\/)?(\S+)/;
/** The command before it, the word that ends it, the rest of the line, the text. */
const HERE_DOCUMENT = /^(.*)<<-?\s*(['"]?)(\w+)\2(.*)\n([\s\S]*?)\n\s*\3\s*$/gm;
const REDIRECTION = /(?<![\d&])(>>?|tee -a|tee)\s*(?!\/dev\/|&)([\w$@~./-]+)/;
// names of tools and of their arguments in the agents whose sessions are read, by what they do
const EDITS = /write|create|edit|replace|insert|save|patch/i;
const WHOLE = /write|create|save/i;
const TEXT_KEY = /^new|content|text|body|source/i;
