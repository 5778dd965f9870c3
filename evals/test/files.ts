import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serializeEntry } from '@varve/messages';
import { onTestFinished } from 'vitest';
import { generatedSteps, type Step, threadOf } from './sessions.ts';

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-evals-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a session as a log and returns its path. */
export function writeSession(folder: string, name: string, steps: readonly Step[]): string {
  const path = join(folder, name);
  const lines = threadOf(steps).entries.map((entry) => `${serializeEntry(entry)}\n`);
  writeFileSync(path, lines.join(''));
  return path;
}

/** A folder with three small sessions of three projects, and a note that is no session. */
export function sessionFolder(calls = 30): string {
  const folder = temporaryFolder();
  for (const [seed, project] of ['Alpha', 'Beta', 'Gamma'].entries()) {
    const steps = generatedSteps({ seed, calls, lines: 8, project });
    writeSession(folder, `${project.toLowerCase()}.jsonl`, steps);
  }
  writeFileSync(join(folder, 'notes.json'), '{"about":"these sessions"}');
  return folder;
}

/** Every so many-th of the recorded sessions of a folder, in the order of their names. */
export function everyNth(folder: string, step: number): readonly string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const sessions = files.filter((name) => /[/\\].+\.(?:jsonl|json|traj)$/.test(name));
  return sessions.filter((_, at) => at % step === 0).map((name) => join(folder, name));
}
