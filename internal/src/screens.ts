import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { agentScreens, COLUMNS } from './screens/agent-screens.ts';
import { toSvg } from './screens/svg.ts';
import { root } from './workspace.ts';

/** `pnpm screens`: draws the pictures of the agent's README, of a session that is played in a real terminal (tmux). */
const folder = join(root, 'apps', 'agent', 'screens');
mkdirSync(folder, { recursive: true });
for (const { name, title, shown } of await agentScreens()) {
  const path = join(folder, `${name}.svg`);
  writeFileSync(path, toSvg(shown, { title, columns: COLUMNS }));
  process.stdout.write(`${relative(root, path)} written\n`);
}
