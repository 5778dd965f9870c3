import { open } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { type CompactionWork, createCompaction } from '@varve/compact';
import { isStillCurrent } from '@varve/compact/pipeline';
import { type Entry, isToolUse, type Message, type Plan } from '@varve/messages';
import { openLog } from '@varve/transcript/node';
import { contextOf, threadOf } from '../compact-thread.ts';

type AppendFile =
  NonNullable<NonNullable<Parameters<typeof openLog>[1]>['openFile']> extends (
    path: string,
  ) => Promise<infer File>
    ? File
    : never;

// Goes on with the conversation in a log: rounds, questions, and compactions of it. `once` compacts and ends; `endless` never
// ends. Every entry that is in the log is printed, and `once` how many calls it took. Kills itself with SIGKILL at the `killAt`-th call of the file system:
// before it, or, where `half` is given, in the middle of a write and after anything else.
flushCompileCache(); // who is killed leaves none for the next
const [path = '', mode = 'once', killAt = '0', half = ''] = process.argv.slice(2);
const WRITE_BYTES = 900;
const PAUSE_MS = 2;
let operation = 0;

async function step<Result>(work: () => Promise<Result>): Promise<Result> {
  operation++;
  const isLast = operation === Number(killAt);
  if (isLast && half === '') process.kill(process.pid, 'SIGKILL');
  const result = await work();
  if (isLast) process.kill(process.pid, 'SIGKILL');
  return result;
}

/** Takes a few bytes at a time, as a disk may. */
async function openFile(name: string): Promise<AppendFile> {
  const handle = await open(name, 'a', 0o600);
  return {
    write(bytes) {
      const isHalf = half !== '' && operation + 1 === Number(killAt);
      const part = bytes.subarray(0, isHalf ? 7 : WRITE_BYTES);
      return step(async () => (await handle.write(part)).bytesWritten);
    },
    sync: () => step(() => handle.datasync()),
    close: () => step(() => handle.close()),
  };
}

const HEAD = {
  id: 'head',
  model: 'claude-opus-4-8',
  system: [{ type: 'text', text: 'You fix tests.' }],
  tools: [{ name: 'read', description: 'Reads.', input_schema: { type: 'object' } }],
  params: {},
} as const;

const existing: Entry[] = [];
const log = await openLog(path, {
  durability: 'disk',
  lockWaitMs: 60_000,
  onEntry: (entry) => void existing.push(entry),
  openFile,
});
let calls = 0;
const planner = createCompaction({
  keepTokens: 2_000,
  wait: async () => {},
  // every other one is made without a model
  async summarize() {
    const text = calls++ % 2 === 0 ? '<summary>\nGo on with the task.\n</summary>' : '';
    return { content: [{ type: 'text', text }], stopReason: 'end_turn' };
  },
});
const thread = threadOf(HEAD, planner);
if (existing.length === 0) await log.append(...thread.entries);
for (const entry of existing.slice(1)) thread.append(entry);

async function append(entry: Entry): Promise<void> {
  thread.append(entry);
  const { kind } = await log.append(entry);
  if (kind !== 'written') throw new Error(kind);
  process.stdout.write(`${entry.id}\n`);
}

async function say(message: Omit<Message, 'id'>): Promise<void> {
  if (mode === 'endless') await setTimeout(PAUSE_MS);
  const id = `said-${thread.entries.length}`;
  const at = new Date(thread.entries.length).toISOString();
  await append({ id: `entry-${id}`, at, type: 'message', message: { id, ...message } });
}

const text = (value: string) => [{ type: 'text', text: value }];

function workOf(plan: Plan<CompactionWork>): CompactionWork {
  if (plan.kind !== 'work') throw new Error(plan.reason);
  return plan.work;
}

/** A person may speak while the summary is written. */
async function compactNow(): Promise<void> {
  const options = { head: HEAD, windowTokens: 200_000, thinking: 'free' } as const;
  const work = workOf(planner.planNow(contextOf(thread.view, options), { trigger: 'auto' }));
  const since = thread.entries.length;
  const restored: Message = {
    id: `restored-${since}`,
    role: 'user',
    content: text('src/a.ts: ok'),
  };
  const running = planner.run(work, { attach: () => [restored] });
  if (mode === 'endless') await say({ role: 'user', content: text(`Meanwhile ${since}.`) });
  const result = await running;
  if (result.kind === 'failed') throw new Error(result.reason);
  if (!isStillCurrent(work, thread.entries.slice(since))) throw new Error('not current');
  const { edit, receipt } = result;
  const [id, at] = [`compaction-${since}`, new Date(since).toISOString()];
  await append({ id, at, type: 'edit', by: 'compact', reason: receipt.reason, receipt, edit });
}

async function round(index: number): Promise<void> {
  const id = `call-${thread.entries.length}`;
  const input = { path: `src/file-${index}.ts` };
  await say({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input }] });
  await answer(id);
}

const answer = (id: string) =>
  say({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: `line of ${id}\n`.repeat(200) }],
  });

if (mode === 'once') {
  await compactNow();
  await log.close();
  process.stdout.write(`${operation} calls\n`);
} else {
  for (const id of thread.view.open?.assistant.content.filter(isToolUse).map(({ id }) => id) ?? [])
    await answer(id);
  for (let turn = 0; ; turn++) {
    await say({ role: 'user', content: text(`Question ${thread.entries.length}: fix it.`) });
    for (let index = 0; index < 3; index++) await round(index);
    if (turn % 2 === 0) await say({ role: 'assistant', content: text('Done.') });
    if (mode === 'build' && turn === 2) break;
    await compactNow();
  }
  await log.close();
}
