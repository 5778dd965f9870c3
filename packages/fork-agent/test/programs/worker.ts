// Opens an inbox, writes down each mail it handles, and sends one of its own for each; killed at any moment.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileMailboxes } from '../../src/node/index.ts';

const [folder = '', name = '', log = ''] = process.argv.slice(2);
const boxes = fileMailboxes(folder);
const inbox = await boxes.open(name);
process.stdout.write('open\n');
for (;;) {
  const mails = await inbox.receive();
  for (const { id } of mails) {
    appendFileSync(join(log), `${id}\n`);
    const body = { kind: 'text', text: id, summary: 'handled' } as const;
    await boxes.deliver({ id: `re-${id}`, from: name, to: 'lead', body });
    await inbox.acknowledge([id]);
  }
  await new Promise((resolve) => setTimeout(resolve, 1));
}
