import { closeSync, openSync, writeSync } from 'node:fs';
import { type Entry, serializeEntry } from '@varve/messages';
import { readLog } from '../../src/node/index.ts';

// Writes a log of so many entries of 1 MB, reads it, and prints how many entries came and how far memory grew.
const [path = '', count = '0'] = process.argv.slice(2);
const content = [{ type: 'text', text: 'x'.repeat(1_000_000) }];
const message = { id: 'M', role: 'user', content } as const;
const entry: Entry = { id: 'E', at: '2026-01-02T03:04:05.000Z', type: 'message', message };
const [head = '', body = ''] = serializeEntry(entry).split('"E"');
const rest = Buffer.from(`${body}\n`);
const file = openSync(path, 'w');
for (let index = 0; index < Number(count); index++) {
  writeSync(file, `${head}"${index}"`);
  writeSync(file, rest);
}
closeSync(file);

const before = Math.round(process.memoryUsage.rss() / 2 ** 20);
let [entries, peak] = [0, 0];
for await (const _item of readLog(path)) {
  entries++;
  peak = Math.max(peak, process.memoryUsage.rss());
}
process.stdout.write(JSON.stringify({ entries, grownMiB: Math.round(peak / 2 ** 20) - before }));
