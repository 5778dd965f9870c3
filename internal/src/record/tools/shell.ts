import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalise } from '../normalise.ts';
import type { Workspace } from '../workspace.ts';
import { failed, type RecorderTool, succeeded } from './tool.ts';

const DEFAULT_TIMEOUT_SECONDS = 60;
const MOST_CHARACTERS = 30_000;

/** The only programs a command finds. None of them can open a connection, and node is kept from it by a preload. */
const PROGRAMS =
  'cat cp cut diff find grep head ls mkdir mv rm sed sh sleep sort tail tr uniq wc'.split(' ');

const NO_NETWORK_FILE = 'no-network.cjs';
const NO_NETWORK = `require('node:net').Socket.prototype.connect = () => {
  throw new Error('the network is off in this project');
};
`;

export interface ShellInput {
  readonly command: string;
  readonly timeout_seconds?: number;
}

export const shellTool: RecorderTool<ShellInput> = {
  definition: {
    name: 'shell',
    description:
      'Run a command with sh in the project folder and show its output and exit code. Standard error is mixed in. There is no network. Output over 30,000 characters is cut in the middle.',
    input_schema: {
      type: 'object',
      properties: {
        command: { type: 'string' },
        timeout_seconds: { type: 'integer', minimum: 1, description: '60 by default.' },
      },
      required: ['command'],
      additionalProperties: false,
    },
  },
  tookMs: 2_600,
  run(workspace, { command, timeout_seconds: seconds = DEFAULT_TIMEOUT_SECONDS }) {
    const { stdout, status, error } = spawnSync('/bin/sh', ['-c', `exec 2>&1\n${command}`], {
      cwd: workspace.root,
      env: shellEnvironment(workspace),
      encoding: 'utf8',
      timeout: seconds * 1_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    const output = cutMiddle(normalise(stdout ?? '', workspace.root).trimEnd());
    if (error !== undefined) return failed(`${output}\n[stopped after ${seconds} s]`.trimStart());
    const text = `${output}\n[exit code ${status}]`.trimStart();
    return status === 0 ? succeeded(text) : failed(text);
  },
};

function shellEnvironment(workspace: Workspace): NodeJS.ProcessEnv {
  const programs = programFolder(workspace);
  return {
    PATH: programs,
    HOME: workspace.root,
    LC_ALL: 'C',
    TZ: 'UTC',
    NO_COLOR: '1',
    NODE_OPTIONS: `--require=${join(programs, NO_NETWORK_FILE)}`,
  };
}

function programFolder(workspace: Workspace): string {
  const folder = `${workspace.root}-programs`;
  if (isExecutable(join(folder, 'node'))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, NO_NETWORK_FILE), NO_NETWORK);
  symlinkSync(process.execPath, join(folder, 'node'));
  for (const name of PROGRAMS) {
    const found = ['/usr/bin', '/bin'].map((dir) => join(dir, name)).find(isExecutable);
    if (found !== undefined) symlinkSync(found, join(folder, name));
  }
  return folder;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // no such file, or not ours to run: both mean that it cannot be used
  }
}

function cutMiddle(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const half = MOST_CHARACTERS / 2;
  const dropped = text.length - MOST_CHARACTERS;
  return `${text.slice(0, half)}\n[${dropped} characters cut]\n${text.slice(-half)}`;
}
