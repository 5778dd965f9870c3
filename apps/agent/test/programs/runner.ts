import { runCommand } from '../../src/command.ts';

/** One run of the command, as `runner.ts` is asked for it. */
export interface RunRequest {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly configDir: string;
}

/** Runs the command again and again in one process, one run after the other: what a start loads is loaded once. */
process.setMaxListeners(0);
process.stdout.setMaxListeners(0);
process.on('disconnect', () => process.exit());
process.on('message', async ({ args, env, cwd, configDir }: RunRequest) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  for (const [name, value] of Object.entries(env))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  const [stdout, stderr] = [taken(process.stdout), taken(process.stderr)];
  try {
    const code = await runCommand({ argv: [...args], env: process.env, configDir });
    process.send?.({ code, signal: null, stdout: stdout.text(), stderr: stderr.text() });
  } finally {
    stdout.end();
    stderr.end();
  }
});

/** What is written to a stream from now on, in place of the stream. */
function taken(stream: NodeJS.WriteStream) {
  const { write } = stream;
  let text = '';
  stream.write = (chunk: Uint8Array | string, ...more: readonly unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = more.findLast((each) => typeof each === 'function');
    if (typeof done === 'function') process.nextTick(done as () => void);
    return true;
  };
  return {
    text: () => text,
    end: () => {
      stream.write = write;
    },
  };
}
