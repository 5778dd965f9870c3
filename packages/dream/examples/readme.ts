import { createDream, type RunFork, reportText } from '@varve/dream';
import { createMemdir, inMemoryFolder } from '@varve/memdir';

const folder = inMemoryFolder(); // on disk: diskFolder(path) of '@varve/memdir/node'
const memory = createMemdir({ folder, now: () => Date.parse('2026-11-01T12:00:00Z') });
const rule = { name: 'Database port', description: 'Where it listens', type: 'project' } as const;
await memory.save({ ...rule, body: 'Postgres listens on port 5433.', path: 'port.md' });

// what past sessions said; on disk: sessionFolder(path) of '@varve/dream/node'
const text = 'Postgres listens on port 5432.';
const atMs = Date.parse('2026-11-20T09:00:00Z');
const list = async () => [{ id: 'monday', touchedMs: atMs }];
const sessions = {
  path: 'sessions',
  list,
  read: async () => [{ by: 'user' as const, text, atMs }],
};

// stands for a model, so that this runs without a key: agentFork({ client, model, … }) of '@varve/dream/agent'
const runFork: RunFork = async ({ runTool }) => {
  const quotes = [{ source: 'monday', quote: text }];
  const removes = [{ quote: 'port 5433', source: 'monday', by: text }];
  const input = { path: 'port.md', body: text, reason: 'it moved', quotes };
  for (const each of [input, { ...input, removes }])
    console.log((await runTool({ id: '1', name: 'rewrite_memory', input: each })).content);
  return { kind: 'done' };
};

const now = () => Date.parse('2026-11-30T12:00:00Z');
const dream = createDream({ memory, sessions, runFork, now, minSessions: 1 });
const result = await dream.afterLoop({ sessionId: 'today' }); // need not be waited for
if (result.kind === 'completed') console.log(reportText(result.report));
console.log((await memory.read('port.md'))?.text.includes('5432')); // → true
await dream.undo(); // the same bytes again
console.log((await memory.read('port.md'))?.text.includes('5433')); // → true
