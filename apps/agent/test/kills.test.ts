import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createProjection, type Entry } from '@varve/messages';
import { readThread } from '@varve/transcript/node';
import { expect, test } from 'vitest';
import { isWhole, seed } from '../../../internal/src/share.ts';
import { randomNumbers, sent, use, workbench } from './support.ts';

/** 200 are for `pnpm soak`. */
const KILLS = process.env.VARVE_SOAK ? 200 : isWhole ? 24 : 6;
/** So small that a session of a few rounds is compacted. */
const SMALL = { VARVE_WINDOW: '60000', VARVE_COMPACT_PERCENT: '36' };
const FLAGS = ['--permission-mode', 'bypassPermissions'];
const SUMMARY = `<summary>${'Files were written, read and listed one by one, and numbers were counted. '.repeat(12)}</summary>`;

/** Where a kill is to hit; `anywhere` is behind so many requests. */
const AIMS = ['stream', 'command', 'hook', 'write', 'compaction', 'anywhere'] as const;
type Aim = (typeof AIMS)[number];

test(
  `A6: ${KILLS} SIGKILLs in a stream, a command, a hook, a write, a compaction and anywhere; -c goes on each time, nothing written is lost, no request is refused`,
  async () => {
    let calls = 0;
    /** How often each was begun. */
    const begun = { stream: 0, write: 0, compaction: 0 };
    const next = () => {
      calls += 1;
      const id = `call_${calls}`;
      const path = `file-${calls % 7}.txt`;
      const text = { type: 'text', text: `This is step ${calls} of the work. `.repeat(12) };
      const withText = (reply: ReturnType<typeof use>) => ({ content: [text, ...reply.content] });
      begun.stream += 1;
      switch (calls % 5) {
        case 0:
          return withText(
            use(id, 'Bash', {
              command: `touch at-command; echo begun ${calls}; sleep 0.05; seq ${calls % 9} 500`,
            }),
          );
        case 1:
          begun.write += 1;
          return use(id, 'Write', { file_path: `new-${calls}.txt`, content: contentOf(calls) });
        case 2:
          return use(id, 'Bash', { command: `seq 1 300 > ${path}; echo ${calls}` });
        case 3:
          return use(id, 'Read', { file_path: path });
        default:
          return withText(use(id, 'Grep', { pattern: `^${calls % 9}$`, output_mode: 'content' }));
      }
    };
    const { run, emulator, bodies, folder, config, read } = await workbench({
      deltaCharacters: 40,
      eventDelayMs: 2,
      replies: ({ request }) => {
        const last = sent(request.messages.at(-1));
        if (last.includes('<summary>')) {
          begun.compaction += 1;
          return SUMMARY;
        }
        const all = JSON.stringify(request.messages);
        return all.lastIndexOf('Finish.') > all.lastIndexOf('Do part ') ? 'Finished.' : next();
      },
    });
    mkdirSync(config);
    const hooks = (event: string) => ({
      [event]: [{ hooks: [{ type: 'command', command: 'touch at-hook; sleep 0.03' }] }],
    });
    const settings = { hooks: { ...hooks('PostToolUse'), ...hooks('PreCompact') } };
    writeFileSync(join(config, 'settings.json'), JSON.stringify(settings));
    await run(['-p', 'Finish.', ...FLAGS], { env: SMALL });
    const logs = join(config, 'projects');
    const [project = ''] = readdirSync(logs);
    const [name = ''] = readdirSync(join(logs, project)).filter((each) => each.endsWith('.jsonl'));
    const log = join(logs, project, name);

    const random = randomNumbers(seed);
    const hits: Partial<Record<Aim, number>> = {};
    let underWay = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const aim = AIMS[kill % AIMS.length] as Aim;
      for (const mark of ['at-command', 'at-hook']) rmSync(join(folder, mark), { force: true });
      const before = { ...begun, requests: emulator.requests.length };
      const late = 1 + Math.floor(random() * 8);
      const isThere = (): boolean => {
        if (aim === 'anywhere') return emulator.requests.length >= before.requests + late;
        if (aim === 'stream') return begun.stream >= before.stream + late;
        if (aim === 'write' || aim === 'compaction') return begun[aim] > before[aim];
        return existsSync(join(folder, `at-${aim}`));
      };
      const killed = await run(['-p', '-c', `Do part ${kill}.`, ...FLAGS], {
        env: SMALL,
        onStart: async (child: ChildProcess) => {
          while (!isThere() && child.exitCode === null) await wait(1);
          await wait(random() * SPAN_MS[aim]);
          child.kill('SIGKILL');
        },
      });
      expect(killed.signal, `${aim}: ${killed.stderr}`).toBe('SIGKILL');
      hits[aim] = (hits[aim] ?? 0) + 1;
      const lastRequest = bodies().at(-1)?.messages.map(sent) ?? [];
      const isSummary = lastRequest.at(-1)?.includes('<summary>') === true;
      const written = await viewOf(log);
      const resumed = await run(['-p', '-c', 'Finish.', ...FLAGS], { env: SMALL });
      expect(resumed, `${aim}: ${resumed.stderr}`).toMatchObject({
        code: 0,
        stdout: 'Finished.\n',
      });
      for (const file of readdirSync(folder).filter((each) => /^new-\d+\.txt$/.test(each)))
        expect(read(file), file).toBe(contentOf(Number(/\d+/.exec(file)?.[0])));
      const now = await viewOf(log);
      expect(
        written.ids.filter((id) => !now.all.includes(id)),
        aim,
      ).toEqual([]);
      if (now.compactions > written.compactions) continue;
      // Nothing was compacted in between: all results that were written are sent, behind the bytes of the request that was cut.
      underWay += 1;
      const after = bodies().at(-1)?.messages.map(sent) ?? [];
      const whole = after.join('\n');
      expect(
        written.ids.filter((id) => !whole.includes(`"${id}"`)),
        aim,
      ).toEqual([]);
      if (isSummary) continue;
      expect(after.slice(0, lastRequest.length), aim).toEqual(lastRequest);
    }
    if (process.env.VARVE_SOAK)
      process.stdout.write(
        `${KILLS} kills: ${JSON.stringify(hits)}, ${underWay} without a compaction behind them, ${begun.compaction} summaries, ${calls} calls, ${emulator.requests.length} requests\n`,
      );
    expect(underWay).toBeGreaterThan(0);
    expect(begun.compaction).toBeGreaterThan(0);
  },
  KILLS * 20_000,
);

/** How long what a kill is to hit may take. */
const SPAN_MS: Readonly<Record<Aim, number>> = {
  stream: 60,
  command: 60,
  hook: 35,
  write: 40,
  compaction: 150,
  anywhere: 60,
};

const contentOf = (call: number): string => `text ${call}\n`.repeat(200);

/** What a log holds: calls with results in view, all that it has, and how often it was compacted. */
async function viewOf(log: string) {
  const projection = createProjection();
  const entries: Entry[] = [];
  let view: ReturnType<typeof projection.append> | undefined;
  for await (const { entry } of readThread(log)) {
    entries.push(entry);
    view = projection.append(entry);
  }
  const idsIn = (messages: readonly { readonly content: readonly unknown[] }[]) =>
    messages.flatMap(({ content }) =>
      (content as readonly { readonly type: string; readonly tool_use_id?: string }[]).flatMap(
        (block) => (block.type === 'tool_result' && block.tool_use_id ? [block.tool_use_id] : []),
      ),
    );
  return {
    ids: idsIn(view?.messages ?? []),
    all: idsIn(entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))),
    compactions: entries.filter((entry) => entry.type === 'edit' && entry.by === 'compact').length,
  };
}
