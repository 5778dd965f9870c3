import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProjection, parseEntry, serializeEntry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { importFile } from '../src/node/index.ts';
import { countTools } from './count-tools.ts';
import { expectLegalHistory } from './import-support.ts';

/** A folder of real sessions with a manifest that counts what is in them; these tests run where it is there. */
const { VARVE_SESSIONS: folder = '' } = process.env;

interface Counted {
  readonly file: string;
  readonly format: string;
  readonly tool_calls: number;
  readonly tool_results: number;
  readonly sidechain_records?: number;
  readonly starts_mid_session?: boolean;
  readonly compactions: number;
  readonly compaction_points: readonly { readonly kind: string; readonly record: number }[];
  readonly has_usage: boolean;
  readonly usage_kind: string;
  readonly peak_context_tokens_reported: number | null;
}

const manifest = join(folder, 'manifest.json');
const files: Counted[] = existsSync(manifest)
  ? JSON.parse(readFileSync(manifest, 'utf8')).files
  : [];

/** A suite needs a row to be skipped. */
const NONE = { file: 'no file', compaction_points: [] } as unknown as Counted;
const rows = files.length > 0 ? files : [NONE];

describe.skipIf(files.length === 0).each(rows)('importFile (V2) of $file', (counted) => {
  let loading: ReturnType<typeof importFile> | undefined;
  const load = () => {
    loading ??= importFile(join(folder, counted.file));
    return loading;
  };

  test('counts the calls and results that the manifest counts', async () => {
    const session = await load();
    expect(session.format).toBe(counted.format);
    expect(countTools(session)).toMatchObject({
      calls: counted.tool_calls,
      results: counted.tool_results,
    });
    const agents = session.threads.filter(({ kind }) => kind === 'sub-agent');
    expect(agents.length > 0).toBe((counted.sidechain_records ?? 0) > 0);
  });

  test('reads the compactions that the manifest lists', async () => {
    const edits = (await load()).threads.flatMap(({ entries }) =>
      entries.filter((entry) => entry.type === 'edit' && entry.reason === 'recorded-compaction'),
    );
    const inside = counted.compaction_points.some(
      ({ kind, record }) => kind === 'continued_text' && record === 0,
    );
    expect(edits.length).toBe(counted.compactions - (inside ? 1 : 0));
  });

  test('says whether the file begins in the middle', async () => {
    expect((await load()).threads[0]?.startsMidSession).toBe(counted.starts_mid_session ?? false);
  });

  test('finds the largest prompt that the manifest reports', async () => {
    const prompts = (await load()).threads.flatMap(({ entries }) =>
      entries.flatMap((entry) => {
        const usage = entry.type === 'message' ? entry.message.response?.usage : undefined;
        if (usage === undefined) return [];
        const {
          input_tokens: input,
          cache_read_input_tokens: read,
          cache_creation_input_tokens: written,
        } = usage;
        return [input + (read ?? 0) + (written ?? 0)];
      }),
    );
    const peak = counted.peak_context_tokens_reported;
    if (peak !== null) expect(Math.max(...prompts)).toBe(peak);
  });

  test('makes threads that project at every entry and are valid histories', async () => {
    for (const { entries } of (await load()).threads) {
      const projection = createProjection();
      let messages = projection.append({
        id: 'start',
        at: '2026-01-01T00:00:00Z',
        type: 'note',
        by: 'test',
        data: 0,
      }).messages;
      for (const entry of entries) {
        ({ messages } = projection.append(entry));
        if (entry.type === 'edit') expectLegalHistory(messages);
      }
      expectLegalHistory(messages);
      expect(entries.map((entry) => parseEntry(serializeEntry(entry)))).toEqual(entries);
    }
  });
});
