import { type CommandLine, readOptions, UsageError } from './options.ts';
import { SettingsError } from './settings/error.ts';
import { clean } from './ui/clean.ts';

/** The command `varve`: flags and environment, then one of its faces. Gives the exit code. */
export async function runCommand(given: CommandLine): Promise<number> {
  try {
    return await runFace(given);
  } catch (error) {
    const { exitCode, message } =
      error instanceof UsageError
        ? error
        : SettingsError.is(error)
          ? { exitCode: 2, message: error.message }
          : { exitCode: 1, message: String(error) };
    if (message !== '') process.stderr.write(`${clean(message)}\n`);
    return exitCode;
  }
}

async function runFace(given: CommandLine): Promise<number> {
  const options = readOptions(given);
  switch (options.face) {
    case 'print':
      return (await import('./print-run.ts')).runPrint(options);
    case 'terminal':
      return (await import('./terminal-run.ts')).runTerminal(options);
    case 'acp':
      return (await import('./acp-run.ts')).runAcp(options);
    case 'demo':
      process.stdout.on('error', () => undefined); // nobody reads on, e.g. `| head`
      return (await import('./demo/demo.ts')).runDemo((text) => void process.stdout.write(text));
  }
}
