import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { EvalsError } from '../error.ts';

const schema = z.object({
  version: z.literal(1),
  session: z.string().describe('Name of the session file.'),
  messageIndex: z.number().int().positive().describe('It was asked for before this message.'),
  prompt: z.string().describe('SUMMARY_PROMPT_VERSION of the instruction it answers.'),
  request: z.string().describe('Fingerprint of the head and the messages it answers.'),
  text: z.string().min(1).describe('The whole answer, scratchpad and all.'),
});

/** A summary that was written once for exactly one request. */
export type RecordedSummary = z.infer<typeof schema>;

/** The recorded summaries in a folder, by name; none where there is no folder. Throws `bad-recording`. */
export async function readSummaries(folder: string): Promise<readonly RecordedSummary[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  return Promise.all(files.map((name) => readSummary(join(folder, name), name)));
}

async function readSummary(path: string, name: string): Promise<RecordedSummary> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    const text = `${name} is no recorded summary. Remove it, or record it again.`;
    throw new EvalsError('bad-recording', text, { cause });
  }
}
