import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { isAbortError, withinTime } from '../src/index.ts';

const never = () => new Promise<never>(() => {});
const INDEX = join(import.meta.dirname, '..', 'src', 'index.ts');

test('work in time settles as it does, and leaves no timer', async () => {
  vi.useFakeTimers();
  try {
    expect(await withinTime(async () => 5, { limitMs: 1_000 })).toBe(5);
    const failure = new Error('boom');
    const failing = () => Promise.reject(failure);
    await expect(withinTime(failing, { limitMs: 1_000 })).rejects.toBe(failure);
    const throwing = () => {
      throw failure;
    };
    await expect(withinTime(throwing, { limitMs: 1_000 })).rejects.toBe(failure);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('work that hangs ends with a TimeoutError that names the limit, and its signal is aborted', async () => {
  let given: AbortSignal | undefined;
  const hanging = (signal: AbortSignal) => {
    given = signal;
    return never();
  };
  await expect(withinTime(hanging, { limitMs: 5 })).rejects.toMatchObject({
    name: 'TimeoutError',
    message: 'It took longer than 5 ms.',
  });
  expect(given?.aborted).toBe(true);
});

test('an abort ends it with its reason, and starts nothing where it came before', async () => {
  const reason = new Error('left');
  const controller = new AbortController();
  const waiting = withinTime(never, { limitMs: 60_000, signal: controller.signal });
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  const work = vi.fn(never);
  const late = withinTime(work, { limitMs: 60_000, signal: AbortSignal.abort() });
  await expect(late).rejects.toSatisfy(isAbortError);
  expect(work).not.toHaveBeenCalled();
});

test('a limit beyond what timers take is none that is over at once', async () => {
  const work = () => new Promise((resolve) => setTimeout(resolve, 20, 'done'));
  expect(await withinTime(work, { limitMs: Number.POSITIVE_INFINITY })).toBe('done');
});

test('a process with nothing else to do waits for the limit', async () => {
  const source = `
    import { withinTime } from ${JSON.stringify(INDEX)};
    const late = withinTime(() => new Promise(() => {}), { limitMs: 50 });
    console.log(await late.catch(({ name }) => name));`;
  const args = ['--input-type=module', '--eval', source];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe('TimeoutError\n');
});
