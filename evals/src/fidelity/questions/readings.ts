import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { EvalsError } from '../../error.ts';

const readingSchema = z.strictObject({
  version: z.literal(1),
  reader: z.string().min(1).max(40).describe('Which of the readings it is.'),
  answers: z.array(
    z.strictObject({
      text: z
        .string()
        .regex(/^[0-9a-f]{12}$/)
        .describe('Name of the text.'),
      digest: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .describe('SHA-256 of the text that was read.'),
      question: z.string().min(1),
      answer: z.string().max(600).nullable().describe('Null where the text does not say.'),
    }),
  ),
});

/** Answers that somebody gave from the texts alone. */
export type Reading = Readonly<z.infer<typeof readingSchema>>;

/** The readings of a folder, by name of the file; none where there is no folder. Throws `bad-recording`. */
export async function readReadings(folder: string): Promise<readonly Reading[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map(async (name) => {
        const parsed = readingSchema.safeParse(
          JSON.parse(await readFile(join(folder, name), 'utf8')),
        );
        if (parsed.success) return parsed.data;
        const faults = parsed.error.issues.map(
          ({ path, message }) => `${path.join('.')}: ${message}`,
        );
        throw new EvalsError('bad-recording', `${name} is no reading: ${faults.join('; ')}.`);
      }),
  );
}
