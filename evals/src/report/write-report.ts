import { formatMarkdown } from './report-markdown.ts';
import type { Report } from './report-schema.ts';
import { writeFiles } from './write-files.ts';

/** Writes `report.json` and `report.md` into a folder, which is made if it is missing. Throws `not-written`. */
export const writeReport = (report: Report, folder: string): Promise<void> =>
  writeFiles(folder, {
    'report.json': serializeReport(report),
    'report.md': formatMarkdown(report),
  });

/** The document as it is printed and stored. */
export const serializeReport = (report: Report): string =>
  `${JSON.stringify(report, undefined, 2)}\n`;
