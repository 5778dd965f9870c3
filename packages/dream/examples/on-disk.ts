import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDream } from '@varve/dream';
import { agentFork } from '@varve/dream/agent';
import { consolidateLock, gitLookup, sessionFolder } from '@varve/dream/node';
import { createMemdir } from '@varve/memdir';
import { diskFolder, memoryPath } from '@varve/memdir/node';
import type { ModelClient } from '@varve/models';

/** A dream for a project on disk, to be tried after each loop of its agent. */
export function dreamOf(cwd: string, root: string, client: ModelClient, model: string) {
  const path = memoryPath({ cwd, root });
  const memory = createMemdir({ folder: diskFolder(path), now: Date.now });
  const dream = createDream({
    ...{ memory, now: Date.now, lock: consolidateLock(path), git: gitLookup(cwd) },
    sessions: sessionFolder('.agent/sessions'),
    runFork: agentFork({ client, model, maxOutputTokens: 8_000 }),
  });
  return dream;
}

const root = mkdtempSync(join(tmpdir(), 'dream-'));
const client: ModelClient = {
  provider: 'none',
  stream() {
    throw new Error('There is nothing to dream of.');
  },
};
const dream = dreamOf(process.cwd(), root, client, 'claude-opus-5-5');
const sessionId = 'today';
dream.afterLoop({ sessionId }); // after each loop of the main agent
await dream.settle();
console.log(dream.progress().status);
rmSync(root, { recursive: true });
