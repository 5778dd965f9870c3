import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EvalsError } from '../error.ts';
import { formatMarkdown } from './report-markdown.ts';
import type { Report } from './report-schema.ts';

/** Writes `report.json` and `report.md` into a folder, which is made if it is missing. Throws `not-written`. */
export async function writeReport(report: Report, folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'report.json'), serializeReport(report));
    await writeFile(join(folder, 'report.md'), formatMarkdown(report));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const text = `The report could not be written to ${folder}: ${reason}. Choose another folder with --out.`;
    throw new EvalsError('not-written', text, { cause });
  }
}

/** The document as it is printed and stored. */
export const serializeReport = (report: Report): string =>
  `${JSON.stringify(report, undefined, 2)}\n`;
