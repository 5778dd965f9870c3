import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { isFolder } from './paths.ts';
import type { Word } from './shell-line.ts';

const run = promisify(execFile);
/** A history that is not looked through in this time counts as one that holds the file, in milliseconds. */
const LOOK_MS = 3_000;

/** Commands of git that print what is in files; those in `log` only with a flag for it. */
const SHOWERS = new Set(
  'diff show log blame annotate grep cat-file archive format-patch stash whatchanged range-diff diff-tree diff-index diff-files difftool reflog fast-export'.split(
    ' ',
  ),
);
const LOGS = new Set(['log', 'reflog']);
/** Commands of git that print contents only where a flag asks for it: what is about to be committed, or each change to choose from. */
const ASKED = new Set('status commit add checkout reset restore stash am rebase'.split(' '));
const ASKS = /^-(?!-)[a-zA-Z]*[vp]|^--(?:verb|patc|show-cur)/;
/** Flags with which a log prints contents. */
const SHOWS =
  /^-(?!-)[a-zA-Z]*[puUcmLW]|^--(?:patch|unified|cc|dd|word-diff|color-words|diff-merges|remerge-diff|binary|function-context)/;
/** Flags with which a difference is only counted or named. */
const NAMES =
  /^(?:-s|--(?:(?:num|short|dir)?stat|name-only|name-status|summary|no-patch|raw)(?:=.*)?)$/;
/** What makes git know a file that it did not know before. */
const ADDERS =
  /^(?:add|commit|stash|update-index|apply|am|checkout|restore|reset|pull|fetch|merge)$/;

/** What a command of git, without options before its name, prints of files that its words do not name. */
export function showsOthers([git, name, ...rest]: readonly Word[], cwd: string): boolean {
  if (basename(git?.text ?? '') !== 'git' || name === undefined) return false;
  if (!name.isFixed) return true;
  const texts = rest.map(({ text }) => text);
  if (ASKED.has(name.text) && texts.some((text) => ASKS.test(text))) return true;
  if (!SHOWERS.has(name.text)) return false;
  if (name.text === 'stash' && texts[0] !== 'show') return false;
  if (LOGS.has(name.text) && !texts.some((text) => SHOWS.test(text))) return false;
  if (texts.some((text) => NAMES.test(text)) && !texts.some((text) => SHOWS.test(text)))
    return false;
  const files = rest.slice(texts.indexOf('--') + 1);
  const isLimited =
    texts.includes('--') &&
    files.length > 0 &&
    files.every(
      ({ text, isFixed }) =>
        isFixed &&
        !/^:|[*?[]/.test(text) &&
        !isFolder(text.startsWith('/') ? text : `${cwd}/${text}`),
    );
  return !isLimited;
}

export const addsFiles = ([git, name]: readonly Word[]): boolean =>
  basename(git?.text ?? '') === 'git' && (!name?.isFixed || ADDERS.test(name.text));

/**
 * Whether git has, or had in any commit, a file that fits one of the patterns, as ripgrep reads them. Of commits that nothing
 * leads to any more, those count that the words of a command name, and all where a word is not certain.
 */
export async function knowsFiles(
  cwd: string,
  globs: readonly string[],
  words: readonly Word[] = [],
): Promise<boolean> {
  const specs = globs.flatMap((glob) => {
    const plain = glob.replace(/\/$/, '');
    const path = plain.startsWith('/')
      ? plain.slice(1)
      : plain.includes('/')
        ? plain
        : `**/${plain}`;
    return [`:(glob,icase)${path}`, `:(glob,icase)${path}/**`];
  });
  if (specs.length === 0) return false;
  const git = async (...args: string[]): Promise<string> => {
    const limits = { cwd, timeout: LOOK_MS, maxBuffer: 2 ** 26 };
    const { stdout } = await run('git', ['--no-pager', ...args], limits);
    return stdout.trim();
  };
  /** The kind of an object, empty where there is none. */
  const kindOf = (id: string) => git('cat-file', '-t', id).catch(() => '');
  try {
    if ((await git('ls-files', '--', ...specs)) !== '') return true;
    const ids = new Set(
      words.flatMap(({ text }) => [...(text.match(IDS) ?? []), ...revisionsIn(text)]),
    );
    const kinds = await Promise.all([...ids].map(async (id) => ({ id, kind: await kindOf(id) })));
    if (kinds.some(({ kind }) => kind === 'blob' || kind === 'tree')) return true; // nobody knows its name
    const named = kinds.flatMap(({ id, kind }) => (kind === '' ? [] : [id]));
    const lost = words.every(({ isFixed }) => isFixed)
      ? []
      : (await git('fsck', '--unreachable', '--no-reflogs', '--connectivity-only')).match(LOST);
    const from = ['--all', '--reflog', ...named, ...(lost ?? [])];
    const history = ['--full-history', '-1', '--format=%H', ...from, '--', ...specs];
    return (await git('log', ...history)) !== '';
  } catch (error) {
    // without a repository there is nothing to show
    return !/not a git repository|does not have any commits/i.test(String(error));
  }
}

/** What may be the id of an object in a word, also of a range. */
const IDS = /(?<![0-9a-z])[0-9a-f]{4,64}(?![0-9a-z])/gi;
/** What may name a commit, also as the end of a range or before a path: `FETCH_HEAD`, `v1-2-g0123abc`. */
const revisionsIn = (text: string): readonly string[] =>
  text.split(/\.{2,3}|:/).filter((part) => /^\w[\w./^~-]{0,200}$/.test(part));

/** Ids of commits that nothing leads to, as `git fsck` tells them. */
const LOST = /(?<=^unreachable commit )\w+/gm;
