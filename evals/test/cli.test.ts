import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { oneIn } from '../../internal/src/share.ts';
import { sessionsOr } from '../src/default-paths.ts';
import { BUILT_IN_COMPACTORS } from '../src/fidelity/built-in-compactors.ts';
import { PEER_COMPACTORS } from '../src/fidelity/peers/peer-compactors.ts';
import { asTyped, HELP } from '../src/help.ts';
import { BUILT_IN_STRATEGIES, reportSchema } from '../src/index.ts';
import { main } from '../src/main.ts';
import { FIRST_STRATEGIES } from '../src/report/first-screen.ts';
import { sessionFolder, temporaryFolder, writeSession } from './files.ts';
import { generatedSteps } from './sessions.ts';

const CLI = join(import.meta.dirname, '..', 'src', 'cli.ts');

/** Of tools, in each session: what is replayed is not looked at here. */
const CALLS = 10;

/** Where threads are not what is looked at: each of them loads everything again. */
const IN_ONE_THREAD = ['--jobs', '1'];

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd?: string;
  /** Flags of Node itself. */
  readonly node?: readonly string[];
}

function run(
  args: readonly string[],
  { cwd = temporaryFolder(), node = [] }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [...node, CLI, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

/** What the program does behind its guard, in this process: a start of it takes longer than what is looked at. */
async function runHere(args: readonly string[], folder = temporaryFolder()): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    const spy = vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += text;
      return true;
    });
    onTestFinished(() => spy.mockRestore());
  }
  const cwd = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(cwd));
  return { code: await main(args), ...printed };
}

const STRATEGY = `export default {
  name: 'mine',
  create({ head }) {
    const messages = [];
    return {
      add: (message) => { messages.push(message); },
      request: () => ({ head, messages, markers: [], maxOutputTokens: 1000 }),
    };
  },
};
`;

describe('varve-evals', () => {
  test('--json prints one document and nothing else, and works in two threads', async () => {
    const [sessions, out] = [sessionFolder(CALLS), temporaryFolder()];
    const flags = ['--sessions', sessions, '--strategy', 'sliding-clear', '--out', out];
    const { code, stdout, stderr } = await run([...flags, '--json', '--jobs', '2']);
    expect([code, stderr]).toEqual([0, '']);
    const report = reportSchema.parse(JSON.parse(stdout));
    expect(report.rows).toHaveLength(6);
    expect(report.command).toBe(
      `varve-evals --sessions …/${basename(sessions)} --strategy sliding-clear`,
    );
    expect(readFileSync(join(out, 'report.json'), 'utf8')).toBe(stdout);
  });

  test('prints a first screen of 25 lines, and all figures as JSON in both windows', async () => {
    const [sessions, out] = [sessionFolder(CALLS), temporaryFolder()];
    const flags = ['--sessions', sessions, '--out', out, ...IN_ONE_THREAD];
    const { code, stdout } = await runHere(flags);
    expect(code).toBe(0);
    const lines = stdout.split('\n').filter((line) => !line.startsWith('Report: '));
    expect(lines.length).toBeLessThanOrEqual(25);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).toMatch(/^keep everything +\$/m);
    expect(stdout).toContain('Next: varve-evals --sessions <yours> --model recorded');
    const few = reportSchema.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')));
    expect(few.strategies.map(({ name }) => name)).toEqual(FIRST_STRATEGIES);
    expect(few.otherWindows.map(({ windowTokens }) => windowTokens)).toEqual([200_000]);
    const all = reportSchema.parse(JSON.parse((await runHere([...flags, '--json'])).stdout));
    expect(all.strategies).toHaveLength(BUILT_IN_STRATEGIES.length);
    expect(all.otherWindows[0]?.totals).toHaveLength(BUILT_IN_STRATEGIES.length);
    expect(few.command === all.command).toBe(false);
    const named = await runHere([...flags, '--window', '200000', '--strategy', 'clear every turn']);
    expect(named.stdout).toMatch(/^ +200K window$/m);
  });

  test.each([
    ['at hand', /^at hand: Hindsight recall/],
    ['microcompact-rent', /^microcompact-rent \(“clear when it pays”\): Clears/],
  ])('--explain %s prints one paragraph', async (word, expected) => {
    const { code, stdout, stderr } = await runHere(['--explain', word]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(expected);
    expect(stdout.split('\n\nIn an agent')[0]).not.toContain('\n\n');
  });

  test('--all prints a table of 100 columns at most, and writes the report', async () => {
    const [sessions, out] = [sessionFolder(CALLS), join(temporaryFolder(), 'new', 'folder')];
    const flags = ['--sessions', sessions, '--all', '--out', out, ...IN_ONE_THREAD];
    const { code, stdout, stderr } = await runHere(flags);
    expect([code, stderr]).toEqual([0, '']);
    const page = readFileSync(join(out, 'report.md'), 'utf8');
    // paths of the temporary folder are longer than a line
    const widest = (text: string): number =>
      Math.max(...text.split('\n').flatMap((line) => (line.includes(out) ? [] : [line.length])));
    expect(widest(stdout)).toBeLessThanOrEqual(100);
    expect(widest(page)).toBeLessThanOrEqual(100);
    for (const name of ['keep-all', 'sliding-clear+parked', 'volatile-prefix', 'alpha', 'gamma']) {
      expect(stdout).toContain(name);
    }
    expect(readdirSync(out).sort()).toEqual(['report.json', 'report.md']);
    expect(page).toContain('| batched-clear+parked |');
    expect(page).toContain('### gamma.jsonl');
  });

  test('takes a strategy from a file outside the project, relative to where it is run', async () => {
    const [folder, sessions] = [temporaryFolder(), sessionFolder(CALLS)];
    writeFileSync(join(folder, 'mine.mjs'), STRATEGY);
    const typed = STRATEGY.replace('const messages = []', 'const messages: unknown[] = []');
    writeFileSync(join(folder, 'typed.ts'), typed.replace("'mine'", "'typed'"));
    const flags = [
      '--sessions',
      sessions,
      '--strategy',
      './mine.mjs,./typed.ts',
      '--json',
      '--out',
      'out',
    ];
    const { code, stdout } = await run([...flags, ...IN_ONE_THREAD], { cwd: folder });
    expect(code).toBe(0);
    const { totals } = reportSchema.parse(JSON.parse(stdout));
    expect(totals.map(({ strategy }) => strategy)).toEqual(['keep-all', 'mine', 'typed']);
    expect(totals.map(({ dollars }) => dollars)).toEqual(Array(3).fill(totals[0]?.dollars));
    expect(existsSync(join(folder, 'out', 'report.json'))).toBe(true);
  });

  test('grid compares with thresholds chosen elsewhere, and keeps what it replayed', async () => {
    const [sessions, out] = [sessionFolder(CALLS), temporaryFolder()];
    const flags = ['grid', '--sessions', sessions, '--strategy', 'sliding-clear', '--out', out];
    const { code, stdout, stderr } = await runHere([...flags, ...IN_ONE_THREAD]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^best in sample: batched-t\d+-n\d+-f\d+\+parked +1\.000/m);
    expect(stdout).toMatch(/^chosen on the other projects +1\.000/m);
    expect(stdout).toMatch(/^sliding-clear +\d/m);
    expect(readdirSync(out).sort()).toEqual(['grid', 'grid.json']);
    expect(readdirSync(join(out, 'grid'))).toHaveLength(1);
  });

  test.each([
    [['--sesions', 'x'], /Unknown option '--sesions'/],
    [['x.jsonl'], /x\.jsonl/],
    [['--sessions', 'nowhere'], /Nothing can be read at .*nowhere/],
    [['--sessions', '.'], /No session files were found/],
    [['--strategy', 'sliding'], /There is no strategy `sliding`/],
    [['--strategy', './nowhere.ts'], /There is no strategy file/],
    [['--model', 'claude-opus-99'], /There is no price for the model/],
    [['--strategy', ','], /Expected --strategy to be a name/],
    [['validate', '--sessions', 'nowhere'], /Nothing can be read at .*nowhere/],
    [['validate', '--strategy', 'keep-all'], /Unknown option '--strategy'/],
    [['grid', '--read-price', '2'], /Expected --read-price to be a number above 0 and at most 1/],
    [['--explain', 'rubbish'], /There is nothing to explain by the name `rubbish`/],
    [['grid', '--all'], /Unknown option '--all'/],
    [['memory', '--chains', 'nowhere'], /There is no folder nowhere/],
    [['memory', '--memories', 'nowhere', '--out', 'out'], /Nothing can be read at .*nowhere/],
    [['memory', '--takes', '0', '--chains', '.'], /Expected --takes to be a whole number above 0/],
    [['memory', '--sessions', '.'], /Unknown option '--sessions'/],
    [['--ttl', '10m'], /Expected --ttl to be one of 5m, 1h, none, got `10m`/],
  ])('%j ends with code 2, a sentence and no stack', async (args, expected) => {
    const folder = temporaryFolder();
    const { code, stdout, stderr } = await runHere(args, folder);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(expected);
    expect(stderr).toMatch(/^varve-evals: [^\n]+\n$/);
    // it is told before the work: not even a folder for the report is made
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a damaged session beside good ones is named, and the code of validate is 1', async () => {
    const billed = join(import.meta.dirname, '../../fixtures/formats/codex');
    const damaged = join(temporaryFolder(), 'damaged.jsonl');
    writeFileSync(damaged, 'no session');
    const { code, stdout } = await runHere(['validate', '--sessions', damaged, billed, '--json']);
    const { sessions, refused } = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(sessions.length).toBeGreaterThan(0);
    expect(refused).toMatchObject([{ file: expect.stringMatching(/damaged\.jsonl$/) }]);
  });

  const files: readonly [string, string, number, RegExp][] = [
    ['no strategy', 'export default 1;', 2, /holds no strategy/],
    ['no JavaScript', 'export default {', 2, /could not be loaded/],
    [
      'a missing import',
      "import 'no-such-package';",
      2,
      /could not be loaded: Cannot find package/,
    ],
    [
      'a strategy that throws',
      STRATEGY.replace('messages.push(message)', 'throw new Error("full")'),
      1,
      /`mine` failed in add\(\): full/,
    ],
    [
      'a strategy that changes its input',
      STRATEGY.replace('messages.push(message)', 'message.role = "system"'),
      1,
      /`mine` failed in add\(\)/,
    ],
  ];

  test.each(oneIn(2, files))(
    'a file with %s ends with a sentence and no stack',
    async (_, text, expected, reason) => {
      const [folder, sessions] = [temporaryFolder(), sessionFolder(CALLS)];
      writeFileSync(join(folder, 'mine.mjs'), text);
      const { code, stdout, stderr } = await run(
        ['--sessions', sessions, '--strategy', './mine.mjs', ...IN_ONE_THREAD],
        { cwd: folder },
      );
      expect([code, stdout]).toEqual([expected, '']);
      expect(stderr).toMatch(reason);
      expect(stderr).not.toMatch(/\n\s+at /);
    },
  );

  test('a refused session is listed and gives code 1', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'broken.jsonl'), 'no session');
    const flags = [
      '--sessions',
      sessionFolder(CALLS),
      '--sessions',
      'broken.jsonl',
      '--strategy',
      'keep-all',
    ];
    const { code, stdout } = await runHere([...flags, '--out', 'out', ...IN_ONE_THREAD], folder);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Refused: broken\.jsonl \((?!.*broken)/);
  });

  test('fit returns 1 where a session is refused, and 0 without', async () => {
    const folder = temporaryFolder();
    for (const [seed, project] of ['Kite', 'Loom'].entries()) {
      const steps = generatedSteps({ seed: seed + 1, calls: 70, lines: 120, project });
      writeSession(folder, `${project}.jsonl`, steps);
    }
    const broken = join(temporaryFolder(), 'broken.jsonl');
    writeFileSync(broken, 'no session');
    const flags = ['fit', '--json', '--out', temporaryFolder(), '--sessions', folder];
    expect((await runHere(flags)).code).toBe(0);
    const { code, stdout } = await runHere([...flags, '--sessions', broken]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).refused).toMatchObject([
      { file: expect.stringContaining('broken.jsonl') },
    ]);
  });

  test('a file of a folder that cannot be read is named once, with its folder', async () => {
    const [folder, sessions] = [temporaryFolder(), sessionFolder(CALLS)];
    symlinkSync(join(folder, 'nowhere'), join(sessions, 'b.jsonl'));
    const flags = ['--sessions', sessions, '--strategy', 'keep-all', ...IN_ONE_THREAD];
    const { code, stdout } = await runHere([...flags, '--out', 'out'], folder);
    expect(code).toBe(0);
    expect(stdout.match(/.*b\.jsonl.*/g)).toEqual([
      expect.stringMatching(/^Not read: .*b\.jsonl \(/),
    ]);
  });

  test('a pipe in a folder of sessions holds up nothing', async () => {
    const [folder, sessions] = [temporaryFolder(), sessionFolder(CALLS)];
    execFileSync('mkfifo', [join(sessions, 'f.jsonl')]);
    const flags = ['--sessions', sessions, '--strategy', 'keep-all', ...IN_ONE_THREAD];
    expect((await runHere([...flags, '--out', 'out'], folder)).code).toBe(0);
  });

  test('memory says that nothing is measured yet', async () => {
    const folder = temporaryFolder();
    const chains = join(import.meta.dirname, 'chains');
    const flags = ['memory', '--chains', chains, '--recordings', 'kept', '--out', 'out'];
    const { code, stdout, stderr } = await runHere(flags, folder);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^What the extraction keeps is not measured/);
    expect(JSON.parse(readFileSync(join(folder, 'out', 'memory.json'), 'utf8'))).toMatchObject({
      ...{ schema: 1, chains: [{ name: 'tide-gauge' }] },
      targets: expect.arrayContaining([
        expect.objectContaining({
          name: 'pollution',
          recorded: { state: 'not measured', chains: 0, runs: 0 },
        }),
      ]),
    });
  });

  test('memory --requests takes an answer, writes what is next, and tells no figure', async () => {
    const folder = temporaryFolder();
    const chains = join(import.meta.dirname, 'chains');
    const flags = ['memory', '--chains', chains, '--recordings', 'kept', '--requests', 'asked'];
    const one = [...flags, '--chain', 'tide-gauge', '--take', '2'];
    const asked = '  asked/tide-gauge.2.1.request.md -> tide-gauge.2.1.answer.json\n';
    const first = await runHere(one, folder);
    expect(first).toMatchObject({
      ...{ code: 0, stderr: '' },
      stdout: `tide-gauge.2: 0 taken, 0 recorded, 1 to answer\n${asked}`,
    });
    const path = join(folder, 'asked', 'tide-gauge.2.1.answer.json');
    const empty = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...empty, text: 'none' }));
    const refused = await runHere(one, folder);
    expect([refused.code, refused.stdout]).toEqual([
      1,
      `tide-gauge.2: 0 taken, 0 recorded, 1 to answer\n  tide-gauge.2.1.answer.json is not taken: "model": name the model that answers.\n${asked}`,
    ]);
    writeFileSync(path, JSON.stringify({ ...empty, model: 'any', text: 'none' }));
    const { code, stdout } = await runHere(one, folder);
    expect([code, stdout]).toEqual([0, `tide-gauge.2: 1 taken, 1 recorded, 1 to answer\n${asked}`]);
    expect(readdirSync(folder).sort()).toEqual(['asked', 'kept']);
    expect(readdirSync(join(folder, 'kept'))).toEqual(['tide-gauge.2.json']);
  });

  test('memory --chain refuses a chain that is not there', async () => {
    const { code, stderr } = await runHere(['memory', '--chain', 'chain-0']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no chain')]);
  });

  test('memory --memories counts what is wrong with a folder and changes nothing in it', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'MEMORY.md'), '- [Gone](gone.md) — is not there\n');
    const text = '---\nname: A fix\n---\n\nThe gauge moved yesterday. It runs.\n';
    writeFileSync(join(folder, 'a.md'), text);
    // a path that is not absolute, as people type it
    const base = temporaryFolder();
    const typed = relative(base, folder);
    const flags = ['memory', '--memories', typed, '--chains', folder, '--out', temporaryFolder()];
    const { code, stdout } = await runHere([...flags, '--json'], base);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).rot).toMatchObject([
      {
        ...{ files: 1, statements: 2, pointers: 1, untyped: 1, nearPairs: 0 },
        ...{ relativeStatements: 1, forbiddenWords: 1, clauses: { fix: 1 } },
        findings: { dangling: 1, orphan: 1, header: 2 },
      },
    ]);
    expect(readdirSync(folder)).toEqual(['MEMORY.md', 'a.md']);
    expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe(text);
  });

  test.each([[[]], [['validate']], [['grid']], [['fidelity']], [['summaries']]])(
    '%j: a folder that cannot be written to is refused before any session is read',
    async (command) => {
      const [folder, sessions] = [temporaryFolder(), temporaryFolder()];
      writeFileSync(join(folder, 'file'), '');
      writeFileSync(join(sessions, 'a.jsonl'), 'no session');
      for (const out of [join(folder, 'file'), join(folder, 'file', 'deep'), '/proc/varve']) {
        const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
        const code = await main([...command, '--sessions', sessions, '--out', out]);
        const said = written.mock.calls.join('');
        written.mockRestore();
        expect([code, said]).toEqual([
          2,
          expect.stringMatching(
            /^varve-evals: The report could not be written to [^\n]+ --out\.\n$/,
          ),
        ]);
      }
    },
  );

  test('without the repository there are no sessions by default, and the flag is named', () => {
    expect(sessionsOr(['a'], temporaryFolder())).toEqual(['a']);
    expect(() => sessionsOr([], temporaryFolder())).toThrow(
      /in the repository of this package only\. Pass --sessions <folder>/,
    );
    expect(sessionsOr([])[0]).toMatch(/fixtures\/sessions$/);
  });

  test('help is in the words that were typed, and names what compacts', async () => {
    expect(asTyped(HELP, { npm_lifecycle_event: 'eval' })).toContain(
      '  npx -y pnpm@12 eval fidelity [flags]',
    );
    expect(asTyped(HELP, {})).toBe(HELP);
    const { stdout } = await runHere(['fidelity', '--help']);
    for (const { name } of BUILT_IN_COMPACTORS) expect(stdout).toContain(name);
    for (const name of PEER_COMPACTORS) expect(stdout).toContain(name);
    expect(stdout).not.toContain('keep-all');
  });

  test('a report that cannot be written anywhere ends with a sentence', async () => {
    const [folder, sessions] = [temporaryFolder(), sessionFolder(CALLS)];
    writeFileSync(join(folder, 'file'), '');
    const out = join(folder, 'file', 'deep', 'folder');
    const flags = ['--sessions', sessions, '--strategy', 'keep-all', '--out', out];
    const { code, stderr } = await runHere([...flags, ...IN_ONE_THREAD]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^varve-evals: The report could not be written to [^\n]+\n$/);
  });

  test.each([['--help'], ['--json']])(
    '%s into a pipe that nobody reads ends in silence',
    async (flag) => {
      const [sessions, out] = [sessionFolder(CALLS), temporaryFolder()];
      const child = spawn(process.execPath, [
        CLI,
        ...['--sessions', sessions, '--strategy', 'keep-all', '--out', out, flag],
        ...IN_ONE_THREAD,
      ]);
      child.stdout.destroy();
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      const code = await new Promise((resolve) => child.on('close', resolve));
      expect([code, stderr]).toEqual([0, '']);
    },
  );

  test('a strategy that ends its worker thread is told', async () => {
    const [folder, sessions] = [temporaryFolder(), sessionFolder(CALLS)];
    const exits = STRATEGY.replace('messages.push(message)', 'process.exit(0)');
    writeFileSync(join(folder, 'mine.mjs'), exits);
    const flags = ['--sessions', sessions, '--strategy', './mine.mjs', '--jobs', '2'];
    const { code, stderr } = await run(flags, { cwd: folder });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^varve-evals: A worker thread ended while it replayed [^\n]+\n$/);
  });

  test('an old Node is told so', async () => {
    const old = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })";
    const { code, stdout, stderr } = await run(['--help'], {
      node: ['--import', `data:text/javascript,${old}`],
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^varve-evals needs Node 22\.18 or newer; this is 20\.20\.2\. [^\n]+\n$/,
    );
  });

  test('--help names every flag', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    for (const flag of 'all explain sessions strategy peers model provider window ttl read-price reread-factor rereads thinking jobs out json help'.split(
      ' ',
    )) {
      expect(stdout).toContain(`--${flag}`);
    }
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});
