import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  anthropicProfile,
  checkHistory,
  type Entry,
  type Message,
  openaiChatProfile,
  repairHistory,
  serializeEntry,
} from '@varve/messages';
import { createHistoryFit } from '@varve/messages/fit';
import { expect } from 'vitest';
import type { ImportOptions } from '../src/import/types.ts';
import { type ImportedSession, importSession } from '../src/import.ts';

const formats = join(import.meta.dirname, '../../../fixtures/formats');

export interface Fixture {
  readonly format: string;
  readonly file: string;
  readonly path: string;
}

/** The invented sessions of every foreign format. */
export const fixtures: readonly Fixture[] = readdirSync(formats).flatMap((format) =>
  readdirSync(join(formats, format))
    .filter((file) => !file.endsWith('.expected.txt'))
    .map((file) => ({ format, file, path: join(formats, format, file) })),
);

export const fixtureText = (name: string): string => readFileSync(join(formats, name), 'utf8');

/** Imports from text or bytes, as one chunk. */
export function importText(
  text: string | Uint8Array,
  options: Partial<ImportOptions> = {},
): Promise<ImportedSession> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return importSession([bytes], { name: 'test.jsonl', ...options });
}

export const jsonLines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** The entries of the main thread. */
export const mainEntries = ({ threads }: ImportedSession): readonly Entry[] =>
  threads[0]?.entries ?? [];

export const messagesOf = (session: ImportedSession) =>
  mainEntries(session).flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));

export const problemKinds = ({ problems }: ImportedSession): string[] =>
  problems.map(({ kind, line }) => `${kind} @${line}`);

export const asLog = (entries: readonly Entry[]): string =>
  entries.map((entry) => `${serializeEntry(entry)}\n`).join('');

/** A session in words: a line an entry, then what was not used and what was wrong. */
export function describeSession({ format, threads, unused, problems }: ImportedSession): string {
  const lines = threads.flatMap(({ id, kind, parentCallId, startsMidSession, entries }) => [
    `${kind} ${id}${parentCallId ? ` of ${parentCallId}` : ''}${startsMidSession ? ', starts mid-session' : ''}`,
    ...entries.map((entry) => `  ${describeEntry(entry)}`),
  ]);
  const counts = Object.entries(unused).map(([kind, count]) => `  ${kind} ${count}`);
  const wrong = problems.map(({ kind, line, text }) => `  line ${line}: ${kind}, ${text}`);
  return [format, ...lines, 'unused', ...counts, 'problems', ...wrong, ''].join('\n');
}

function describeEntry(entry: Entry): string {
  switch (entry.type) {
    case 'head': {
      const { model, system, tools } = entry.head;
      return `head ${model || 'no model'}, ${system.length} system, ${tools.length} tools`;
    }
    case 'note':
      return `note ${JSON.stringify(entry.data)}`;
    case 'edit':
      return `edit ${entry.reason} ${JSON.stringify(entry.edit)} ${JSON.stringify(entry.receipt)}`;
    default: {
      const { id, role, origin, createdAt, response } = entry.message;
      const content = origin?.kind === 'synthetic' ? '[made up]' : entry.message.content;
      const from = origin === undefined ? '' : ` (${origin.kind})`;
      const bill = response === undefined ? '' : ` ${JSON.stringify(response)}`;
      return `${role}${from} ${id} at ${createdAt ?? '-'} ${JSON.stringify(content)}${bill}`;
    }
  }
}

const STRICTEST = anthropicProfile({ thinking: 'free' });

/**
 * What is no fault of a log, since each request mends it: ids and names of calls that one provider takes and another refuses,
 * media that only some providers take, and a failed tool that said nothing. The log keeps them as the file has them.
 */
const MENDED_WHEN_SENT: readonly string[] = [
  'call-id',
  'call-name',
  'empty-error-result',
  'malformed-media',
];

/** A history that the strictest provider takes as it is sent, and that is legal before but for what is mended then. */
export function expectLegalHistory(messages: readonly Message[]): void {
  const found = checkHistory(messages, STRICTEST);
  expect(found.filter(({ code }) => !MENDED_WHEN_SENT.includes(code))).toEqual([]);
  const anywhere = checkHistory(messages, openaiChatProfile()).map(({ code }) => code);
  expect(anywhere).not.toContain('malformed-media');
  expect(checkHistory(createHistoryFit()(messages, [STRICTEST]), STRICTEST)).toEqual([]);
  const repaired = repairHistory(messages, { profile: STRICTEST });
  expect(checkHistory(repaired.messages, STRICTEST)).toEqual([]);
}
