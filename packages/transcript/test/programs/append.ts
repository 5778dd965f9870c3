import { flushCompileCache } from 'node:module';
import type { Entry } from '@varve/messages';
import { openLog } from '../../src/node/index.ts';

// Appends `count` entries of different sizes, opening the log anew after every `batch`, and prints each id once it is in.
flushCompileCache(); // who is killed leaves none for the next
const [path = '', name = '', count = '0', batch = '1', largest = '2000000'] = process.argv.slice(2);
for (let from = 0; from < Number(count); from += Number(batch)) {
  const log = await openLog(path, { lockWaitMs: 120_000 });
  for (let index = from; index < Math.min(from + Number(batch), Number(count)); index++) {
    const size = index % 100 === 99 ? Number(largest) : (index * 37) % 4_000;
    const content = [{ type: 'text', text: `${name}${'x'.repeat(size)}` }];
    const message = { id: `m-${name}-${index}`, role: 'user', content } as const;
    const entry: Entry = {
      id: `${name}-${index}`,
      at: '2026-01-02T03:04:05.000Z',
      type: 'message',
      message,
    };
    await log.append(entry);
    process.stdout.write(`${entry.id}\n`);
  }
  await log.close();
}
