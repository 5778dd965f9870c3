import { checkText } from '../check-text.ts';

/** More paths in one text are a list of them, however long the text is. */
const MOST_PATHS = 8;
/** Fewer are none: a rule may name the place it is about. */
const LEAST_PATHS = 3;
/** Beyond it, paths are what the text consists of. */
const MOST_SHARE = 0.02;

/** A path of a file or a folder: in code with a slash, or with a slash and an ending. Addresses of the web are none. */
const PATH =
  /`[^`\n]*[/\\][^`\n]*`|(?<![\p{L}\p{N}:/@.-])(?:\.{0,2}\/)?(?:[\w@.-]+\/)+[\w@-][\w@.-]*\.[A-Za-z]\w{0,5}\b/gu;
const WEB = /\b[a-z][a-z\d+.-]*:\/\/[^\s<>)\]`]+/gi;

/** Whether a text lists what a repository shows by itself (D9): where its files are. */
export function isPathList(text: string): boolean {
  checkText('text', text);
  const bare = text.replace(WEB, ' ');
  const paths = bare.match(PATH)?.length ?? 0;
  if (paths > MOST_PATHS) return true;
  const words = bare.split(/\s+/).filter(Boolean).length;
  return paths >= LEAST_PATHS && paths > words * MOST_SHARE;
}
