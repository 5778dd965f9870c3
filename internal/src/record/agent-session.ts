import { spawn } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startEmulator } from '@varve/emulator';
import { type Entry, type Message, serializeEntry } from '@varve/messages';
import {
  AGENT_ANSWERS,
  ANSWERS,
  FILES,
  type Said,
  SUMMARY,
  TYPED,
} from '../../recordings/agent-amounts/script.ts';
import { root as repository } from '../workspace.ts';

export const AGENT_RECORDING = 'amounts';

const MODEL = 'claude-opus-5-5';
export const AGENT_PROGRAM = join(repository, 'apps', 'agent', 'src', 'main.ts');
/** The same each time: paths stand in requests and results, and so in what is counted and billed. */
const ROOT = '/tmp/varve-recording';

/**
 * Lets the agent do the session of `recordings/agent-amounts` in a scratch folder, as a program in plain lines with a person
 * who types, and gives the logs that it leaves, by the names of their files. The same script gives the same bytes.
 *
 * @throws {Error} when the terminal does not show what a line waits for, a request is refused, or the script is not played whole.
 */
export async function recordAgent(program = AGENT_PROGRAM): Promise<ReadonlyMap<string, string>> {
  const answers = [...ANSWERS];
  const ofAgent = [...AGENT_ANSWERS];
  let count = 0;
  const emulator = await startEmulator({
    replies({ request }) {
      const last = JSON.stringify(request.messages.at(-1)?.content);
      if (last.includes('<summary>')) return SUMMARY;
      const isAgent = JSON.stringify(request.head.system).includes('You search a code base');
      const said = (isAgent ? ofAgent : answers).shift();
      if (said === undefined) throw new Error('the script has no answer left');
      count += 1;
      return contentOf(said, count);
    },
  });
  try {
    await takeRoot();
    const [cwd, home] = [join(ROOT, 'workspace'), join(ROOT, 'home')];
    for (const folder of [cwd, home]) mkdirSync(folder);
    for (const [at, [name, text]] of Object.entries(FILES).entries()) {
      writeFileSync(join(cwd, name), text);
      utimesSync(join(cwd, name), at, at); // Glob lists by it
    }
    for (const [at, typed] of TYPED.entries()) {
      const flags = ['--plain', '--model', MODEL, ...(at === 0 ? [] : ['-c'])];
      await converse({ program, flags, cwd, home, url: emulator.url }, typed);
    }
    const left = answers.length + ofAgent.length;
    if (left > 0) throw new Error(`${left} answers of the script were not asked for`);
    if (emulator.report().refused > 0) throw new Error('a request was refused');
    return logsBelow(join(home, 'varve'));
  } finally {
    await emulator.close();
    rmSync(ROOT, { recursive: true, force: true });
  }
}

/** Makes the scratch folder, once no other recording has it. */
async function takeRoot(): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return mkdirSync(ROOT);
    } catch (error) {
      if (tries === 600) throw error;
      const { mtimeMs = 0 } = statSync(ROOT, { throwIfNoEntry: false }) ?? {};
      if (Date.now() - mtimeMs > LOST_MS) rmSync(ROOT, { recursive: true, force: true });
      await wait(100);
    }
  }
}

/** After so long nobody records any more. */
const LOST_MS = 120_000;

function contentOf(said: Said, count: number) {
  if (typeof said === 'string') return said;
  const text = said.text === undefined ? [] : [{ type: 'text', text: said.text }];
  const calls = said.calls.map(({ name, input }, at) => ({
    ...{ type: 'tool_use', id: `call_${count}_${at + 1}` },
    ...{ name, input },
  }));
  return { content: [...text, ...calls] };
}

interface Conversation {
  readonly program: string;
  readonly flags: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly url: string;
}

/** Starts the program, types each line once what it waits for is shown, and waits for the end. */
async function converse(
  { program, flags, cwd, home, url }: Conversation,
  typed: (typeof TYPED)[number],
): Promise<void> {
  const machine = join(import.meta.dirname, 'fixed-machine.ts');
  const child = spawn(process.execPath, ['--import', machine, program, ...flags], {
    cwd,
    env: {
      ...{ PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, SHELL: '/bin/sh' },
      ...{ VARVE_CONFIG_DIR: join(home, 'varve'), ANTHROPIC_API_KEY: 'any' },
      ANTHROPIC_BASE_URL: url,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  const left = [...typed];
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      shown += chunk;
      const next = left[0];
      if (next === undefined || !shown.includes(next[0])) return;
      shown = shown.slice(shown.indexOf(next[0]) + next[0].length);
      left.shift();
      child.stdin.write(`${next[1]}\n`);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      const waited = left[0] && `, and ${left[0][0]} was not shown`;
      if (code === 0 && waited === undefined) resolve();
      else reject(new Error(`the agent ended with ${code}${waited}:\n${shown}`));
    });
  });
}

const PATIENCE_MS = 60_000;

/** The log of the session and those of its agents, by their names in the fixtures. */
function logsBelow(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const logs = files.filter((file) => file.endsWith('.jsonl')).sort();
  return new Map(
    logs.map((file) => {
      const name = basename(dirname(file)) === 'agents' ? `agents/${basename(file)}` : undefined;
      const log = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
      const entries = log.map((line) => JSON.parse(line) as Entry);
      const own = name === undefined ? `${AGENT_RECORDING}.jsonl` : `${AGENT_RECORDING}/${name}`;
      return [own, entries.map((entry, at) => `${serializeEntry(same(entry, at))}\n`).join('')];
    }),
  );
}

const STARTED_MS = Date.parse('2026-11-30T09:00:00.000Z');
const STEP_MS = 2_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An entry without what differs each time: random ids count up, and entries come two seconds apart. */
function same(entry: Entry, index: number): Entry {
  const id = UUID.test(entry.id) ? `entry-${index + 1}` : entry.id;
  if (Date.parse(entry.at) === 0) return { ...entry, id }; // the first line of each log
  const atMs = STARTED_MS + index * STEP_MS;
  const at = new Date(atMs).toISOString();
  if (entry.type !== 'message') return { ...entry, id, at };
  const { message } = entry;
  const { response } = message;
  const request = response?.request && { ...response.request, startedAtMs: atMs - STEP_MS };
  const timed = {
    ...message,
    ...(message.createdAt !== undefined && { createdAt: at }),
    ...(request && { response: { ...response, request } }),
  } as Message;
  return { ...entry, id, at, message: timed };
}
