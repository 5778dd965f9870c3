import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemdir } from '@varve/memdir';
import { agentMemoryPaths, diskFolder, memoryPath } from '@varve/memdir/node';

const root = mkdtempSync(join(tmpdir(), 'agent-')); // yours: a folder of your agent, as ~/.agent
const cwd = process.cwd();
const path = memoryPath({ cwd, root }); // <root>/projects/<project>/memory, one for all worktrees
const memory = createMemdir({ folder: diskFolder(path), now: Date.now });
const saved = await memory.save({
  name: 'Dashboards',
  description: 'Where the dashboards are',
  type: 'reference',
  body: 'The latency dashboard is in the operations folder of the wiki.',
});
if (saved.kind === 'saved') await memory.forget(saved.path, { reason: 'the wiki is gone' });
await memory.undo(); // the same bytes again
const reviewer = agentMemoryPaths({ cwd, root, agent: 'reviewer', projectFolder: '.agent' });

console.log(Object.keys(reviewer), (await memory.scan()).files.length);
rmSync(root, { recursive: true });
