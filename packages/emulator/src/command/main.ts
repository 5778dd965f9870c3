import { appendFileSync, writeFileSync } from 'node:fs';
import { redact, redactJson } from '@varve/redact';
import { PRIVATE_FILE } from '@varve/transcript/node';
import { EmulatorError } from '../error.ts';
import type { RecordedRequest } from '../log/exchange.ts';
import { type EmulatorReport, requireHitRate } from '../log/report.ts';
import { startRecordingProxy } from '../server/proxy.ts';
import { startEmulator } from '../server/start.ts';
import { appendLine } from './append-line.ts';
import { type Arguments, parseArguments } from './arguments.ts';
import { HELP } from './help.ts';
import { loadReplies } from './load-replies.ts';

/** Runs a command line until a signal ends it, and returns its exit code: 0, 1 (hit rate) or 2 (anything else). */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const parsed = parseArguments(args);
    if (parsed.help) {
      process.stdout.write(HELP);
      return 0;
    }
    // what cannot be written is told now, not after hours of serving
    for (const file of [parsed.log, parsed.report])
      if (file) appendFileSync(file, '', PRIVATE_FILE);
    return await (parsed.upstream === undefined
      ? emulate(parsed)
      : record(parsed, parsed.upstream));
  } catch (error) {
    process.stderr.write(`varve-emulator: ${reasonOf(error)}\n`);
    return EmulatorError.is(error) && error.code === 'hit-rate-too-low' ? 1 : 2;
  }
}

/** With what is behind it: which character of a file is no JSON, which folder is missing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error && !message.includes(cause.message)
    ? `${message} ${cause.message}`
    : message;
}

async function emulate(options: Arguments): Promise<number> {
  const { port, host, log } = options;
  const lines = createLineWriter(log);
  const emulator = await startEmulator({
    ...{ port, host, replies: await loadReplies(options) },
    ...(log !== undefined && { onRequest: (request) => lines.write(`${lineOf(request)}\n`) }),
  });
  announce(emulator.url);
  await Promise.race([ended(), lines.failed]);
  await emulator.close();
  lines.check();
  return finish(emulator.report(), options);
}

/** A request as a line of the log, without secrets. A body that cannot be written as a value, being nested too deeply, stands as its text. */
function lineOf({ index, method, path, status, json, model, billed, body }: RecordedRequest) {
  const usage = billed.at(-1)?.usage;
  const facts = { index, method, path: redact(path), status, model, usage };
  try {
    return JSON.stringify({ ...facts, body: redactJson(json) });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify({ ...facts, body: redact(new TextDecoder().decode(body)) });
  }
}

function finish(report: EmulatorReport, { report: file, hitRate }: Arguments): number {
  if (file !== undefined)
    writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`, PRIVATE_FILE);
  if (hitRate !== undefined) requireHitRate(report, hitRate);
  return 0;
}

async function record({ port, host, log }: Arguments, upstream: string): Promise<number> {
  const lines = createLineWriter(log);
  const proxy = await startRecordingProxy({ port, host, upstream, write: lines.write });
  announce(proxy.url);
  await Promise.race([ended(), lines.failed]);
  await proxy.close();
  lines.check();
  return 0;
}

/** Writes each line as it comes, to the output where no file is named. A recording with a gap is none: `failed` ends it. */
function createLineWriter(log: string | undefined) {
  let failure: unknown;
  let stop = () => {};
  const failed = new Promise<void>((resolve) => {
    stop = resolve;
  });
  return {
    failed,
    write(line: string): void {
      if (log === undefined) return void process.stdout.write(line);
      try {
        appendLine(log, line);
      } catch (error) {
        failure = error;
        stop();
      }
    },
    check(): void {
      if (failure !== undefined) throw failure;
    },
  };
}

const announce = (url: string): boolean => process.stdout.write(`${JSON.stringify({ url })}\n`);

const ended = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
