import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '@varve/context';
import { expect, test } from 'vitest';
import { budget } from '../src/reminders/budget.ts';
import { askProducers, type Producer } from '../src/reminders/producers.ts';
import { createTodos } from '../src/reminders/todos.ts';
import { use, sharedWorkbench as workbench } from './support.ts';
import { hasTmux, inTmux } from './tmux.ts';

type Bench = Awaited<ReturnType<typeof workbench>>;

const put = ({ folder }: Bench, name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};

/** Hooks of the user, each a script that gets the event on standard input. */
function setHooks({ config, root }: Bench, hooks: Readonly<Record<string, string>>): void {
  mkdirSync(config, { recursive: true });
  const groups = Object.entries(hooks).map(([event, script]) => {
    const command = join(root, `${event}.sh`);
    writeFileSync(command, `#!/bin/bash\n${script}\n`);
    chmodSync(command, 0o755);
    return [event, [{ hooks: [{ type: 'command', command }] }]];
  });
  writeFileSync(
    join(config, 'settings.json'),
    JSON.stringify({ hooks: Object.fromEntries(groups) }),
  );
}

const APPROVES = `echo '${JSON.stringify({ hookSpecificOutput: { decision: { behavior: 'allow' } } })}'`;
const bypass = ['--permission-mode', 'bypassPermissions'];
const text = (value: unknown): string => JSON.stringify(value);
const lastSent = ({ bodies }: Bench): string => text(bodies().at(-1)?.messages);
const filling = (id: string) => use(id, 'Bash', { command: 'seq 100000 104000' });

test('A9, A10: plan, list and skills that were called are there after compactions, also after a restart', async () => {
  let calls = 0;
  const first = [
    use('plan', 'ExitPlanMode', { plan: '1. Count the zebras.\n2. Tell.' }),
    use('skill', 'Skill', { skill: 'count', args: 'zebras' }),
    use('todo', 'TodoWrite', {
      todos: [
        { content: 'Count zebras twice', status: 'in_progress' },
        { content: 'Tell of zebras', status: 'pending' },
      ],
    }),
  ];
  const bench = await workbench({
    replies: ({ request }) => {
      if (text(request.messages.at(-1)).includes('summary'))
        return 'Nothing worth a word was said.';
      if (text(request.messages.at(-1)).includes('Enough now')) return 'ended';
      calls += 1;
      return first[calls - 1] ?? (calls % 14 === 0 ? 'done' : filling(`call_${calls}`));
    },
  });
  put(
    bench,
    '.varve/skills/count/SKILL.md',
    '---\ndescription: How to count\n---\nUse both hands.',
  );
  setHooks(bench, { PermissionRequest: APPROVES });
  const env = { VARVE_WINDOW: '60000', VARVE_COMPACT_PERCENT: '30' };
  const compactions = () =>
    bench.bodies().filter(({ messages }) => text(messages.at(-1)).includes('summary')).length;
  const args = ['--permission-mode', 'plan', '--allowed-tools', 'Bash'];
  expect(await bench.run(['-p', 'Count.', ...args], { env })).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(compactions()).toBeGreaterThan(0);
  const facts = [
    '1. Count the zebras.',
    'Use both hands.\\n\\nArguments: zebras',
    '[>] Count zebras twice',
    'Skills for the Skill tool: count',
  ];
  for (const fact of facts) expect(lastSent(bench)).toContain(fact);
  expect(lastSent(bench)).not.toContain('Plan mode is on');
  const before = compactions();
  await bench.run(['-p', '-c', 'Count again.', '--allowed-tools', 'Bash'], { env });
  expect(compactions()).toBeGreaterThan(before);
  await bench.run(['-p', '-c', 'Enough now.'], { env });
  for (const fact of facts) expect(lastSent(bench)).toContain(fact);
});

test('A10: in plan mode nothing is changed until the plan is approved; a compaction keeps the mode and the plan', async () => {
  let calls = 0;
  const bench = await workbench({
    replies: ({ request }) => {
      if (text(request.messages.at(-1)).includes('summary'))
        return 'Nothing worth a word was said.';
      calls += 1;
      if (calls === 1) return use('call_1', 'Write', { file_path: 'made', content: 'x' });
      if (calls === 2) return use('call_2', 'ExitPlanMode', { plan: 'Write the file made.' });
      return calls < 12 ? use(`call_${calls}`, 'Bash', { command: 'seq 100000 104000' }) : 'So.';
    },
  });
  const env = { VARVE_WINDOW: '60000', VARVE_COMPACT_PERCENT: '30' };
  const { code, stderr } = await bench.run(['-p', 'Make it.', '--permission-mode', 'plan'], {
    env,
  });
  expect(code).toBe(4);
  expect(stderr).toContain('ExitPlanMode needs permission');
  expect(existsSync(join(bench.folder, 'made'))).toBe(false);
  expect(text(bench.bodies()[0]?.messages)).toContain('Plan mode is on');
  expect(lastSent(bench)).toContain('Plan mode is on');
  expect(lastSent(bench)).toContain('not approved:\\n\\nWrite the file made.');
  expect(lastSent(bench).match(/Plan mode is on/g)).toHaveLength(1);
  await bench.run(['-p', '-c', 'Go on.']);
  expect(lastSent(bench)).toContain('Plan mode is off');
});

test.skipIf(!hasTmux)(
  'A10: in the terminal /plan shows, a plan is refused with a reason, then approved; /todo, /skills, and a skill by its name',
  async () => {
    const bench = await workbench({
      replies: ({ request }) => {
        const last = text(request.messages.at(-1));
        if (last.includes('wrong order'))
          return use('p2', 'ExitPlanMode', { plan: 'Plan the SECOND' });
        if (last.includes('approved the plan'))
          return {
            content: [
              ...use('w', 'Bash', { command: 'touch made' }).content,
              ...use('t', 'TodoWrite', { todos: [{ content: 'water it', status: 'pending' }] })
                .content,
            ],
          };
        if (last.includes('tool_result')) return 'Built.';
        if (last.includes('/greet')) return 'Hello to you.';
        return use('p1', 'ExitPlanMode', { plan: 'Plan the FIRST' });
      },
    });
    put(bench, '.claude/commands/greet.md', '---\ndescription: Greets\n---\nSay hello.');
    const terminal = await inTmux(bench, bypass);
    await terminal.see('new session');
    await terminal.say('/plan');
    await terminal.see('Plan mode is now on');
    await terminal.say('Build it.');
    await terminal.see(/Plan the FIRST[\s\S]*Is this plan right\?/);
    await terminal.keys('2');
    await terminal.see('Why not');
    await terminal.say('wrong order');
    await terminal.see(/Plan the SECOND[\s\S]*1\. Yes, do it/);
    expect(existsSync(join(bench.folder, 'made'))).toBe(false);
    await wait(1_100); // what comes sooner behind the reason is typing, and no answer
    await terminal.keys('1');
    await terminal.see('Built.');
    await terminal.see('· bypassPermissions ·');
    expect(existsSync(join(bench.folder, 'made'))).toBe(true);
    await terminal.say('/todo');
    await terminal.see('  ☐ water it');
    await terminal.say('/skills');
    await terminal.see(/\/greet .*Greets \(project command, you only\)/);
    await terminal.say('/greet Ada');
    await terminal.see('Hello to you.');
    expect(lastSent(bench)).toContain('Say hello.\\n\\nArguments: Ada');
    await terminal.say('/exit');
    expect(await terminal.exitCode()).toBe(0);
  },
);

test('A9, A5: a file that was changed since it was read is told of once, at the next request, and to hooks', async () => {
  const bench = await workbench({
    replies: [
      use('call_1', 'Read', { file_path: 'a.txt' }),
      use('call_2', 'Bash', { command: 'echo two > a.txt; rm b.txt' }),
      use('call_3', 'Bash', { command: 'echo three' }),
      'done',
    ],
  });
  put(bench, 'a.txt', 'one\n');
  put(bench, 'b.txt', 'one\n');
  setHooks(bench, {
    FileChanged: 'cat >> "$VARVE_PROJECT_DIR/../events"; echo >> "$VARVE_PROJECT_DIR/../events"',
  });
  await bench.run(['-p', 'Do it.', ...bypass]);
  const said = bench.bodies().map(({ messages }) => text(messages));
  expect(said[1]).not.toContain('not as you saw them');
  expect(said[2]).toContain('not as you saw them');
  expect(said[3]?.match(/not as you saw them/g)).toHaveLength(1);
  expect(said[3]).not.toContain('b.txt (gone)'); // it was never read
  const [event, ...more] = readFileSync(join(bench.root, 'events'), 'utf8').trim().split('\n');
  expect(JSON.parse(event as string)).toMatchObject({
    hook_event_name: 'FileChanged',
    event: 'change',
  });
  expect(more).toEqual([]);
});

test('A9: a list that is left alone is told of after ten requests, and the end of a run before it comes', async () => {
  let calls = 0;
  const bench = await workbench({
    replies: () => {
      calls += 1;
      if (calls === 1)
        return use('todo', 'TodoWrite', { todos: [{ content: 'Sweep', status: 'pending' }] });
      return use(`call_${calls}`, 'Bash', { command: `echo ${calls}` });
    },
  });
  const { code } = await bench.run(['-p', 'Go.', '--max-turns', '25', ...bypass]);
  expect(code).toBe(3);
  const said = bench.bodies().map(({ messages }) => text(messages));
  expect(said[10]).not.toContain('[ ] Sweep');
  expect(said[11]).toContain('[ ] Sweep');
  expect(said[24]?.match(/\[ \] Sweep/g)).toHaveLength(2);
  expect(said[22]).not.toContain('This run ends');
  expect(said[24]?.match(/This run ends after 2 more answers/g)).toHaveLength(1);
});

test('A9: the end of the room is told of once before a compaction, and not where one comes at once', async () => {
  let tokens = 0;
  const limits = { autocompactTokens: 1_000 } as ReturnType<Context['limits']>;
  const size = () => ({ tokens }) as ReturnType<Context['size']>;
  const producer = budget(() => ({ size, limits: () => limits }));
  const said: number[] = [];
  for (tokens of [500, 860, 900, 700, 950, 1_100, 200, 990]) {
    const at = { turn: 1, limits: {}, signal: new AbortController().signal };
    for (const { told } of await producer.collect(at)) {
      said.push(tokens);
      told?.();
    }
  }
  expect(said).toEqual([860, 990]);
});

test('A9: producers run beside each other; late and failing ones are left out, needed ones waited for, the order stays', async () => {
  const says = (name: string, ms: number, more: Partial<Producer> = {}): Producer => ({
    name,
    collect: async () => {
      await wait(ms);
      return [{ text: name }];
    },
    ...more,
  });
  const failures: string[] = [];
  const start = performance.now();
  const found = await askProducers(
    [
      says('slow', 60),
      says('late', 5_000),
      says('needed', 250, { isNeeded: true }),
      says('broken', 0, {
        collect: () => {
          throw new Error('broken');
        },
      }),
      says('quick', 0),
    ],
    { turn: 1, limits: {}, signal: new AbortController().signal },
    { mostMs: 150, onFailure: ({ name }) => void failures.push(name) },
  );
  expect(found.map((each) => each.text)).toEqual(['slow', 'needed', 'quick']);
  expect(failures).toEqual(['broken']);
  expect(performance.now() - start).toBeLessThan(4_500);
});

test('A5: a Stop hook that blocks for ever is not asked for ever', async () => {
  const bench = await workbench({ replies: () => 'I have nothing to do.' });
  setHooks(bench, { Stop: 'echo "not yet" >&2; exit 2' });
  const { code, stderr } = await bench.run(['-p', 'Do it.']);
  expect(code).toBe(0);
  expect(bench.bodies()).toHaveLength(6);
  expect(stderr).toContain('kept the model working 5 times');
});

test('A5: StopFailure, ConfigChange and Notification are told, a changed setting to the person as well', async () => {
  const bench = await workbench({
    replies: ({ request }) => {
      const last = text(request.messages.at(-1));
      if (last.includes('tool_result')) return 'Then not.';
      return last.includes('Touch') ? use('call_1', 'Bash', { command: 'touch x' }) : 'Hello.';
    },
    faults: [{ kind: 'status', status: 401, when: 1 }],
  });
  const keep = 'cat >> "$VARVE_PROJECT_DIR/../events"; echo >> "$VARVE_PROJECT_DIR/../events"';
  setHooks(bench, { StopFailure: keep, ConfigChange: keep, Notification: keep });
  const change = '!mkdir .varve; echo \'{"model": "other"}\' > .varve/settings.json';
  const ran = await bench.run(['--plain'], {
    input: `Hello.\n${change}\nAgain.\n/todo\nTouch it.\n`,
  });
  expect(ran.stdout).toContain('it holds from the next session on');
  const events = readFileSync(join(bench.root, 'events'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
  expect(events).toMatchObject([
    {
      ...{ hook_event_name: 'ConfigChange', source: 'project_settings' },
      file_path: join(bench.folder, '.varve/settings.json'),
    },
    { hook_event_name: 'StopFailure', error: 'authentication_failed' },
    { hook_event_name: 'Notification', notification_type: 'permission_prompt' },
  ]);
});

test('A9: a list whose call was rewound is gone, also after a restart', async () => {
  const bench = await workbench({
    replies: ({ request }) => {
      const last = text(request.messages.at(-1));
      if (last.includes('Plan'))
        return use('todo', 'TodoWrite', { todos: [{ content: 'Sweep', status: 'pending' }] });
      return 'Fine.';
    },
  });
  const { stdout } = await bench.run(['--plain'], { input: 'Plan.\n/todo\n/rewind 1\n/todo\n' });
  expect(stdout).toMatch(/Sweep[\s\S]*Gone back[\s\S]*There is no list/);
  const again = await bench.run(['--plain', '--continue'], { input: '/todo\n/undo\n/todo\n' });
  expect(again.stdout).toMatch(/There is no list[\s\S]*Taken back[\s\S]*☐ Sweep/);
});

test('A10: while there never was a list, no conversation is looked through for it', async () => {
  let looks = 0;
  const view = () => {
    looks += 1;
    return { messages: [], changedFrom: 0 };
  };
  const todos = createTodos(() => ({ entries: () => [], view }));
  const at = { turn: 2, limits: {}, signal: new AbortController().signal };
  for (let request = 0; request < 40; request++)
    expect(await todos.producer.collect(at)).toEqual([]);
  expect(looks).toBe(0);
  todos.seen({ kind: 'todos', todos: [] });
  for (let request = 0; request < 11; request++) await todos.producer.collect(at);
  expect(looks).toBe(1);
});
