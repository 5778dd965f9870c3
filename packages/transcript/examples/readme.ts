import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProjection } from '@varve/messages';
import { openLog } from '@varve/transcript/node';

const path = join(mkdtempSync(join(tmpdir(), 'agent-')), 'session.jsonl');
const projection = createProjection();
const log = await openLog(path, { onEntry: projection.append }); // resumes what is there
const message = {
  id: 'm1',
  role: 'user',
  content: [{ type: 'text', text: 'Fix the test' }],
} as const;
const entry = { id: 'e1', at: new Date().toISOString(), type: 'message', message } as const;
const result = await log.append(entry); // → { kind: 'written' }
await log.close();
console.log(result.kind, projection.append(entry).messages.length);
