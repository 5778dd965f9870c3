import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { fileMailboxes } from '@varve/fork-agent/node';
import type { Entry } from '@varve/messages';
import { SessionMemoryError } from '@varve/session-memory';
import { notesFile } from '@varve/session-memory/node';
import { openLog } from '@varve/transcript/node';

// Writes to a log, to notes and to the mailbox of another agent, all of which other processes write too, and reads its own mail,
// until it is killed. What is acknowledged is printed: `log 7`, `note 7`, `mail 7`.
flushCompileCache(); // who is killed leaves none for the next
const [folder = '', name = '', reader = ''] = process.argv.slice(2);
const path = join(folder, 'logs', 'log.jsonl');
const notes = notesFile(join(folder, 'notes', 'summary.md'), { lockWaitMs: 60_000 });
const boxes = fileMailboxes(join(folder, 'mail'));

for (let index = 0; ; index++) {
  const id = `${name}-${index}`;
  await appendToLog(id);
  process.stdout.write(`log ${id}\n`);
  if (await addToNotes(id)) process.stdout.write(`note ${id}\n`);
  const body = { kind: 'text', text: id, summary: 's' } as const;
  await boxes.deliver({ id, from: name, to: reader, body });
  process.stdout.write(`mail ${id}\n`);
}

async function appendToLog(id: string): Promise<void> {
  const log = await openLog(path, { lockWaitMs: 60_000 });
  const content = [{ type: 'text', text: 'x'.repeat(id.length * 300) }];
  const message = { id: `m-${id}`, role: 'user', content } as const;
  const entry: Entry = { id, at: '2026-01-02T03:04:05.000Z', type: 'message', message };
  await log.append(entry);
  await log.close();
}

/** False where another process has written notes in between. */
async function addToNotes(id: string): Promise<boolean> {
  const basis = await notes.read();
  try {
    await notes.write(`${basis ?? ''}${id}\n`, { basis });
    return true;
  } catch (error) {
    if (SessionMemoryError.is(error) && error.code === 'changed-meanwhile') return false;
    throw error;
  }
}
