import { checkOptions, number, required } from '@varve/guards';
import type { Message } from '@varve/messages';
import { attachment } from './attachment.ts';
import { headWithin, type SizeOf } from './head-within.ts';
import { RESTORE_LIMITS, type RestoreLimits } from './limits.ts';
import { type FileRestoration, type ReadFile, readOnce, restoreFiles } from './restore-files.ts';
import { createIsShown, type IsShown } from './shown.ts';
import { type StoredSource, storedListing } from './stored.ts';

/** What a conversation had in front of it before its compaction. Everything is optional. */
export interface RestoreSources {
  /** Paths of standing instructions: read again each time, whole, and first. */
  readonly instructions?: readonly string[] | undefined;
  /** Paths of files that were read, the oldest first; one may stand there more than once. */
  readonly reads?: readonly string[] | undefined;
  /** Skills that were used, the oldest first, with what they say. */
  readonly skills?: readonly { readonly name: string; readonly text: string }[] | undefined;
  /**
   * Skills that can be used, as they were listed. Left out where the model still knows them: a list costs about 4,000 tokens
   * of cache writes each time.
   */
  readonly skillListing?: string | undefined;
  /** The plan being worked on. */
  readonly plan?: string | undefined;
  /** The list of what is to be done, as it stands. */
  readonly todos?: string | undefined;
  readonly agents?:
    | readonly { readonly id: string; readonly status: string; readonly task: string }[]
    | undefined;
  /** Deferred tools, agents and servers, each announced whole: what was said of them before is gone. */
  readonly announcements?: readonly string[] | undefined;
  /** Results that can be read whole by a tool, the newest first: `stored()` of `@varve/tool-storage` gives them. */
  readonly stored?: StoredSource | undefined;
  /** What session-start hooks said. */
  readonly sessionContext?: readonly string[] | undefined;
}

export interface RestoreOptions {
  readonly readFile: ReadFile;
  /** Messages that stay; what they show is not brought back. */
  readonly kept: readonly Message[];
  /** An id that no message of the log has. */
  readonly messageId: string;
  /** Tokens of a text. */
  readonly sizeOf: SizeOf;
  /** Sizes in tokens. @default 5 files and 10 names, 5,000 each, 50,000 in all; skills 5,000 each, 25,000 in all; 1,200 for stored results */
  readonly limits?: Partial<RestoreLimits> | undefined;
  /**
   * Tokens that all of it may have together; `attach` of a compaction is told how many. What is over is cut, with a notice, or
   * left out: of instructions and files only whole ones come. @default no bound
   */
  readonly roomTokens?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Restoration extends FileRestoration {
  /** One message, or none where nothing has to come back; for `then` of the edit that compacts. */
  readonly messages: readonly Message[];
  readonly tokens: number;
  /** How many texts were cut or left out because there was no room. */
  readonly leftOut: number;
  readonly skills: readonly string[];
}

/**
 * What a compaction attaches, so that work can go on: instructions, plan, list, files as they are now, skills, background agents,
 * announcements. Files are read again, so what is attached is never older than the compaction. A file that cannot be read
 * is reported, and the rest comes.
 *
 * @throws the signal's reason, an `AbortError` unless one was given; RangeError for limits and room that are no numbers
 */
export async function restore(
  sources: RestoreSources,
  options: RestoreOptions,
): Promise<Restoration> {
  checkOptions<RestoreOptions>(options, {
    readFile: required('a function'),
    sizeOf: required('a function'),
    roomTokens: number(),
  });
  checkOptions(options.limits ?? {}, LIMITS, 'limits');
  const context = contextOf(options);
  const { limits, sizeOf } = context;
  const room = createRoom(options.roomTokens, sizeOf);
  const paths = sources.instructions ?? [];
  const instructions = await readInstructions(paths, context);
  const rules = instructions.texts.filter(room.whole);
  const plan = sources.plan ? room.head(attachmentOf('plan'), sources.plan) : [];
  const todos = sources.todos ? room.head(attachmentOf('todo-list'), sources.todos) : [];
  const told = (sources.sessionContext ?? []).flatMap((text) =>
    room.head(attachmentOf('session-start'), text),
  );
  const agents = agentsOf(sources.agents ?? []).filter(room.whole);
  const announcements = (sources.announcements ?? []).flatMap((text) =>
    room.head(attachmentOf('announcement'), text),
  );
  const reads = (sources.reads ?? []).filter((path) => !paths.includes(path));
  const { texts, tokens, ...files } = await restoreFiles(reads, {
    ...context,
    limits: { ...limits, allFileTokens: Math.min(limits.allFileTokens, room.left()) },
  });
  room.take(tokens);
  const named = namesOf(files.named).filter(room.whole);
  const skills = restoreSkills(sources.skills ?? [], {
    ...context,
    limits: { ...limits, allSkillTokens: Math.min(limits.allSkillTokens, room.left()) },
  });
  room.take(skills.reduce((sum, { text }) => sum + sizeOf(text), 0));
  const stored = storedListing(sources.stored, {
    ...{ kept: options.kept, sizeOf },
    budgetTokens: Math.min(limits.storedTokens, room.left()),
  }).filter(room.whole);
  const listing = listingOf(sources.skillListing, context).filter(room.whole);
  const content = [
    ...[...rules, ...plan, ...todos, ...texts.toReversed(), ...named],
    ...skills.map(({ text }) => text),
    ...[...stored, ...listing, ...agents, ...announcements, ...told],
  ];
  return {
    ...files,
    missing: [...instructions.missing, ...files.missing],
    failed: [...instructions.failed, ...files.failed],
    messages: content.length > 0 ? [toMessage(options.messageId, content)] : [],
    tokens: content.reduce((sum, text) => sum + sizeOf(text), 0),
    leftOut: room.leftOut(),
    skills: skills.map(({ name }) => name),
  };
}

const LIMITS = Object.fromEntries(
  Object.keys(RESTORE_LIMITS).map((name) => [name, number({ min: 0 })]),
);

const attachmentOf =
  (kind: string) =>
  (text: string): string =>
    attachment(kind, text);

/** What is left of the room for all of a restoration, in tokens. */
function createRoom(roomTokens: number | undefined, sizeOf: SizeOf) {
  // the message around the texts takes a little, too
  let left = roomTokens === undefined ? Number.POSITIVE_INFINITY : roomTokens - MESSAGE_TOKENS;
  let leftOut = 0;
  const take = (tokens: number) => {
    left -= Number.isFinite(left) ? tokens + TEXT_TOKENS : 0;
  };
  const whole = (text: string): boolean => {
    const fits = left === Number.POSITIVE_INFINITY || sizeOf(text) + TEXT_TOKENS <= left;
    if (fits) take(sizeOf(text));
    else leftOut++;
    return fits;
  };
  return {
    take,
    whole,
    left: () => Math.max(0, left - TEXT_TOKENS),
    leftOut: () => leftOut,
    /** The text in its tags, or its head with a notice; nothing where too little of it would be left. */
    head(tagged: (text: string) => string, text: string): string[] {
      if (left === Number.POSITIVE_INFINITY || sizeOf(tagged(text)) + TEXT_TOKENS <= left) {
        take(sizeOf(tagged(text)));
        return [tagged(text)];
      }
      leftOut++;
      const cut = (part: string) => tagged(`${part}\n${CUT}`);
      const { text: start } = headWithin(text, left - TEXT_TOKENS, (part) => sizeOf(cut(part)));
      if (start.length < LEAST_UNITS) return [];
      take(sizeOf(cut(start)));
      return [cut(start)];
    },
  };
}

const MESSAGE_TOKENS = 20;
const TEXT_TOKENS = 10;
const CUT = '[The rest was left out here: there was no room for it.]';
/** UTF-16 units; a shorter head says nothing. */
const LEAST_UNITS = 100;

interface Context {
  readonly readFile: ReadFile;
  readonly sizeOf: SizeOf;
  readonly isShown: IsShown;
  readonly limits: RestoreLimits;
  readonly signal?: AbortSignal | undefined;
}

function contextOf({ kept, limits = {}, ...options }: RestoreOptions): Context {
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return {
    ...options,
    isShown: createIsShown(kept),
    limits: { ...RESTORE_LIMITS, ...Object.fromEntries(given) },
  };
}

/** Rules come whole whatever they cost: half a rule is another rule. */
async function readInstructions(paths: readonly string[], context: Context) {
  const texts: string[] = [];
  const missing: string[] = [];
  const failed: { path: string; cause: unknown }[] = [];
  for (const path of new Set(paths)) {
    const read = await readOnce(path, context);
    if (read.kind === 'failed') failed.push({ path, cause: read.cause });
    else if (read.kind === 'missing') missing.push(path);
    else if (!context.isShown(path, read.text)) {
      texts.push(attachment('instructions', read.text, { path }));
    }
  }
  return { texts, missing, failed };
}

/** The most recently used first; each once, its head only, because instructions come first in a skill. */
function restoreSkills(
  skills: NonNullable<RestoreSources['skills']>,
  { limits, sizeOf, isShown }: Context,
) {
  const newest = new Map(skills.map(({ name, text }) => [name, text]));
  const order = new Set(skills.map(({ name }) => name).toReversed());
  const restored: { name: string; text: string }[] = [];
  let room = limits.allSkillTokens;
  for (const name of order) {
    const tags = sizeOf(attachment('skill', '', { name }));
    const budget = Math.min(limits.skillTokens, room) - tags;
    const { text } = headWithin(newest.get(name) as string, budget, sizeOf);
    if (text === '' || isShown(name, text)) continue;
    const shown = attachment('skill', text, { name });
    room -= sizeOf(shown);
    restored.push({ name, text: shown });
  }
  return restored;
}

function listingOf(listing: string | undefined, { isShown }: Context): string[] {
  if (!listing?.trim() || isShown('', listing)) return [];
  return [attachment('skill-listing', listing)];
}

function namesOf(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [attachment('files-read-earlier', paths.join('\n'))];
}

function agentsOf(agents: NonNullable<RestoreSources['agents']>): string[] {
  if (agents.length === 0) return [];
  const lines = agents.map(({ id, status, task }) => `- ${id} (${status}): ${task}`);
  const note =
    'Started before and not finished unless it says so; wait for them, start none of them again.';
  return [attachment('background-agents', [note, ...lines].join('\n'))];
}

function toMessage(id: string, texts: readonly string[]): Message {
  return {
    id,
    role: 'user',
    origin: { kind: 'reminder', of: 'compaction' },
    content: texts.map((text) => ({ type: 'text', text })),
  };
}
