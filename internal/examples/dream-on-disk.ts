import '../src/stand-in-provider.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { createDream } from '@varve/dream';
import { agentFork } from '@varve/dream/agent';
import { consolidateLock, gitLookup, sessionFolder } from '@varve/dream/node';
import { createMemdir } from '@varve/memdir';
import { diskFolder, memoryPath } from '@varve/memdir/node';
import { createAnthropicClient } from '@varve/models/anthropic';

const root = mkdtempSync(join(tmpdir(), 'agent-')); // yours: a folder of your agent, as ~/.agent
const cwd = process.cwd();
const path = memoryPath({ cwd, root }); // <root>/projects/<project>/memory
const client = createAnthropicClient({ sdk: new Anthropic() });
const memory = createMemdir({ folder: diskFolder(path), now: Date.now });
const dream = createDream({
  ...{ memory, now: Date.now, lock: consolidateLock(path), git: gitLookup(cwd) },
  sessions: sessionFolder('.agent/sessions'), // what past sessions said, in files of @varve/transcript
  runFork: agentFork({ client, model: 'claude-opus-5-5', maxOutputTokens: 8_000 }),
});
const answer = dream.afterLoop({ sessionId: 'today' }); // after each loop of the main agent

console.log(await answer);
rmSync(root, { recursive: true });
process.exit(0);
