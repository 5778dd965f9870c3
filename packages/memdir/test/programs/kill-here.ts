// Loaded first: puts itself between this process and the file system, and kills the process before one of its changes.
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

let left = Number.POSITIVE_INFINITY;
let made = 0;
let isOn = false;

/** From now on changes count: the process ends right before change `at`, of a write in the middle of it too. */
export function killAt(at: number): void {
  left = at;
  isOn = true;
}

export const changesMade = (): number => made;

function dieHere(): void {
  process.kill(process.pid, 'SIGKILL');
  for (;;); // it does not come back
}

function count(): void {
  if (!isOn) return;
  made++;
  if (--left === 0) dieHere();
}

type Call = (...args: readonly unknown[]) => unknown;

function between<Holder extends object>(holder: Holder, name: keyof Holder, before: Call): void {
  const real = holder[name] as Call;
  const call = function (this: unknown, ...args: readonly unknown[]): unknown {
    before.call(this, ...args);
    return real.apply(this, args as unknown[]);
  };
  Object.assign(holder, { [name]: call });
}

const isReading = (flags: unknown): boolean =>
  flags === undefined || flags === 'r' || (typeof flags === 'number' && (flags & 3) === 0);

for (const name of ['renameSync', 'futimesSync', 'fsync'] as const) between(fs, name, count);
for (const name of ['mkdir', 'rmdir', 'unlink', 'rm', 'rename', 'link', 'utimes'] as const) {
  between(promises, name, count);
}
between(fs, 'openSync', (_path, flags) => {
  if (!isReading(flags)) count();
});
between(promises, 'open', (_path, flags) => {
  if (!isReading(flags)) count();
});
const { writeSync } = fs;
between(fs, 'writeSync', (file, bytes, at) => {
  count();
  const isMiddle = isOn && ++made && --left === 0;
  if (!isMiddle) return;
  const whole = Buffer.from(bytes as string);
  const place = typeof bytes === 'string' ? (at as number) : null;
  writeSync(file as number, whole, 0, Math.floor(whole.length / 2), place);
  dieHere();
});
const probe = await promises.open(import.meta.filename, 'r');
const handles = Object.getPrototypeOf(probe) as Record<'writeFile' | 'sync', Call>;
await probe.close();
for (const name of ['writeFile', 'sync'] as const) between(handles, name, count);
syncBuiltinESMExports();
