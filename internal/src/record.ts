import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { recordings } from '../recordings/recordings.ts';
import { AGENT_RECORDING, recordAgent } from './record/agent-session.ts';
import { serializeLog } from './record/log-writer.ts';
import { licencesPage, provenancePage } from './record/provenance.ts';
import { recordSession } from './record/record-session.ts';
import type { Recording } from './record/recording.ts';
import { transcript } from './record/transcript.ts';
import { root } from './workspace.ts';

/**
 * `pnpm record [name…]`: plays the recordings (all of them by default), writes `fixtures/sessions/<name>.jsonl`, the session
 * of the agent below `fixtures/agent`, and the pages that say where they come from. With `--print` a readable transcript goes to standard output and nothing is written.
 */
const fixtures = join(root, 'fixtures');
const args = process.argv.slice(2);
const names = args.filter((arg) => !arg.startsWith('--'));
const print = args.includes('--print');

const known = [...recordings.map(({ name }) => name), AGENT_RECORDING];
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  process.stderr.write(
    `no recording is called ${unknown.join(', ')}; there are ${known.join(', ')}\n`,
  );
  process.exitCode = 1;
} else {
  const isWanted = (name: string) => names.length === 0 || names.includes(name);
  for (const recording of recordings.filter(({ name }) => isWanted(name))) record(recording);
  if (isWanted(AGENT_RECORDING) && !print) await recordAgentSession();
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

async function recordAgentSession(): Promise<void> {
  for (const [file, log] of await recordAgent()) {
    const path = join(fixtures, 'agent', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, log);
    process.stdout.write(`agent/${file}: ${log.length} characters\n`);
  }
}

function writePages(): void {
  writeFileSync(join(fixtures, 'README.md'), provenancePage(recordings));
  writeFileSync(join(fixtures, 'LICENSES.md'), licencesPage(recordings));
}
