import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type ReportRow, rowSchema } from '../report/report-schema.ts';
import { writeFiles } from '../report/write-files.ts';

/** Rows of cells that were replayed before. */
export interface GridCache {
  readonly rows: ReadonlyMap<string, readonly ReportRow[]>;
  /** Adds cells and writes the file. Throws `not-written`. */
  add(rows: readonly ReportRow[]): Promise<void>;
}

/**
 * Opens the cache file of one key in a folder. The key has to name everything that the rows depend on: sessions, settings
 * and code. A file that is missing or damaged is an empty one.
 */
export async function openGridCache(folder: string, key: string): Promise<GridCache> {
  const name = `grid-${createHash('sha256').update(key).digest('hex').slice(0, 20)}.json`;
  const rows = new Map<string, readonly ReportRow[]>(
    Object.entries(await load(join(folder, name))),
  );
  return {
    rows,
    async add(added) {
      for (const strategy of new Set(added.map((row) => row.strategy))) {
        rows.set(
          strategy,
          added.filter((row) => row.strategy === strategy),
        );
      }
      await writeFiles(folder, { [name]: JSON.stringify(Object.fromEntries(rows)) });
    },
  };
}

const fileSchema = z.record(z.string(), z.array(rowSchema));

async function load(path: string): Promise<z.infer<typeof fileSchema>> {
  try {
    return fileSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing || error instanceof z.ZodError || error instanceof SyntaxError) return {};
    throw error;
  }
}
