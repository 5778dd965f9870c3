import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { takeLock } from '../../src/node/index.ts';

// Tries to take a lock, says what came of it, and keeps it until it is killed, or until a line comes in.
flushCompileCache(); // who is killed leaves none for the next
const [path = '', waitMs = '0', start = 'at-once', name] = process.argv.slice(2);
if (name !== undefined) writeFileSync('/proc/self/comm', name);
const hold = async () => {
  try {
    const lock = await takeLock(path, { waitMs: Number(waitMs) });
    process.stdout.write('taken\n');
    process.stdin.once('data', async () => {
      await lock.release();
      process.exit();
    });
  } catch (error) {
    process.stdout.write(`${(error as { readonly code?: string }).code}\n`);
    process.exit();
  }
};
if (start === 'at-once') await hold();
else {
  process.stdout.write('ready\n');
  process.stdin.once('data', hold);
}
