/** What a patch does to one file. */
export interface PatchedFile {
  readonly path: string;
  readonly change: 'created' | 'edited' | 'deleted' | 'moved';
  /** Where it went; only of a moved one. */
  readonly to?: string;
}

/** Files of a `*** Begin Patch` envelope or of a unified diff; none where the text is neither. */
export function patchedFiles(text: string): PatchedFile[] {
  if (text.includes('*** Begin Patch')) return envelopeFiles(text);
  return text.includes('\n+++ ') ? unifiedFiles(text) : [];
}

const HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$(?:\r?\n\*\*\* Move to: (.+)$)?/gm;
const CHANGES = { Add: 'created', Update: 'edited', Delete: 'deleted' } as const;

function envelopeFiles(text: string): PatchedFile[] {
  return [...text.matchAll(HEADER)].flatMap(([, verb, given = '', target]): PatchedFile[] => {
    const path = given.trim();
    if (path === '') return [];
    if (target === undefined) return [{ path, change: CHANGES[verb as keyof typeof CHANGES] }];
    return [{ path, change: 'moved', to: target.trim() }];
  });
}

const PAIR = /^--- (\S+)(?!\S)[^\n]*\n\+\+\+ (\S+)/gm;
const NOWHERE = '/dev/null';

function unifiedFiles(text: string): PatchedFile[] {
  return [...text.matchAll(PAIR)].map(([, before = '', after = '']) => {
    if (before === NOWHERE) return { path: bare(after), change: 'created' };
    if (after === NOWHERE) return { path: bare(before), change: 'deleted' };
    return { path: bare(after), change: 'edited' };
  });
}

const bare = (path: string): string => path.replace(/^[ab]\//, '');
