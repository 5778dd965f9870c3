import { basename } from 'node:path';
import type { Hooks } from '../hooks/hooks.ts';
import { shown } from '../shown.ts';
import type { FileCache } from '../tools/files.ts';
import type { Producer } from './producers.ts';

const MOST_NAMED = 20;

/** Files that are not as the model saw them, by what they look like now: nothing watches them. */
export const changedFiles = (files: FileCache, hooks: () => Hooks): Producer => ({
  name: 'changed files',
  async collect({ signal }) {
    const changes = await files.changed();
    if (changes.length === 0) return [];
    const lines = changes
      .slice(0, MOST_NAMED)
      .map(({ path, isGone }) => `- ${shown(path)}${isGone ? ' (gone)' : ''}`);
    const more = changes.length - lines.length;
    return [
      {
        text: `Files that you read are not as you saw them any more: a command, the person or another program changed them.\n${lines.join('\n')}${more > 0 ? `\n- and ${more} more` : ''}\nRead what you need of them again. It may be on purpose: do not undo it unless you are asked to.`,
        async told() {
          files.told(changes);
          for (const { path, isGone } of changes) {
            const fields = { file_path: path, event: isGone ? 'unlink' : 'change' };
            await hooks().tell('FileChanged', basename(path), fields, signal);
          }
        },
      },
    ];
  },
});
