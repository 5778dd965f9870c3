import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordings } from '../recordings/recordings.ts';
import { serializeLog } from './record/log-writer.ts';
import { licencesPage, provenancePage } from './record/provenance.ts';
import { recordSession } from './record/record-session.ts';
import type { Recording } from './record/recording.ts';
import { transcript } from './record/transcript.ts';
import { root } from './workspace.ts';

/**
 * `pnpm record [name…]`: plays the recordings (all of them by default), writes `fixtures/sessions/<name>.jsonl` and the
 * pages that say where they come from. With `--print` a readable transcript goes to standard output and nothing is written.
 */
const fixtures = join(root, 'fixtures');
const args = process.argv.slice(2);
const names = args.filter((arg) => !arg.startsWith('--'));
const print = args.includes('--print');

const unknown = names.filter((name) => !recordings.some((recording) => recording.name === name));
if (unknown.length > 0) {
  process.stderr.write(`no recording is called ${unknown.join(', ')}; there are ${known()}\n`);
  process.exitCode = 1;
} else {
  const wanted = recordings.filter(({ name }) => names.length === 0 || names.includes(name));
  for (const recording of wanted) record(recording);
  if (!print) writePages();
}

function record(recording: Recording): void {
  const startedAt = performance.now();
  const entries = recordSession(recording);
  if (print) {
    process.stdout.write(transcript(entries));
    return;
  }
  mkdirSync(join(fixtures, 'sessions'), { recursive: true });
  const log = serializeLog(entries);
  writeFileSync(join(fixtures, 'sessions', `${recording.name}.jsonl`), log);
  const took = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(
    `${recording.name}: ${entries.length} entries, ${log.length} characters, ${took} s\n`,
  );
}

function writePages(): void {
  writeFileSync(join(fixtures, 'README.md'), provenancePage(recordings));
  writeFileSync(join(fixtures, 'LICENSES.md'), licencesPage(recordings));
}

function known(): string {
  return recordings.map(({ name }) => name).join(', ');
}
