import { untilAborted } from '@varve/guards';
import { quoteProblem, statementsOf } from '@varve/memdir/evidence';
import { isDailyLog, withoutSecrets } from '@varve/memdir/files';
import type { SourcedQuote } from './patch.ts';
import type { DreamSessions, Said } from './sessions.ts';
import { shownSecrets, withoutShown } from './shown-secrets.ts';
import { logEndMs, type Snapshot } from './snapshot.ts';

/** What became of a path that a memory names: `gone` only where the repository had it once. All else proves nothing. */
export type GitLookup = (
  path: string,
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<'there' | 'gone' | 'not-checkable'>;

/** The source of what the repository shows. */
export const REPOSITORY = 'repository';

/** A quote that stands in its source. */
export interface FoundQuote {
  readonly kind: 'found';
  readonly from: 'memory' | 'log' | 'session' | 'repository' | 'instructions';
  /** The whole statement that the quote is of. */
  readonly statement: string;
  /** When it was said or written, where that is known. */
  readonly atMs: number | undefined;
}

export type QuoteRefusal =
  | 'no-quote'
  | 'quote-too-long'
  | 'quote-not-found'
  | 'unknown-source'
  | 'not-checkable';

export interface Sources {
  /** @param who of a session: the user, which is the default, or all others */
  find(
    quote: SourcedQuote,
    who?: Said['by'],
  ): Promise<FoundQuote | { readonly kind: QuoteRefusal }>;
  /** What a session says; undefined where there is none of that id. */
  read(session: string): Promise<readonly Said[] | undefined>;
  /** A text as a child is shown it: without secrets, and without what sessions show to be one. */
  hide(text: string): Promise<string>;
  /** Statements of all sessions and logs, with who said them and when; of sessions that cannot be read, none. */
  all(): Promise<readonly Said[]>;
}

/** A file of instructions that every session is given anyhow. */
export interface InstructionFile {
  readonly path: string;
  readonly text: string;
}

export interface SourcesInput {
  readonly snapshot: Snapshot;
  readonly instructions?: readonly InstructionFile[] | undefined;
  readonly sessions: DreamSessions | undefined;
  /** Ids that the child was told of. */
  readonly sessionIds: readonly string[];
  readonly git: GitLookup | undefined;
  readonly signal: AbortSignal;
}

/** "am 19. Dezember": the day of a month ends no statement. */
const DAY_BEFORE_MONTH =
  /(\d{1,2})\.(?=\s(?:jan|feb|mär|mar|apr|mai|jun|jul|aug|sep|okt|nov|dez)\p{L}*)/giu;

/** Where quotes may come from: memory and logs as they stood before the dream, what the user said, and the repository. */
export function createSources(input: SourcesInput): Sources {
  const { snapshot, instructions = [], sessions, sessionIds, git, signal } = input;
  const known = new Map<string, Promise<readonly Said[]>>();
  let everything: Promise<readonly Said[]> | undefined;
  let shown: Promise<ReadonlyMap<string, string>> | undefined;

  async function read(session: string): Promise<readonly Said[] | undefined> {
    if (sessions === undefined || !sessionIds.includes(session)) return undefined;
    const reading =
      known.get(session) ?? untilAborted(() => sessions.read(session, { signal }), signal);
    known.set(session, reading);
    return reading;
  }

  async function readAll(): Promise<readonly Said[]> {
    const said: Said[] = snapshot.logs.map(({ path, text }) => ({
      ...{ by: 'user', text, atMs: logEndMs(path) },
    }));
    for (const id of sessionIds) said.push(...((await read(id).catch(() => undefined)) ?? []));
    return said.flatMap((each) =>
      statementsOf(each.text.replace(DAY_BEFORE_MONTH, '$1')).map(({ text }) => ({
        ...each,
        text,
      })),
    );
  }

  const all = (): Promise<readonly Said[]> => {
    everything ??= readAll();
    return everything;
  };
  const hide = async (text: string): Promise<string> => {
    shown ??= all().then(shownSecrets);
    return withoutShown(withoutSecrets(text), await shown);
  };
  /** A quote may hold the mark of a secret as well. */
  async function asShown(said: readonly Said[]): Promise<readonly Said[]> {
    const lists = said.map(async (each) => {
      const masked = await hide(each.text);
      return masked === each.text ? [each] : [{ ...each, text: masked }, each];
    });
    return (await Promise.all(lists)).flat();
  }

  function fromOf(source: string): FoundQuote['from'] {
    if (snapshot.files.has(source)) return 'memory';
    if (instructions.some(({ path }) => path === source)) return 'instructions';
    return isDailyLog(source) ? 'log' : 'session';
  }

  async function textsOf(source: string, who: Said['by']): Promise<readonly Said[] | undefined> {
    const file = snapshot.files.get(source);
    if (file !== undefined) {
      const { name, description, body, modifiedMs } = file;
      return asShown(
        [name, description, body].map((text) => ({ by: 'user', text, atMs: modifiedMs })),
      );
    }
    const given = instructions.find(({ path }) => path === source);
    if (given !== undefined) return asShown([{ by: 'user', text: given.text }]);
    const log = snapshot.logs.find(({ path }) => path === source);
    if (log !== undefined) return asShown([{ by: 'user', text: log.text, atMs: logEndMs(source) }]);
    const said = await read(source);
    return said && asShown(said.filter(({ by }) => (by === 'user') === (who === 'user')));
  }

  return {
    read,
    async find({ source, quote }, who = 'user') {
      if (source === REPOSITORY) {
        const state = await git?.(quote.replace(/^`|`$/g, ''), { signal });
        if (state !== 'gone') return { kind: 'not-checkable' };
        return { kind: 'found', from: 'repository', statement: quote, atMs: undefined };
      }
      const texts = await textsOf(source, who);
      if (texts === undefined) return { kind: 'unknown-source' };
      const problem = quoteProblem(
        quote,
        texts.map(({ text }) => text),
      );
      if (problem !== undefined) return { kind: problem };
      // Where it was said several times, the last time counts.
      const said = texts.findLast(({ text }) => quoteProblem(quote, [text]) === undefined);
      const whole = statementsOf(said?.text ?? '').find(
        ({ text }) => quoteProblem(quote, [text]) === undefined,
      );
      const from = fromOf(source);
      return { kind: 'found', from, statement: whole?.text ?? quote, atMs: said?.atMs };
    },
    all,
    hide,
  };
}
