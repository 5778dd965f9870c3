import {
  type ChildProcessByStdio,
  type SpawnOptionsWithStdioTuple,
  spawn,
} from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { main } from '../src/command/main.ts';
import { ANTHROPIC_HEADERS, body } from './support.ts';

const CLI = join(import.meta.dirname, '..', 'src', 'cli.ts');
const folder = mkdtempSync(join(tmpdir(), 'varve-emulator-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PIPED: SpawnOptionsWithStdioTuple<'ignore', 'pipe', 'pipe'> = {
  stdio: ['ignore', 'pipe', 'pipe'],
};

function run(...args: string[]) {
  return watch(spawn(process.execPath, [CLI, ...args], PIPED));
}

function watch(child: ChildProcessByStdio<null, Readable, Readable>) {
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const lines = createInterface(child.stdout);
  // from the beginning: a child that ends by itself may have ended before anybody waits for it
  const closed = once(child, 'close') as Promise<[number | null]>;
  return {
    child,
    url: async () => {
      const [line] = (await once(lines, 'line')) as [string];
      return (JSON.parse(line) as { url: string }).url;
    },
    ended: async () => {
      const [code] = await closed;
      return { code, errors };
    },
  };
}

async function ask(url: string, fields: Record<string, unknown> = {}) {
  const answer = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: ANTHROPIC_HEADERS,
    body: JSON.stringify(body(fields)),
  });
  return (await answer.json()) as { content: { text: string }[] };
}

const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

describe('varve-emulator', () => {
  test('serves replies from a file, writes the log as requests come, and the report at the end', async () => {
    const replies = file('replies.json', JSON.stringify(['First.', 'Second.']));
    const [report, log] = [join(folder, 'report.json'), join(folder, 'log.jsonl')];
    const { child, url, ended } = run('--replies', replies, '--report', report, '--log', log);
    const base = await url();
    expect((await ask(base)).content[0]?.text).toBe('First.');
    expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(1);
    expect((await ask(base)).content[0]?.text).toBe('Second.');
    expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(2);
    child.kill('SIGTERM');
    expect(await ended()).toEqual({ code: 0, errors: '' });
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ requests: 2, billed: 2 });
    expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(2);
  });

  test('L325: a line of the log is JSON, whatever stands under the name of a secret', async () => {
    const log = join(folder, 'secrets.jsonl');
    const { child, url, ended } = run('--log', log);
    const input = { password: 12345678, token: -1e22, name: '"password":12345678,' };
    await ask(await url(), { metadata: input });
    child.kill('SIGTERM');
    await ended();
    expect(JSON.parse(readFileSync(log, 'utf8'))).toMatchObject({
      body: {
        metadata: {
          password: '[redacted: password]',
          token: '[redacted: token]',
          name: '"password":"[redacted: password]",',
        },
      },
    });
  });

  test('fails the build where the hit rate is too low', async () => {
    const { child, url, ended } = run('--expect-hit-rate', '0.9');
    await ask(await url());
    child.kill('SIGINT');
    const { code, errors } = await ended();
    expect(code).toBe(1);
    expect(errors).toMatch(/Expected a cache hit rate of at least 90\.0 % over 1 requests/);
  });

  test('records what goes to an upstream', async () => {
    const upstream = run('--replies', file('one.mjs', 'export default () => "From upstream.";'));
    const log = join(folder, 'proxy.jsonl');
    const proxy = run('--upstream', await upstream.url(), '--log', log);
    expect((await ask(await proxy.url())).content[0]?.text).toBe('From upstream.');
    proxy.child.kill('SIGTERM');
    upstream.child.kill('SIGTERM');
    await Promise.all([proxy.ended(), upstream.ended()]);
    expect(JSON.parse(readFileSync(log, 'utf8'))).toMatchObject({ status: 200, complete: true });
  });

  test('O356: a recording that the disk does not take ends with a line and exit 2, and holds no torn line', async () => {
    const upstream = run('--replies', file('long.mjs', 'export default () => "x".repeat(500);'));
    const log = file('full.jsonl', '{"torn":');
    const args = [CLI, '--upstream', await upstream.url(), '--log', log];
    const limit = 'ulimit -f 4; exec "$@"'; // 2 or 4 KiB
    const { url, ended } = watch(
      spawn('sh', ['-c', limit, 'sh', process.execPath, ...args], PIPED),
    );
    const base = await url();
    for (let count = 0; count < 10; count++) await ask(base).catch(() => {});
    upstream.child.kill('SIGTERM');
    expect(await ended()).toEqual({
      code: 2,
      errors: expect.stringMatching(/^varve-emulator: EFBIG.*\n$/),
    });
    const lines = readFileSync(log, 'utf8').split('\n');
    expect([lines[0], lines.at(-1)]).toEqual(['{"torn":', '']);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines.slice(1, -1)) expect(() => JSON.parse(line)).not.toThrow();
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  test.each([
    [['--port', 'x'], /`--port` to be a number/],
    [['--then', 'x'], /`--then`/],
    [['--unknown'], /--unknown/],
    [['--host', '0.0.0.0'], /reached from other machines/],
    [['--replies', 'nowhere.json'], /cannot be read as replies/],
    [['--replies', 'a.json', '--session', 'b'], /without --replies/],
    [['--session', 'nowhere.jsonl'], /nowhere\.jsonl: there is no such file/],
    [['--expect-hit-rate', '80'], /`--expect-hit-rate` to be a share from 0 to 1, got `80`/],
    [['--log', 'nowhere/log.jsonl'], /ENOENT/],
    [['--report', 'nowhere/report.json'], /ENOENT/],
  ])('%o cannot start', async (args, message) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const code = await main(args);
    const errors = write.mock.calls.map(([text]) => String(text)).join('');
    write.mockRestore();
    expect(code).toBe(2);
    expect(errors).toMatch(message);
  });

  test('says where a file of replies is no JSON', async () => {
    const { code, errors } = await run('--replies', file('torn.json', '["a",]')).ended();
    expect([code, errors]).toEqual([
      2,
      expect.stringMatching(/cannot be read as replies\. .*JSON/),
    ]);
  });

  test('a flag that is wrong ends the process with 2', async () => {
    const { code, errors } = await run('--port', 'x').ended();
    expect(code).toBe(2);
    expect(errors).toMatch(/^varve-emulator: Expected `--port` to be a number/);
  });

  test('--help tells every option', async () => {
    const { child, ended } = run('--help');
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    expect((await ended()).code).toBe(0);
    for (const name of [
      'port',
      'host',
      'replies',
      'session',
      'then',
      'log',
      'upstream',
      'expect-hit-rate',
      'report',
    ]) {
      expect(text).toContain(`--${name}`);
    }
  });
});

test.each([
  [['--prot', '3'], "Unknown option '--prot'"],
  [['serve'], "Unexpected argument 'serve'. This command does not take positional arguments"],
  [['--port'], "Option '--port <value>' argument missing"],
])('%j is refused once, and --help is named', async (args, reason) => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const code = await main(args);
  const said = written.mock.calls.join('');
  written.mockRestore();
  expect([code, said]).toEqual([
    2,
    `varve-emulator: ${reason}. Run with --help to see the options.\n`,
  ]);
});
