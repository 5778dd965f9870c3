// Waits for a line, then tries to take a lock once and says what came of it; keeps it until it is killed.
import { acquireLock } from '../../src/node/index.ts';

const [path = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  process.stdout.write((await acquireLock(path)) ? 'taken\n' : 'refused\n');
});
