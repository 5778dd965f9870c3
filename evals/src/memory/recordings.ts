import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprint, type Request, stableStringify } from '@varve/messages';
import { z } from 'zod';
import { EvalsError } from '../error.ts';
import { writeFiles } from '../report/write-files.ts';

/** Who asks: the extraction after a session, the dream at the end, or a turn that is to be answered with or without memory. */
export const ASKERS = ['extract', 'dream', 'turn', 'turn-without-memory'] as const;
export type Asker = (typeof ASKERS)[number];

/** A call of a tool in an answer. */
export const callSchema = z.strictObject({
  tool: z.string().min(1),
  input: z.record(z.string(), z.unknown()),
});
const answerSchema = z.object({
  text: z.string().default(''),
  calls: z.array(callSchema).default([]),
});
/** What a model answered, in the shortest form. */
export type RecordedAnswer = z.infer<typeof answerSchema>;

const exchangeSchema = z.object({
  prompt: z.string().describe('Fingerprint of the instructions and tools that were answered.'),
  request: z.string().describe('Fingerprint of the whole request.'),
  model: z.string().min(1),
  date: z.iso.date(),
  answer: answerSchema,
});
export type Exchange = z.infer<typeof exchangeSchema>;

const fileSchema = z.object({
  version: z.literal(1),
  chain: z.string(),
  take: z.int().positive().describe('Several takes of one chain show how much a model varies.'),
  note: z.string(),
  exchanges: z.record(z.string(), exchangeSchema),
});

const NOTE =
  'Answers that a model wrote to exactly these requests, seeing nothing else. No provider was called.';

/** What a model answered along one chain, once. */
export interface Recording {
  readonly chain: string;
  readonly take: number;
  /** By place: session, asker and step. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
}

/** Where a request stands; the name of its files too. */
export interface Place {
  readonly session: number;
  readonly asker: Asker;
  /** From 1. */
  readonly step: number;
  /** Of a turn. */
  readonly turn?: string | undefined;
}

export const placeName = ({ session, asker, step, turn }: Place): string =>
  [String(session).padStart(2, '0'), asker, ...(turn === undefined ? [] : [turn]), step].join('.');

/** A request for which there is no answer that fits it. */
export interface Wanted {
  readonly chain: string;
  readonly take: number;
  readonly place: string;
  readonly asker: Asker;
  /** Of a turn. */
  readonly turn: string | undefined;
  /** `stale`: there is an answer, to another prompt or another input than now. */
  readonly reason: 'missing' | 'stale-prompt' | 'stale-input';
  readonly prompt: string;
  readonly name: string;
  readonly request: Request;
}

export const requestHash = ({ head, messages }: Request): string =>
  fingerprint(
    stableStringify({
      ...headOf(head),
      messages: messages.map(({ role, content }) => ({ role, content })),
    } as never),
  );

export const promptHash = ({ head }: Request): string =>
  fingerprint(stableStringify(headOf(head) as never));

const headOf = ({ system, tools }: Request['head']) => ({
  system: system.map(({ text }) => text),
  tools,
});

/** The recordings in a folder; none where there is no folder. Throws `bad-recording`. */
export async function readRecordings(folder: string): Promise<readonly Recording[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  return Promise.all(files.map((name) => readRecording(folder, name)));
}

async function readRecording(folder: string, name: string): Promise<Recording> {
  try {
    const text = await readFile(join(folder, name), 'utf8');
    const { chain, take, exchanges } = fileSchema.parse(JSON.parse(text));
    if (name !== fileOf({ chain, take }))
      throw new Error(`It should be ${fileOf({ chain, take })}`);
    return { chain, take, exchanges: new Map(Object.entries(exchanges)) };
  } catch (cause) {
    const text = `${name} is no recording of a memory's writer. Remove it, or record it again.`;
    throw new EvalsError('bad-recording', text, { cause });
  }
}

const fileOf = ({ chain, take }: Pick<Recording, 'chain' | 'take'>): string =>
  `${chain}.${take}.json`;

export async function writeRecording(folder: string, recording: Recording): Promise<void> {
  const { chain, take, exchanges } = recording;
  const inOrder = [...exchanges].sort(([one], [other]) => (one < other ? -1 : 1));
  const file = { version: 1, chain, take, note: NOTE, exchanges: Object.fromEntries(inOrder) };
  await writeFiles(folder, {
    [fileOf(recording)]: `${JSON.stringify(file, undefined, 2)}\n`,
  });
}
