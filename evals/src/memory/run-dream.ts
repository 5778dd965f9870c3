import { createMemdir, inMemoryFolder, type Memdir, type MemoryFolder } from '@varve/memdir';
import type { ModelClient } from '@varve/models';
import type { Chain, ChainSession } from './chain.ts';
import { pollutedMemory } from './controls.ts';
import { type DreamScore, scoreDream } from './dream-score.ts';
import { createRecordedClient } from './recorded-client.ts';
import type { Recording, Wanted } from './recordings.ts';
import { type MemoryScore, score } from './score.ts';
import { type Statement, statementsIn } from './statements.ts';

export interface DreamerCall {
  readonly memory: Memdir;
  readonly client: ModelClient;
  readonly chain: Chain;
  readonly now: () => number;
}

/** Consolidates a memory: the dream that ships. */
export interface Dreamer {
  /** Of its instructions. */
  readonly promptVersion: string;
  open(call: DreamerCall): {
    /** Why it came to no end; undefined where it did, also where there was nothing to do. */
    dream(): Promise<string | undefined>;
    undo(): Promise<void>;
  };
}

/** One dream on one memory. */
export interface DreamRun {
  readonly chain: string;
  readonly take: number;
  /** `written`: by the extraction along the chain; `polluted`: made of the chain's items, as the controls have it. */
  readonly memory: 'written' | 'polluted';
  readonly before: MemoryScore;
  /** Undefined where an answer is missing, or the dream failed. */
  readonly after: MemoryScore | undefined;
  readonly score: DreamScore | undefined;
  /** Why it failed. */
  readonly reason: string | undefined;
  /** Bytes that a second dream with nothing new changed. */
  readonly again: number;
  readonly isUndoneIdentical: boolean;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly wanted: readonly Wanted[];
  /** Places in the recording whose answers were used. */
  readonly answered: readonly string[];
}

export interface DreamInput {
  readonly chain: Chain;
  readonly recording: Recording;
  readonly dreamer: Dreamer;
  readonly memory: DreamRun['memory'];
  /** It is changed. */
  readonly folder: MemoryFolder;
}

const DAY_MS = 86_400_000;

/** Lets a dream run over a memory, twice, and takes it back. */
export async function runDream(input: DreamInput): Promise<DreamRun> {
  const { chain, recording, dreamer, memory: kind, folder } = input;
  const session = chain.sessions.length;
  const clock = { nowMs: Date.parse(`${chain.sessions.at(-1)?.date}T03:00:00Z`) + DAY_MS };
  const now = () => clock.nowMs;
  const memory = createMemdir({ folder, now });
  const place = { session, asker: 'dream', turn: kind } as const;
  const { promptVersion } = dreamer;
  const client = createRecordedClient({ recording, place, promptVersion });
  const opened = dreamer.open({ memory, client, chain, now });
  const before = await shownTexts(folder);
  const reason = await opened.dream();
  const about = { chain: chain.name, take: recording.take, memory: kind, reason };
  const statements = allStatements(before);
  const old = score(statements, chain, session);
  const asked = () => {
    const { requests, input_tokens: inputTokens, output_tokens: outputTokens } = client.usage();
    return { requests, inputTokens, outputTokens };
  };
  const missing = client.wanted();
  if (missing !== undefined || reason !== undefined) {
    const open = { after: undefined, score: undefined, again: 0, isUndoneIdentical: false };
    const wanted = missing === undefined ? [] : [missing];
    return { ...about, ...open, before: old, ...asked(), wanted, answered: client.answered() };
  }
  const once = await shownTexts(folder);
  clock.nowMs += DAY_MS;
  await opened.dream();
  const twice = await shownTexts(folder);
  const again = client.wanted();
  const changed = bytesChanged(once, twice);
  // Each for itself: what the second dream changed is taken back first.
  if (changed > 0) await opened.undo();
  if (bytesChanged(before, once) > 0) await opened.undo();
  const undone = await shownTexts(folder);
  return {
    ...{ ...about, before: old, again: changed },
    after: score(allStatements(once), chain, session),
    score: scoreDream(statements, allStatements(once), chain, session),
    isUndoneIdentical: bytesChanged(before, undone) === 0,
    ...asked(),
    // A second dream that has something to ask is not idle: it wants an answer of its own.
    wanted: again === undefined ? [] : [again],
    answered: client.answered(),
  };
}

/** What a reader of the folder sees, indexes included. */
async function shownTexts(folder: MemoryFolder): Promise<ReadonlyMap<string, string>> {
  const { files } = await folder.list('');
  const texts = new Map<string, string>();
  for (const { path } of files) texts.set(path, (await folder.read(path))?.text ?? '');
  return texts;
}

const allStatements = (files: ReadonlyMap<string, string>): readonly Statement[] =>
  [...files]
    .filter(([path]) => path.endsWith('.md') && !/(?:^|\/)MEMORY\.md$/.test(path))
    .flatMap(([path, text]) => statementsIn(text, path));

/** Bytes of all files that are not the same in both. */
function bytesChanged(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): number {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].reduce((sum, path) => {
    const [old, now] = [before.get(path), after.get(path)];
    return old === now
      ? sum
      : sum + Math.max(Buffer.byteLength(old ?? ''), Buffer.byteLength(now ?? ''), 1);
  }, 0);
}

/** The memory of the controls as files: one statement each, under names that tell nothing, dated by when it was planted. */
export function pollutedFolder(chain: Chain): MemoryFolder {
  const files = new Map<string, string>();
  const lines: string[] = [];
  const statements = pollutedMemory(chain);
  for (const [at, { text, type, session }] of statements.entries()) {
    const name = `Note ${at + 1}`;
    const path = `${type}_note_${String(at + 1).padStart(2, '0')}.md`;
    const { date } = chain.sessions[session - 1] as ChainSession;
    const header = `name: ${name}\ndescription: ${name} of the project\ntype: ${type}\nmodified: ${date}T18:00:00.000Z`;
    files.set(path, `---\n${header}\n---\n\n${text}\n`);
    lines.push(`- [${name}](${path}) — ${name} of the project`);
  }
  files.set('MEMORY.md', `${lines.join('\n')}\n`);
  return inMemoryFolder(Object.fromEntries(files));
}
