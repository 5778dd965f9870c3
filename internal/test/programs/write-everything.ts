import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileMailboxes } from '@varve/fork-agent/node';
import { fileRecordStore } from '@varve/models/node';
import { notesFile } from '@varve/session-memory/node';
import { createToolStorage } from '@varve/tool-storage';
import { fileStore } from '@varve/tool-storage/node';
import { forkLog, openLog, salvageLog, takeLock } from '@varve/transcript/node';

// Writes, into a folder, one of everything that the packages write. The emulator and the evals have programs of their own.
const [folder = ''] = process.argv.slice(2);
const at = '2026-01-02T03:04:05.000Z';

const path = join(folder, 'logs', 'deep', 'log.jsonl');
const log = await openLog(path);
await log.append({ id: 'e1', at, type: 'note', by: 'test', data: 1 });
await log.close();
appendFileSync(path, '{"torn');
await (await openLog(path)).close();
appendFileSync(path, 'damaged\n');
await salvageLog(path);
await forkLog(path, join(folder, 'forks', 'fork.jsonl'), { entryId: 'e1', id: 'f1', at });
await takeLock(join(folder, 'lock'));

await fileRecordStore(join(folder, 'recordings', 'deep', 'record.jsonl')).append('{}');
const boxes = fileMailboxes(join(folder, 'mail'));
await boxes.open('worker');
const body = { kind: 'text', text: 't', summary: 's' } as const;
await boxes.deliver({ id: 'm', from: 'lead', to: 'worker', body });
await notesFile(join(folder, 'notes', 'deep', 'summary.md')).write('notes', { basis: undefined });
const storage = createToolStorage({ store: fileStore(join(folder, 'results')), sessionId: 's' });
await storage.offload({ toolUseId: 't', toolName: 'bash', content: 'x'.repeat(60_000) });
process.exit(); // with the locks still held
