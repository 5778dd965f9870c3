import type { Context } from '@varve/context';
import { oneLine } from '../ui/clean.ts';
import type { ProjectMemory } from './memory.ts';

const NAME_WORDS = 8;
const MOST_TRIES = 9;

/** Whether a line of a person is to be remembered: `#text`, and no heading of a longer text. */
export const isToRemember = (text: string): boolean => /^#[^#\n]*$/.test(text.trim());

/** Saves what a person wants remembered, word for word, and has the conversation know of it. Gives what to tell the person. */
export async function remember(
  text: string,
  { memory, context }: { readonly memory: ProjectMemory | undefined; readonly context: Context },
): Promise<string> {
  const said = text.trim().replace(/^#\s*/, '');
  if (said === '') return 'Write what to remember behind the #.';
  if (memory === undefined || !memory.isOn)
    return 'Memory is switched off in this session, so nothing was kept.';
  const saved = await saveSaid(said, memory);
  if (saved.kind === 'refused') return `Not kept: ${saved.message}`;
  if (saved.kind === 'conflict') return `Not kept: ${saved.path} was changed meanwhile.`;
  const told = `The person had you remember this; it is saved in ${memory.path}/${saved.path}:\n\n${said}`;
  await context.user(told, { origin: { kind: 'command', typed: `#${said}` } });
  const notices = saved.kind === 'saved' ? saved.notices : ['It was known already.'];
  return [`Remembered in ${saved.path}; /memory undo takes it back.`, ...notices].join(' ');
}

/** A file of another name where there is one with other words. */
async function saveSaid(said: string, { memory }: ProjectMemory) {
  const name = oneLine(said.split(/\s+/).slice(0, NAME_WORDS).join(' '), 60);
  for (let count = 1; ; count++) {
    const saved = await memory.save({
      name: count === 1 ? name : `${name} (${count})`,
      description: oneLine(said, 150),
      ...{ type: 'feedback', body: said, asked: true, reason: 'the user asked', quote: said },
    });
    if (saved.kind !== 'refused' || saved.reason !== 'exists' || count === MOST_TRIES) return saved;
  }
}
