import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request } from '@varve/messages';
import { z } from 'zod';
import { writeFiles } from '../report/write-files.ts';
import { callSchema, type Exchange, type Recording, type Wanted } from './recordings.ts';

/** A request as it stands in the folder. Its name does not say what is asked, or where along the chain. */
export interface OpenRequest {
  readonly wanted: Wanted;
  /** File names. */
  readonly request: string;
  readonly answer: string;
}

export const openRequest = (wanted: Wanted, number: number): OpenRequest => {
  const base = `${baseOf(wanted)}${number}`;
  return { wanted, request: `${base}.request.md`, answer: `${base}.answer.json` };
};

const baseOf = ({ chain, take }: Pick<Recording, 'chain' | 'take'>): string => `${chain}.${take}.`;

export type Given =
  | { readonly kind: 'answer'; readonly exchange: Exchange }
  /** `why` is a sentence for the person. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'none' };

const givenSchema = z.strictObject({
  request: z.string(),
  model: z.string().min(1, 'name the model that answers'),
  date: z.iso.date('a day as YYYY-MM-DD'),
  text: z.string().nullable().default(null),
  calls: z.array(callSchema).nullable().default(null),
});

/** What stands in an answer file, checked against the request that is asked now. */
export async function readAnswer(folder: string, open: OpenRequest): Promise<Given> {
  const text = await readIfThere(join(folder, open.answer));
  if (text === undefined) return { kind: 'none' };
  const given = parse(text);
  if (given === undefined) return refused(open, 'it is no JSON');
  if (isUnfilled(given)) return { kind: 'none' };
  const parsed = givenSchema.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `"${path.map(String).join('.')}": ${message}`,
    );
    return refused(open, faults.join('; '));
  }
  const { request, model, date, text: said, calls } = parsed.data;
  const { wanted } = open;
  if (request !== wanted.name)
    return refused(
      open,
      `"request" is ${request}, and ${wanted.name} is asked now. Read ${open.request} again, and put that in`,
    );
  const answer = { text: said ?? '', calls: calls ?? [] };
  if (answer.text.trim() === '' && answer.calls.length === 0)
    return refused(open, 'it says nothing: "text" needs a word where there is no call');
  const offered = wanted.request.head.tools.map(({ name }) => name);
  const unknown = answer.calls.find(({ tool }) => !offered.includes(tool));
  if (unknown !== undefined) {
    const names = offered.length === 0 ? 'none' : offered.join(', ');
    return refused(open, `there is no tool "${unknown.tool}"; the request offers ${names}`);
  }
  return { kind: 'answer', exchange: { prompt: wanted.prompt, request, model, date, answer } };
}

const refused = ({ answer }: OpenRequest, why: string): Given => ({
  kind: 'refused',
  why: `${answer} is not taken: ${why}.`,
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isUnfilled(given: unknown): boolean {
  const { text, calls } = (given ?? {}) as { readonly text?: unknown; readonly calls?: unknown };
  return text === null && calls === null;
}

const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** What the answer files begin with. */
export interface Prefilled {
  readonly model: string;
  readonly date: string;
}

/**
 * Leaves the requests that are open in the folder, and no other of this take. An answer that somebody filled in stays; the
 * sentences are about those that answer nothing.
 */
export async function writeOpen(
  folder: string,
  about: Pick<Recording, 'chain' | 'take'>,
  open: readonly OpenRequest[],
  { model, date }: Prefilled,
): Promise<readonly string[]> {
  const files: Record<string, string> = {};
  for (const { wanted, request, answer } of open) {
    files[request] = `${requestInWords(wanted.request, answer)}\n`;
    const known = await readIfThere(join(folder, answer));
    const given = known === undefined ? undefined : parse(known);
    const isOld = isUnfilled(given) && (given as { request?: unknown }).request !== wanted.name;
    const empty = { request: wanted.name, model, date, text: null, calls: null };
    if (known === undefined || isOld) files[answer] = `${JSON.stringify(empty, undefined, 2)}\n`;
  }
  const names = await readdir(folder).catch(() => []);
  const kept = new Set(open.flatMap(({ request, answer }) => [request, answer]));
  const strays: string[] = [];
  for (const name of names.filter((each) => isOf(each, about) && !kept.has(each))) {
    const path = join(folder, name);
    const isFilled = name.endsWith('.json') && !isUnfilled(parse(await readFile(path, 'utf8')));
    if (isFilled) strays.push(`${name} answers nothing that is asked now. Remove it.`);
    else await rm(path, { force: true });
  }
  await writeFiles(folder, files);
  return strays;
}

/** An answer that was taken is in the recording. */
export const removeAnswered = (folder: string, { answer }: OpenRequest): Promise<void> =>
  rm(join(folder, answer), { force: true });

function isOf(name: string, about: Pick<Recording, 'chain' | 'take'>): boolean {
  const base = baseOf(about);
  return (
    name.startsWith(base) && /^\d+\.(?:request\.md|answer\.json)$/.test(name.slice(base.length))
  );
}

/** A request as a text, with what an answer has to look like. */
function requestInWords({ head, messages }: Request, answer: string): string {
  const tools = head.tools.map((tool) => JSON.stringify(tool, undefined, 2));
  const parts = messages.map(({ role, content }) => {
    const blocks = content.map((block) =>
      block.type === 'text' ? block.text : JSON.stringify(block, undefined, 2),
    );
    return `=== ${role} ===\n${blocks.join('\n')}`;
  });
  return [
    '=== how to answer ===',
    `Answer as the model to which this request is sent, from this text alone: nothing that you read elsewhere or before counts. The answer goes into ${answer} beside this file: put what you say into "text" and the calls of tools into "calls": [{ "tool": "name", "input": { … } }], [] for none. Leave "request" as it is.`,
    ...(head.system.length > 0 ? ['=== system ===', ...head.system.map(({ text }) => text)] : []),
    ...(tools.length > 0 ? ['=== tools ===', ...tools] : []),
    ...parts,
  ].join('\n\n');
}
