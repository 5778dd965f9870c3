import { isRecord, listOf, textOf } from '@varve/guards';
import { statementKey, statementsOf } from '@varve/memdir/evidence';
import { hashOf } from '@varve/memdir/files';

/** What the last dream saw, so that the next one looks at what is new. It stands in the folder and is in no list. */
export interface DreamState {
  /** ISO 8601. */
  readonly at: string;
  readonly files: Readonly<Record<string, SeenFile>>;
  /** Hashes of the logs of days. */
  readonly logs: Readonly<Record<string, string>>;
  /** When the sessions that it was given were touched last, by id. */
  readonly sessions: Readonly<Record<string, number>>;
  /** What dreams of one day removed by themselves: they share what a day may remove. */
  readonly spent: Spent;
}

export interface Spent {
  /** When the first of them began. */
  readonly sinceMs: number;
  readonly files: number;
  readonly statements: number;
}

export interface SeenFile {
  readonly hash: string;
  /** Short hashes of its statements: which ones are new needs no older text. */
  readonly statements: readonly string[];
}

export const STATE = '.dream.json';
const SHORT = 12;

export const shortHash = (statement: string): string =>
  hashOf(statementKey(statement)).slice(0, SHORT);

export const seenFile = (text: string, body: string): SeenFile => ({
  hash: hashOf(text),
  statements: [...new Set(statementsOf(body).map((each) => shortHash(each.text)))].sort(),
});

/** Undefined where there is none, or what is there is none. */
export function parseState(text: string | undefined): DreamState | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (!isRecord(value) || !isRecord(value.files) || !isRecord(value.logs)) return undefined;
    const files = Object.entries(value.files).flatMap(([path, seen]) => {
      if (!isRecord(seen) || textOf(seen.hash) === '') return [];
      const statements = listOf(seen.statements).map(textOf);
      return [[path, { hash: textOf(seen.hash), statements }] as const];
    });
    const logs = Object.entries(value.logs).map(([path, hash]) => [path, textOf(hash)] as const);
    const sessions = Object.entries(isRecord(value.sessions) ? value.sessions : {}).flatMap(
      ([id, ms]) => (typeof ms === 'number' ? [[id, ms] as const] : []),
    );
    return {
      at: textOf(value.at),
      files: Object.fromEntries(files),
      logs: Object.fromEntries(logs),
      sessions: Object.fromEntries(sessions),
      spent: parseSpent(value.spent),
    };
  } catch {
    return undefined; // lost: everything counts as new
  }
}

function parseSpent(value: unknown): Spent {
  const given = isRecord(value) ? value : {};
  const count = (each: unknown): number =>
    typeof each === 'number' && Number.isFinite(each) ? Math.max(0, each) : 0;
  const [sinceMs, files, statements] = [given.sinceMs, given.files, given.statements].map(count);
  return { sinceMs: sinceMs ?? 0, files: files ?? 0, statements: statements ?? 0 };
}

export const writeState = (state: DreamState): string => `${JSON.stringify(state, undefined, 1)}\n`;
