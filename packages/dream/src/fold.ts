import { isOfTeam, parseText } from '@varve/memdir/files';
import { type StepFile, stepFile } from './patch.ts';
import type { Snapshot, SnapshotFile } from './snapshot.ts';

/** A file that says to the letter what another one says, and the one that stays. */
export interface Fold {
  readonly stays: SnapshotFile;
  readonly goes: readonly StepFile[];
}

/**
 * Files that are equal but for the day they were written and whether they are pinned. One that may not be changed stays, else the
 * newest; private memory and that of the team are never folded together.
 */
export function identicalFiles({ files }: Snapshot): readonly Fold[] {
  const groups = new Map<string, SnapshotFile[]>();
  for (const file of files.values()) {
    if (file.isProtected === 'not-text' || file.isProtected === 'too-large') continue;
    if (file.body.trim() === '') continue;
    const key = keyOf(file);
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups.values()].flatMap((group): Fold[] => {
    const [stays, ...others] = [...group].sort(byRank);
    const goes = others.filter(
      ({ isProtected }) => isProtected === undefined || isProtected === 'writer-not-known',
    );
    if (stays === undefined || goes.length === 0) return [];
    return [
      {
        stays,
        goes: goes.map(({ path, text }) => stepFile(path, text, undefined, stays.path)),
      },
    ];
  });
}

function keyOf({ path, text }: SnapshotFile): string {
  const { header, foreign, body } = parseText(text);
  const others = foreign.map((line) => line.trim()).filter((line) => !/^pinned\s*:/.test(line));
  const said = body.replace(/\r\n|\r/g, '\n').trim();
  const { name, description, type } = header;
  return JSON.stringify([isOfTeam(path), name, description, type, others, said]);
}

const byRank = (one: SnapshotFile, other: SnapshotFile): number =>
  Number(other.isProtected !== undefined) - Number(one.isProtected !== undefined) ||
  (other.modifiedMs ?? 0) - (one.modifiedMs ?? 0) ||
  (one.path < other.path ? -1 : 1);
