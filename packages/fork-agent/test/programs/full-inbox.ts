// Fills an inbox and reads it; run where few files may be open at once.
import { fileMailboxes } from '../../src/node/index.ts';

const [folder = ''] = process.argv.slice(2);
const boxes = fileMailboxes(folder);
const inbox = await boxes.open('worker');
for (let count = 0; count < 300; count++) {
  const body = { kind: 'text', text: 'x', summary: 's' } as const;
  await boxes.deliver({ id: `m${count}`, from: 'lead', to: 'worker', body });
}
try {
  console.log(`received ${(await inbox.receive()).length}`);
} catch (error) {
  console.log(`failed: ${(error as NodeJS.ErrnoException).code}`);
}
