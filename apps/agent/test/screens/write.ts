import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { agentScreens, COLUMNS } from './agent-screens.ts';
import { toSvg } from './svg.ts';

/** `pnpm screens`: draws the pictures of the agent's README, of a session that is played in a real terminal (tmux). */
const folder = join(import.meta.dirname, '..', '..', 'screens');
mkdirSync(folder, { recursive: true });
for (const { name, title, shown } of await agentScreens()) {
  const path = join(folder, `${name}.svg`);
  writeFileSync(path, toSvg(shown, { title, columns: COLUMNS }));
  process.stdout.write(`${relative('', path)} written\n`);
}
