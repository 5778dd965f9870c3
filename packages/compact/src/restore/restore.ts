import type { Message } from '@varve/messages';
import { attachment } from './attachment.ts';
import { headWithin, type SizeOf } from './head-within.ts';
import { RESTORE_LIMITS, type RestoreLimits } from './limits.ts';
import { type FileRestoration, type ReadFile, readOnce, restoreFiles } from './restore-files.ts';
import { createIsShown, type IsShown } from './shown.ts';

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
  readonly agents?:
    | readonly { readonly id: string; readonly status: string; readonly task: string }[]
    | undefined;
  /** Deferred tools, agents and servers, each announced whole: what was said of them before is gone. */
  readonly announcements?: readonly string[] | undefined;
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
  /** Sizes in tokens. @default 5 files and 10 names, 5,000 each, 50,000 in all; skills 5,000 each, 25,000 in all */
  readonly limits?: Partial<RestoreLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Restoration extends FileRestoration {
  /** One message, or none where nothing has to come back; for `then` of the edit that compacts. */
  readonly messages: readonly Message[];
  readonly tokens: number;
  readonly skills: readonly string[];
}

/**
 * What a compaction attaches, so that work can go on: instructions, plan, files as they are now, skills, background agents,
 * announcements. Files are read again, so what is attached is never older than the compaction. A file that cannot be read
 * is reported, and the rest comes.
 *
 * @throws DOMException `AbortError`
 */
export async function restore(
  sources: RestoreSources,
  options: RestoreOptions,
): Promise<Restoration> {
  const context = contextOf(options);
  const instructions = await readInstructions(sources.instructions ?? [], context);
  const isOther = (path: string) => !(sources.instructions ?? []).includes(path);
  const reads = (sources.reads ?? []).filter(isOther);
  const { texts, tokens: _, ...files } = await restoreFiles(reads, context);
  const skills = restoreSkills(sources.skills ?? [], context);
  const content = [
    ...instructions.texts,
    ...(sources.plan ? [attachment('plan', sources.plan)] : []),
    ...texts.toReversed(),
    ...namesOf(files.named),
    ...skills.map(({ text }) => text),
    ...listingOf(sources.skillListing, context),
    ...agentsOf(sources.agents ?? []),
    ...(sources.announcements ?? []).map((text) => attachment('announcement', text)),
    ...(sources.sessionContext ?? []).map((text) => attachment('session-start', text)),
  ];
  return {
    ...files,
    missing: [...instructions.missing, ...files.missing],
    failed: [...instructions.failed, ...files.failed],
    messages: content.length > 0 ? [toMessage(options.messageId, content)] : [],
    tokens: content.reduce((sum, text) => sum + options.sizeOf(text), 0),
    skills: skills.map(({ name }) => name),
  };
}

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
