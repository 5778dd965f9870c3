import { fstatSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { resolveModel } from '@varve/tokens';
import { slashIn } from './commands/slash.ts';
import type { SaidCommand } from './commands/without-screen.ts';
import { interrupted, type Prompt, runTurn } from './loop.ts';
import { messagesIn } from './message-lines.ts';
import { type Options, UsageError } from './options.ts';
import { createSession } from './session.ts';
import { messageOf } from './shown.ts';
import { connectWith, resumedId } from './start.ts';
import { clean } from './ui/clean.ts';
import { createPrinter, EXIT, type RunEnd } from './ui/print.ts';

/** `varve -p`: one prompt, its answer on standard output, and an exit code. */
export async function runPrint(options: Options): Promise<number> {
  const cwd = process.cwd();
  const stop = new AbortController();
  const prompts = promptsOf(options, stop.signal);
  const first = await prompts.next(); // nothing is begun for nothing
  if (first.done) throw new UsageError('There is no message on standard input.');
  const command = await commandOf(first.value);
  const connect = connectWith(options, {
    isSent: (command?.asksModel ?? true) || options.inputFormat !== 'text',
  });
  connect(options.model); // what is missing is said before anything is written
  const resume = await resumedId(options, cwd);
  const printer = createPrinter({
    format: options.outputFormat,
    // a script reads what was said as it is; what a terminal gets cannot steer it
    write: (chunk) => void process.stdout.write(process.stdout.isTTY ? clean(chunk) : chunk),
    warn: (chunk) => void process.stderr.write(clean(chunk)),
  });
  const abort = () => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, abort);
  process.stdout.on('error', abort); // nobody reads on
  const { emit } = printer;
  const session = await createSession({
    ...{ ...options, cwd, connect, resume, emit },
    isOneTurn: options.inputFormat === 'text',
  });
  const { context } = session.agent;
  const { model = options.model } = context.view().head ?? {};
  const limits = limitsOf(options.limits, { model, spent: context.usage().dollars });

  async function run(prompt: Prompt): Promise<RunEnd> {
    try {
      const command = await commandOf(prompt);
      if (command !== undefined) {
        const texts: string[] = [];
        const show = (said: string) => void texts.push(clean(said));
        await command.run({ session, options, cwd, signal: stop.signal, show });
        return { kind: 'done', text: texts.join('\n') };
      }
      ensureKnown(prompt);
      const agent = { ...session.agent, limits };
      let end = await runTurn(agent, prompt, stop.signal);
      // agents in the background are waited for: their answers belong to what was asked
      while (end.kind === 'done' && (await session.agents.nextNews(stop.signal)))
        end = await runTurn(agent, undefined, stop.signal);
      return end;
    } catch (error) {
      await interrupted(context).catch(() => undefined); // the first failure says more
      const message = messageOf(error);
      return stop.signal.aborted ? { kind: 'interrupted' } : { kind: 'failed', message };
    }
  }

  /** What begins as a command and is none would be paid for as words. Throws `UsageError`. */
  function ensureKnown(prompt: Prompt): void {
    const said = typeof prompt === 'string' ? slashIn(prompt) : undefined;
    if (said === undefined || session.work.skills.isCall(prompt as string)) return;
    throw new UsageError(`There is no command /${said.name}; varve -p /help lists them.`);
  }

  let code = EXIT.done;
  try {
    if (command === undefined) ensureKnown(first.value);
    for (let next: IteratorResult<Prompt, void> = first; !next.done; next = await prompts.next()) {
      const before = context.usage();
      const end = await run(next.value);
      code = worst(code, printer.end(end, before, context.usage()));
      if (stop.signal.aborted) break;
      printer.begin();
    }
  } finally {
    await session.close();
  }
  return code;
}

/** Of two exit codes the one that says more. */
const worst = (one: number, other: number): number =>
  BY_WEIGHT.indexOf(one) > BY_WEIGHT.indexOf(other) ? one : other;

const BY_WEIGHT = [EXIT.done, EXIT.permission, EXIT.limit, EXIT.failed, EXIT.interrupted];

/** One prompt, or with `--input-format stream-json` one for each message until standard input ends. */
async function* promptsOf(options: Options, signal: AbortSignal): AsyncGenerator<Prompt, void> {
  if (options.inputFormat === 'text') yield promptOf(options);
  else {
    if (options.prompt !== undefined) yield options.prompt;
    yield* messagesIn(process.stdin, signal);
  }
}

/** What was given as arguments, and what a pipe or a file on standard input holds behind it. */
async function promptOf({ prompt = '' }: Options): Promise<string> {
  const input = await standardInput(prompt === '');
  const whole = [prompt, input].filter((part) => part.trim() !== '').join('\n\n');
  if (whole === '') throw new UsageError('There is no prompt: varve -p "what to do".');
  return whole;
}

/** A command of the terminal would be words to the model, and paid for. Throws `UsageError` where one needs the terminal. */
async function commandOf(prompt: Prompt) {
  if (typeof prompt !== 'string' || slashIn(prompt) === undefined) return undefined;
  const { commandIn, ELSEWHERE, runWithoutScreen } = await import('./commands/without-screen.ts');
  const said = commandIn(prompt);
  if (said !== undefined && ELSEWHERE.print.has(said.command.name))
    throw new UsageError(
      `/${said.command.name} is a command of the terminal: with -p there are flags for sessions, model and mode (varve --help).`,
    );
  const run = (options: Parameters<typeof runWithoutScreen>[1]) =>
    runWithoutScreen(said as SaidCommand, options);
  return said && { asksModel: said.command.asksModel ?? false, run };
}

/** How long a pipe may say nothing where there is a prompt already, in milliseconds. */
const PIPE_MS = 3_000;

async function standardInput(isNeeded: boolean): Promise<string> {
  const kind = fstatSync(0);
  if (kind.isFile()) return text(process.stdin);
  if (!kind.isFIFO() && !kind.isSocket()) return '';
  if (isNeeded) return text(process.stdin);
  const timer = setTimeout(() => process.stdin.destroy(), PIPE_MS);
  process.stdin.once('data', () => clearTimeout(timer));
  return text(process.stdin)
    .catch(() => '')
    .finally(() => clearTimeout(timer));
}

/** A limit in dollars is of this run, and holds only where prices are known. */
function limitsOf(
  limits: Options['limits'],
  { model, spent }: { readonly model: string; readonly spent: number },
): Options['limits'] {
  if (limits.dollars === undefined) return limits;
  if (resolveModel(model).model.prices.length === 0)
    throw new UsageError(`The price of ${model} is not known, so --max-cost cannot hold.`);
  return { ...limits, dollars: spent + limits.dollars };
}
