import { expect, test } from 'vitest';
import { use, workbench } from './support.ts';
import { hasTmux, inTmux } from './tmux.ts';

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index} end`).join('\n');

/** What the last message of the request says, results included. */
const lastOf = ({ request }: { request: { messages: readonly { content: unknown }[] } }): string =>
  JSON.stringify(request.messages.at(-1)?.content);

test.skipIf(!hasTmux)(
  'A6: 5,000 streamed lines stand in the scrollback once each, every frame in one piece, also after a resize',
  async () => {
    const bench = await workbench({
      deltaCharacters: 400,
      replies: (call) => {
        const part = /PART(\d)/.exec(lastOf(call))?.[1];
        const next = part === undefined ? 0 : Number(part);
        if (lastOf(call).includes('resize')) return 'Resized.';
        const text = `${numbered(next * 1_000 + 1, next * 1_000 + 1_000)}\n`;
        if (next === 4) return text;
        const { content } = use(`call_${next}`, 'Bash', { command: `echo PART${next + 1}` });
        return { content: [{ type: 'text', text }, ...content] };
      },
    });
    const terminal = await inTmux(bench, ['--permission-mode', 'bypassPermissions']);
    await terminal.see('new session');
    await terminal.say('Count.');
    await terminal.see('line 5000 end');
    await terminal.see(/^claude-opus-5-5 .* \$/m);
    const lines = (await terminal.all()).match(/line \d+ end/g) ?? [];
    expect(lines).toEqual(numbered(1, 5_000).split('\n'));
    const drawn = terminal.bytes();
    expect(drawn).not.toContain('\x1b[2J');
    expect(outsideFrames(drawn)).toBe('');

    await terminal.resize(60, 20);
    await terminal.say('resize');
    await terminal.see('Resized.');
    await terminal.resize(100, 30);
    await terminal.see('Resized.');
    const after = (await terminal.all()).match(/line \d+ end/g) ?? [];
    expect(after.length).toBeGreaterThanOrEqual(1_900);
    expect(after).toEqual(numbered(5_001 - after.length, 5_000).split('\n'));
    await terminal.say('/exit');
    expect(await terminal.exitCode()).toBe(0);
  },
);

/** What is written outside of synchronised frames, without cursor moves and modes. */
const outsideFrames = (bytes: string): string =>
  bytes
    .replace(FRAME, '')
    .replace(SEQUENCE, '')
    .replace(/[\r\n]/g, '');

const ESC = '\x1b';
const FRAME = new RegExp(`${ESC}\\[\\?2026h[^]*?${ESC}\\[\\?2026l`, 'g');
const SEQUENCE = new RegExp(
  `${ESC}\\[[0-?]*[ -/]*[@-~]|${ESC}\\][^${ESC}\\x07]*(?:\\x07|${ESC}\\\\)`,
  'g',
);

test.skipIf(!hasTmux)(
  'A6: Esc stops an answer and a command at once, what was typed waits or comes back, a paste stays whole, Ctrl-C twice leaves',
  async () => {
    const bench = await workbench({
      deltaCharacters: 20,
      eventDelayMs: 10,
      replies: (call) => {
        const last = lastOf(call);
        if (last.includes('long')) return `BEGIN ${'and so on '.repeat(5_000)}`;
        if (last.includes('sleep')) return use('call_1', 'Bash', { command: 'echo up; sleep 50' });
        if (last.includes('escapes'))
          return use('call_2', 'Bash', {
            command: String.raw`printf 'one\033]0;title\007\033[2Jtwo\n'; exit 3`,
          });
        if (last.includes('slow')) return use('call_3', 'Bash', { command: 'sleep 2' });
        return last.includes('queued words') ? 'I saw the queue.' : 'Fine.';
      },
    });
    const terminal = await inTmux(bench, ['--permission-mode', 'bypassPermissions']);
    await terminal.see('new session');

    await terminal.say('a long answer');
    await terminal.see('BEGIN and so on');
    await terminal.keys('Escape');
    await terminal.see('Stopped.');

    await terminal.say('sleep');
    await terminal.see('▸ up');
    const stoppedAt = performance.now();
    await terminal.keys('Escape');
    await terminal.see(/Stopped\.[\s\S]*Stopped\./);
    expect(performance.now() - stoppedAt).toBeLessThan(5_000);
    const stopped = JSON.stringify(bench.bodies().at(-1)?.messages);
    expect(stopped).toContain('of which this had arrived');

    await terminal.say('escapes');
    await terminal.see('✗ Bash');
    await terminal.see('Fine.');
    expect(terminal.bytes()).not.toContain('\x1b]0;title');

    await terminal.say('slow');
    await terminal.see('● Bash sleep 2');
    await terminal.say('queued words');
    await terminal.see('⏎ queued words');
    await terminal.see('I saw the queue.');
    const queued = JSON.stringify(bench.bodies().at(-1)?.messages);
    expect(queued).toContain('"tool_use_id":"call_3"');
    expect(queued).toContain('queued words');

    await terminal.paste('first\nsecond\nthird');
    await terminal.see('third');
    await terminal.keys('Enter');
    await terminal.see(/third[\s\S]*Fine\./);
    expect(JSON.stringify(bench.bodies().at(-1)?.messages)).toContain('first\\nsecond\\nthird');

    await terminal.keys('C-c');
    await terminal.see('Ctrl-C again leaves');
    await terminal.keys('C-c');
    expect(await terminal.exitCode()).toBe(130);
  },
);

test.skipIf(!hasTmux)(
  'A2: the terminal asks once, for a session by a prefix that Tab widens, and passes on why not; Esc takes a question away',
  async () => {
    const commands = [
      'git commit -m one',
      'git commit -m two',
      'git tag v1',
      'touch made',
      'touch x',
    ];
    const bench = await workbench({
      replies: (call) => {
        const asked = /command (\d)/.exec(lastOf(call))?.[1];
        if (asked === undefined || lastOf(call).includes('tool_result')) return 'Noted.';
        return use(`call_${call.request.messages.length}`, 'Bash', {
          command: commands[Number(asked)],
        });
      },
    });
    const terminal = await inTmux(bench, ['--keep-scrollback']);
    await terminal.see('new session');
    await terminal.say('command 0');
    await terminal.see('May this run?');
    await terminal.see('2. Yes, in this session: Bash(git commit:*)');
    await terminal.keys('Tab');
    await terminal.see('2. Yes, in this session: Bash(git:*)');
    await terminal.keys('2');
    await terminal.see('Noted.');
    await terminal.say('command 2');
    await terminal.see(/git tag v1[\s\S]*Noted\./);

    await terminal.say('command 3');
    await terminal.see('May this run?');
    await terminal.keys('Up');
    await terminal.keys('Enter');
    await terminal.see('Why not');
    await terminal.say('the disk is full');
    await terminal.see('⊘ Bash touch made');
    expect(JSON.stringify(bench.bodies().at(-1)?.messages)).toContain('the disk is full');

    await terminal.say('command 4');
    await terminal.see('Bash touch x');
    await terminal.keys('Escape');
    await terminal.see('Stopped.');
    await terminal.resize(80, 30);
    await terminal.say('/exit');
    expect(await terminal.exitCode()).toBe(0);
    expect(terminal.bytes()).not.toContain('\x1b[3J');
  },
);
