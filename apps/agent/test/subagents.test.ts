import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  allOf,
  isAlive,
  lastOf,
  put,
  readTokens,
  systemOf,
  transcriptsOf,
  untilThere,
} from './agent-support.ts';
import { linesOf, sent, use, sharedWorkbench as workbench } from './support.ts';
import { hasTmux, inTmux } from './tmux.ts';

const ALL = ['--permission-mode', 'bypassPermissions'];
test('F9 F10: a named agent is fresh: own system prompt and tools, and only its answer comes back', async () => {
  const { run, write, bodies, config } = await workbench({
    replies: (given) => {
      if (systemOf(given).includes('You search a code base'))
        return lastOf(given).includes('tool_result')
          ? 'It stands in a.txt:1.'
          : use('call_c', 'Read', { file_path: 'a.txt' });
      return lastOf(given).includes('agent-result')
        ? 'Found.'
        : use('call_1', 'Task', {
            ...{ description: 'find it', prompt: 'Where is hello?', subagent_type: 'explore' },
          });
    },
  });
  write('a.txt', 'hello there\n');
  write('AGENTS.md', 'Use tabs.');
  const { code, stdout, stderr } = await run(['-p', 'Find hello.']);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Found.\n', stderr: '' });
  const [first, child, childAgain, last] = bodies() as {
    system: unknown;
    tools: { name: string }[];
    messages: unknown[];
  }[];
  expect(JSON.stringify(first?.messages)).toContain('- explore: ');
  const names = child?.tools.map(({ name }) => name) ?? [];
  expect(names).toContain('Read');
  for (const name of ['Edit', 'Write', 'Task']) expect(names).not.toContain(name);
  expect(JSON.stringify(child)).not.toContain('Find hello.');
  expect(JSON.stringify(child?.messages)).toContain('Use tabs.');
  expect(JSON.stringify(childAgain?.messages)).toContain('hello there');
  expect(JSON.stringify(last?.messages)).toContain('It stands in a.txt:1.');
  expect(JSON.stringify(last?.messages)).not.toContain('hello there');
  expect(last?.tools).toEqual(first?.tools);
  expect(transcriptsOf(config)['explore-1.jsonl']).toContain('It stands in a.txt:1.');
}, 30_000);

test('F1 F4 F5: forks share the bytes of their parent, the first writes and the others read, and none forks again', async () => {
  const fork = (id: string, prompt: string) => ({
    ...{ type: 'tool_use', id, name: 'Task', input: { description: 'look', prompt } },
  });
  const { run, bodies, emulator, config } = await workbench({
    replies: (given) => {
      const last = lastOf(given);
      const [, part] = /Look at part (\d)/.exec(last) ?? [];
      if (part === '1') return { content: [fork('call_n', 'Look deeper.')] };
      if (part !== undefined) return `Part ${part} is fine.`;
      if (last.includes('may not start another')) return 'Part 1 is fine.';
      if (last.includes('agent-result')) return 'All fine.';
      return { content: [1, 2, 3].map((n) => fork(`call_${n}`, `Look at part ${n}.`)) };
    },
  });
  expect(await run(['-p', `Look at it. ${'words '.repeat(4_000)}`])).toMatchObject({
    ...{ code: 0, stdout: 'All fine.\n', stderr: '' },
  });
  const all = bodies() as { system: unknown; tools: unknown; messages: unknown[] }[];
  const forks = all.filter(({ messages }) =>
    JSON.stringify(messages.at(-1)).includes('Look at part'),
  );
  expect(forks).toHaveLength(3);
  const prefix = forks[0]?.messages.slice(0, -1).map(sent);
  for (const each of forks) {
    expect(each.messages.slice(0, -1).map(sent)).toEqual(prefix);
    expect([sent(each.system), sent(each.tools)]).toEqual([
      sent(all[0]?.system),
      sent(all[0]?.tools),
    ]);
  }
  const read = forks.map((each) => readTokens(emulator.requests[all.indexOf(each)]));
  expect(Math.min(...read)).toBeGreaterThan(5_000);
  expect(JSON.stringify(all.at(-1)?.messages)).toContain('Part 3 is fine.');
  expect(Object.keys(transcriptsOf(config)).sort()).toEqual([
    ...['fork-1.jsonl', 'fork-2.jsonl', 'fork-3.jsonl'],
  ]);
}, 30_000);

test('F9: an agent in the background answers later, as a message', async () => {
  const { run, bodies } = await workbench({
    replies: (given) => {
      if (systemOf(given).includes('You carry out one task')) return 'The build works.';
      const last = lastOf(given);
      if (last.includes('The build works.')) return 'It works.';
      if (last.includes('Started in the background')) return 'Meanwhile.';
      return use('call_1', 'Task', {
        ...{ description: 'build', prompt: 'Build it.', subagent_type: 'general' },
        run_in_background: true,
      });
    },
  });
  const { code, stdout } = await run(['-p', 'Build it.']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'It works.\n' });
  const last = sent(bodies().at(-1)?.messages.at(-1));
  expect(last).toContain('<system-reminder>');
  expect(last).toContain('agent-result id=\\"general-1\\"');
}, 30_000);

const agentFile = (name: string, fields: string, prompt: string) =>
  `---\nname: ${name}\ndescription: ${name} things\n${fields}---\n${prompt}\n`;

const task = (id: string, type: string, more: object = {}) =>
  use(id, 'Task', { description: 'do it', prompt: 'Do it.', subagent_type: type, ...more });

test('F6: definitions of files and settings, the stronger source wins, and what they want is left out before it is trusted', async () => {
  const { run, root, folder, config, bodies, emulator } = await workbench({
    replies: (given) => {
      if (systemOf(given).includes('I am the project.'))
        return lastOf(given).includes('tool_result')
          ? 'Done.'
          : use('call_w', 'Write', { file_path: 'new.txt', content: 'new' });
      return lastOf(given).includes('agent-result') ? 'Ended.' : task('call_1', 'helper');
    },
  });
  put(join(root, '.claude/agents/helper.md'), agentFile('helper', '', 'I am the person.'));
  put(join(config, 'agents/mine.md'), agentFile('mine', 'model: haiku\n', 'Mine.'));
  put(
    join(folder, '.claude/agents/helper.md'),
    agentFile(
      'helper',
      'tools: Read, Write\npermissionMode: acceptEdits\nmodel: haiku\n',
      'I am the project.',
    ),
  );
  put(join(folder, '.varve/agents/broken.md'), 'no front matter');
  const flags = [
    '--settings',
    JSON.stringify({ agents: { flagged: { description: 'flagged things', prompt: 'Flagged.' } } }),
  ];
  const first = await run(['-p', 'Do it.', ...flags]);
  expect(first.stderr).toContain('permissionMode');
  expect(existsSync(join(folder, 'new.txt'))).toBe(false);
  const list = allText(bodies()[0]);
  for (const name of ['helper', 'mine', 'flagged', 'explore', 'general', 'plan'])
    expect(list).toContain(`- ${name}: `);
  expect(list).not.toContain('broken');
  const child = bodies()[1] as unknown as { model: string; tools: { name: string }[] };
  expect(child.model).toBe('claude-haiku-5-5');
  expect(child.tools.map(({ name }) => name)).toEqual(['Read', 'Write']);
  const before = emulator.requests.length;
  await run(['-p', 'Do it.', '--trust', ...flags]);
  expect(readFileSync(join(folder, 'new.txt'), 'utf8')).toBe('new');
  expect(allText(bodies()[before])).toBe(list);
}, 30_000);

const allText = (value: unknown): string => JSON.stringify(value);

test('F6: effort of a definition is sent; what does nothing in it is said once', async () => {
  let calls = 0;
  const { run, config, bodies } = await workbench({
    replies: (given) => {
      if (systemOf(given).includes('You think hard.')) return 'Thought.';
      return calls++ < 2 ? task(`call_${calls}`, 'thinker') : 'Ended.';
    },
  });
  const fields = 'effort: high\nmemory: user\nmcpServers:\n  web:\n    url: https://a.test\n';
  put(join(config, 'agents/thinker.md'), agentFile('thinker', fields, 'You think hard.'));
  const { stderr, stdout } = await run(['-p', 'Do it.']);
  expect(stdout).toBe('Ended.\n');
  const asked = (bodies() as { output_config?: unknown }[]).map((body) => body.output_config);
  expect(asked.filter((config) => config !== undefined)).toEqual([
    { effort: 'high' },
    { effort: 'high' },
  ]);
  expect(stderr.match(/The agent thinker: (?:memory|mcpServers): does nothing/g)).toHaveLength(2);
});

test('A5: SubagentStart and SubagentStop, which may send an agent on; agent_id stands in each event of an agent', async () => {
  const bench = await workbench({
    replies: (given) => {
      const last = lastOf(given);
      if (systemOf(given).includes('You carry out one task')) {
        if (last.includes('Check it once more')) return 'Checked.';
        return last.includes('tool_result')
          ? 'Did it.'
          : use('call_c', 'Bash', { command: 'echo $((6*7))' });
      }
      return allOf(given).includes('agent-result') ? 'Ended.' : task('call_1', 'general');
    },
  });
  const log = join(bench.root, 'events');
  put(
    join(bench.root, 'hook.mjs'),
    `import { appendFileSync, readFileSync } from 'node:fs';
const input = JSON.parse(readFileSync(0, 'utf8'));
appendFileSync(${JSON.stringify(log)}, JSON.stringify(input) + '\\n');
if (input.hook_event_name === 'SubagentStart') console.log(JSON.stringify({ hookSpecificOutput: { additionalContext: 'from the start hook' } }));
if (input.hook_event_name === 'PostToolUse') console.log(JSON.stringify({ hookSpecificOutput: { additionalContext: 'from the tool hook' } }));
if (input.hook_event_name === 'SubagentStop' && !input.stop_hook_active) { console.error('Check it once more'); process.exit(2); }
`,
  );
  const hook = { hooks: [{ type: 'command', command: `node ${join(bench.root, 'hook.mjs')}` }] };
  const events = [
    'SubagentStart',
    'SubagentStop',
    'PreToolUse',
    'PostToolUse',
    'PermissionRequest',
    'Stop',
  ];
  put(
    join(bench.config, 'settings.json'),
    JSON.stringify({ hooks: Object.fromEntries(events.map((name) => [name, [hook]])) }),
  );
  const { stdout } = await bench.run(['-p', 'Do it.', ...ALL]);
  expect(stdout).toBe('Ended.\n');
  const told = linesOf(readFileSync(log, 'utf8'));
  expect(told.map((each) => [each.hook_event_name, each.agent_id, each.agent_type])).toEqual([
    ['PreToolUse', undefined, undefined],
    ['SubagentStart', 'general-1', 'general'],
    ['PreToolUse', 'general-1', 'general'],
    ['PostToolUse', 'general-1', 'general'],
    ['SubagentStop', 'general-1', 'general'],
    ['SubagentStop', 'general-1', 'general'],
    ['PostToolUse', undefined, undefined],
    ['Stop', undefined, undefined],
  ]);
  expect(existsSync(String(told[4]?.agent_transcript_path))).toBe(true);
  expect(allText(bench.bodies()[1]?.messages)).toContain('from the start hook');
  expect(allText(bench.bodies()[2]?.messages)).toContain('from the tool hook');
  expect(allText(bench.bodies().at(-1)?.messages)).toContain('Checked.');
}, 30_000);

test('C16 A5: an agent compacts in its own context, with its own hooks; the conversation is as it was', async () => {
  let rounds = 0;
  const bench = await workbench({
    replies: (given) => {
      if (!systemOf(given).includes('You carry out one task'))
        return lastOf(given).includes('agent-result') ? 'Ended.' : task('call_1', 'general');
      if (lastOf(given).includes('<summary>') && !lastOf(given).includes('were counted'))
        return `<summary>${'Numbers were counted, one call after the other. '.repeat(12)}</summary>`;
      rounds += 1;
      return rounds < 8
        ? use(`call_c${rounds}`, 'Bash', {
            command: `seq ${rounds}000 ${rounds}999 | tr '\\n' ' '; seq 4000`,
          })
        : 'Counted.';
    },
  });
  put(
    join(bench.config, 'settings.json'),
    JSON.stringify({
      hooks: Object.fromEntries(
        ['PreCompact', 'PostCompact'].map((name) => [
          name,
          [{ hooks: [{ type: 'command', command: `cat >> ${join(bench.root, 'events')}` }] }],
        ]),
      ),
    }),
  );
  const env = { VARVE_WINDOW: '60000', VARVE_COMPACT_PERCENT: '40' };
  const ran = await bench.run(['-p', 'Count.', ...ALL], { env });
  expect(ran).toMatchObject({ code: 0, stdout: 'Ended.\n' });
  const events = linesOf(readFileSync(join(bench.root, 'events'), 'utf8'));
  expect(events.length).toBeGreaterThanOrEqual(2);
  for (const event of events) expect(event).toMatchObject({ agent_id: 'general-1' });
  const child = bench.bodies().filter(({ system }) => allText(system).includes('You carry out'));
  expect(allText(child.at(-1)?.messages)).toContain('Numbers were counted');
  expect(allText(child.at(-1)?.messages)).toContain('Do it.');
  const own = bench.bodies().at(-1);
  expect(allText(own)).not.toContain('Numbers were counted');
  expect(sent(own?.messages.slice(0, 2))).toBe(sent(bench.bodies()[0]?.messages.slice(0, 2)));
}, 60_000);

test('F9: isolation: worktree gives an agent a copy of the repository, which stays where it changed something', async () => {
  let name = 'changes';
  const { run, folder, root, bodies } = await workbench({
    replies: (given) => {
      if (systemOf(given).includes('I work apart.'))
        return lastOf(given).includes('tool_result') || name === 'looks'
          ? 'Did it.'
          : use('call_w', 'Write', { file_path: 'apart.txt', content: 'apart' });
      return lastOf(given).includes('agent-result') ? 'Ended.' : task('call_1', 'apart');
    },
  });
  put(
    join(root, '.claude/agents/apart.md'),
    agentFile('apart', 'isolation: worktree\n', 'I work apart.'),
  );
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  git('init', '-q');
  put(join(folder, 'a.txt'), 'a');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'one');
  expect((await run(['-p', 'Do it.', ...ALL])).stdout).toBe('Ended.\n');
  expect(existsSync(join(folder, 'apart.txt'))).toBe(false);
  const [, path] = /worktree ([^ ,]+), on the branch/.exec(allText(bodies().at(-1))) ?? [];
  expect(readFileSync(join(String(path), 'apart.txt'), 'utf8')).toBe('apart');
  expect(git('worktree', 'list')).toContain(String(path));
  name = 'looks';
  await run(['-p', 'Do it.', ...ALL]);
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(2);
}, 30_000);

test('F7: messages reach an agent at its next round; it agrees to end, and its plan is approved', async () => {
  const plans: string[] = [];
  const { run, root, bodies, folder } = await workbench({
    replies: async (given) => {
      const last = lastOf(given);
      if (systemOf(given).includes('I plan.')) {
        if (last.includes('kind=\\"shutdown-request\\"')) {
          const [, id] = /agent-message id=\\"([^\\]+)\\"/.exec(last) ?? [];
          return use('call_e', 'SendMessage', {
            to: 'main',
            kind: 'shutdown-answer',
            request_id: id,
            accept: true,
          });
        }
        if (last.includes('plan-approval-response')) {
          plans.push(last);
          return use('call_w', 'Write', { file_path: 'planned.txt', content: 'planned' });
        }
        if (allOf(given).includes('was delivered')) {
          await wait(100);
          return use(`call_r${plans.length}${given.index}`, 'Glob', { pattern: '*.none' });
        }
        return use('call_p', 'SendMessage', {
          to: 'main',
          kind: 'plan',
          text: 'Write planned.txt.',
        });
      }
      if (last.includes('agent-result')) return 'All ended.';
      if (last.includes('plan-approval-request')) {
        const [, id] = /agent-message id=\\"([^\\]+)\\"/.exec(last) ?? [];
        return use('call_a', 'SendMessage', {
          to: 'architect',
          kind: 'plan-answer',
          request_id: id,
          accept: true,
        });
      }
      if (last.includes('delivered to architect') && !allOf(given).includes('call_s')) {
        await untilThere(join(folder, 'planned.txt'));
        return use('call_s', 'SendMessage', { to: 'architect', kind: 'shutdown', text: 'Enough.' });
      }
      if (last.includes('Started in the background')) return 'Waiting.';
      if (allOf(given).includes('call_s')) return 'Waiting for the end.';
      return task('call_1', 'planner', { run_in_background: true, name: 'architect' });
    },
  });
  put(
    join(root, '.claude/agents/planner.md'),
    agentFile('planner', 'permissionMode: plan\n', 'I plan.'),
  );
  const { stdout, stderr } = await run(['-p', 'Do it.', '--permission-mode', 'acceptEdits']);
  expect(stderr).toBe('');
  expect(stdout).toBe('All ended.\n');
  expect(readFileSync(join(folder, 'planned.txt'), 'utf8')).toBe('planned');
  const last = allText(bodies().at(-1));
  expect(last).toContain('shutdown-response');
}, 30_000);

test('F7: another process of the folder gets messages by its name, and a wrong name says which there are', async () => {
  const { run, bodies } = await workbench({
    replies: (given) => {
      const last = lastOf(given);
      if (last.includes('tool_result') || allOf(given).includes('Stay.')) return 'Ended.';
      const to = last.includes('Wrong.') ? 'nobody' : 'peer';
      return use('call_1', 'SendMessage', { to, text: 'The tests pass.', summary: 'tests' });
    },
  });
  await run(['-p', 'Stay.', '--name', 'peer']);
  await run(['-p', 'Wrong.']);
  expect(allText(bodies().at(-1))).toContain('There is no agent nobody. There are: peer.');
  await run(['-p', 'Send it.']);
  expect(allText(bodies().at(-1))).toContain('was delivered to peer');
  await run(['-p', 'Stay.', '--name', 'peer']);
  expect(allText(bodies().at(-1))).toContain('The tests pass.');
  await run(['-p', 'Stay.', '--name', 'peer']);
  expect(allText(bodies().at(-1))).not.toContain('The tests pass.');
}, 30_000);

test('F8: an agent at work is asked for a few words by the cheaper way, and not again while nothing is new', async () => {
  const { run, bodies, config } = await workbench({
    replies: async (given) => {
      if (lastOf(given).includes('three to five words')) return 'Counting lines in a.txt';
      if (systemOf(given).includes('You carry out one task'))
        return lastOf(given).includes('tool_result')
          ? 'Counted.'
          : use('call_c', 'Bash', { command: 'sleep 1.5' });
      return lastOf(given).includes('agent-result') ? 'Ended.' : task('call_1', 'general');
    },
  });
  put(join(config, 'settings.json'), JSON.stringify({ varve: { progressSeconds: 0.3 } }));
  const { stdout } = await run(['-p', 'Count.', '--output-format', 'stream-json', ...ALL]);
  const asked = bodies().filter(({ messages }) =>
    allText(messages).includes('three to five words'),
  );
  // before its call and while the call runs; in 1.5 s it would be five times
  expect([1, 2]).toContain(asked.length);
  expect((asked[0] as unknown as { model: string }).model).toBe('claude-haiku-5-5');
  const lines = linesOf(stdout);
  const inner = lines.filter(({ parent_tool_use_id }) => parent_tool_use_id === 'call_1');
  expect(inner.map(({ type }) => type)).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect(Number(lines.at(-1)?.num_turns)).toBe(2);
}, 30_000);

test('F9: a background command: its output is read, it is stopped, its end is told, and the rest ends with the agent', async () => {
  const { run, bodies, folder } = await workbench({
    replies: (given) => {
      const has = (id: string) => allOf(given).includes(`"${id}"`);
      const bash = (id: string, command: string) =>
        use(id, 'Bash', { command, run_in_background: true });
      if (has('call_5'))
        return existsSync(join(folder, 'left')) && allOf(given).includes('Exit code 3')
          ? 'Ended.'
          : use(`call_w${given.index}`, 'Bash', { command: 'sleep 0.2' });
      if (has('call_4')) return bash('call_5', 'echo $$ > left; exec sleep 300');
      if (has('call_3')) return bash('call_4', 'exit 3');
      if (has('call_2')) return use('call_3', 'TaskStop', { task_id: 'shell-1' });
      if (has('call_1')) return use('call_2', 'TaskOutput', { task_id: 'shell-1', wait: 300 });
      return bash('call_1', 'echo begun; sleep 300');
    },
  });
  const { stdout } = await run(['-p', 'Do it.', ...ALL]);
  expect(stdout).toBe('Ended.\n');
  const all = allText(bodies().at(-1));
  expect(all).toContain('It is running.\\n\\nbegun');
  expect(all).toContain('shell-1 was stopped.');
  expect(all).toContain('The background command shell-2 (exit 3) has ended. Exit code 3');
  expect(isAlive(Number(readFileSync(join(folder, 'left'), 'utf8')))).toBe(false);
}, 30_000);

test('F9 A6: after a SIGKILL no command is left, a child keeps its log, and -c goes on and says what was lost', async () => {
  const { run, bodies, folder, config } = await workbench({
    replies: (given) => {
      if (systemOf(given).includes('You carry out one task'))
        return use('call_c', 'Bash', { command: 'echo $$ > child; sleep 300' });
      if (allOf(given).includes('Go on.')) return 'Went on.';
      if (allOf(given).includes('Runs in the background')) return task('call_2', 'general');
      return use('call_1', 'Bash', {
        command: 'echo $$ > shell; sleep 300',
        run_in_background: true,
      });
    },
  });
  const killed = await run(['-p', 'Do it.', ...ALL], {
    onStart: async (child) => {
      await untilThere(join(folder, 'shell'));
      await untilThere(join(folder, 'child'));
      await wait(100);
      child.kill('SIGKILL');
    },
  });
  expect(killed.signal).toBe('SIGKILL');
  const pids = ['shell', 'child'].map((name) => Number(readFileSync(join(folder, name), 'utf8')));
  for (let tries = 0; tries < 100 && pids.some(isAlive); tries++) await wait(20);
  expect(pids.map(isAlive)).toEqual([false, false]);
  expect(transcriptsOf(config)['general-1.jsonl']).toContain('call_c');
  const { stdout } = await run(['-p', '-c', 'Go on.']);
  expect(stdout).toBe('Went on.\n');
  const last = allText(bodies().at(-1));
  expect(last).toContain('- shell-1 (');
  expect(last).toContain('- general-1 (do it)');
  await run(['-p', '-c', 'Go on.']);
  expect(allText(bodies().at(-1)).match(/- shell-1 \(/g)).toHaveLength(1);
}, 30_000);

test.skipIf(!hasTmux)(
  'F9: in the terminal /tasks shows what runs and ends it, and an answer that comes later goes on by itself',
  async () => {
    const bench = await workbench({
      replies: (given) => {
        if (systemOf(given).includes('You carry out one task'))
          return lastOf(given).includes('tool_result') || allOf(given).includes('Answer.')
            ? 'The build works.'
            : use('call_c', 'Bash', { command: 'sleep 300' });
        const last = lastOf(given);
        if (last.includes('The build works.')) return 'It works.';
        if (last.includes('was stopped')) return 'So be it.';
        if (last.includes('Started in the background')) return 'Meanwhile.';
        const prompt = last.includes('quick') ? 'Answer.' : 'Wait.';
        const more = { subagent_type: 'general', run_in_background: true };
        return use(`call_${given.index}`, 'Task', { description: 'build', prompt, ...more });
      },
    });
    const terminal = await inTmux(bench, ALL);
    await terminal.see('new session');
    await terminal.say('slow');
    await terminal.see('Meanwhile.');
    await terminal.say('/tasks');
    await terminal.see(/general-1 +running for .* in the background: build/);
    await terminal.say('/tasks stop general-1');
    await terminal.see('So be it.');
    await terminal.say('quick');
    await terminal.see('It works.');
    await terminal.say('/agents');
    await terminal.see('explore          built-in');
    await terminal.say('/exit');
    expect(await terminal.exitCode()).toBe(0);
  },
  60_000,
);
