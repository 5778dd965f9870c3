import { join } from 'node:path';
import type { Answer } from '../permissions/permissions.ts';
import { messageOf, shown } from '../shown.ts';
import type { LoadedSettings } from './load.ts';
import { saveAllowedRule } from './save-rule.ts';
import type { Untrusted } from './trust.ts';

type Notice = (text: string) => void;

/** Keeps a rule that was allowed for always in the settings of this person for the project. */
export function saveAnswer(
  answer: Answer & { readonly kind: 'session' | 'always' },
  { root, untrusted, trustNow }: LoadedSettings,
  notice: Notice,
): void {
  if (answer.kind === 'session') return;
  if (untrusted !== undefined) {
    notice(
      'The rule holds for this session only, because the settings of this folder are not trusted.',
    );
    return;
  }
  try {
    saveAllowedRule(join(root, '.varve', 'settings.local.json'), answer.rule, root);
    trustNow();
  } catch (error) {
    notice(`The rule holds for this session only: ${messageOf(error)}`);
  }
}

const MOST_SHOWN = 30;
const MOST_CHARS = 300;

/** Says what does not hold of the settings that were found. */
export function warnOf({ untrusted, problems }: LoadedSettings, notice: Notice): void {
  if (untrusted !== undefined)
    notice(`Left out until you trust it (--trust): ${wishesOf(untrusted)}`);
  for (const { path, text, kind } of problems)
    if (kind === 'useless') notice(`${shown(path)}: ${shown(text)}`);
}

/** What the settings of a folder want, in lines for a person who is to trust it. */
export function wishesOf({ items, sent = [] }: Untrusted): string {
  const lines = items.slice(0, MOST_SHOWN).map(({ path, text }) => {
    const cut = text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text;
    return `  ${shown(path)}: ${shown(cut).replaceAll('\\"', '"')}`;
  });
  const more = items.length - lines.length;
  return [
    'the settings of this folder want to run or allow',
    ...lines,
    ...(more > 0 ? [`  … ${more} more`] : []),
    ...(sent.length > 0 ? [`The model reads, trusted or not: ${namesOf(sent)}`] : []),
  ].join('\n');
}

function namesOf(paths: readonly string[]): string {
  const more = paths.length - MOST_SHOWN;
  const named = paths.slice(0, MOST_SHOWN).map((path) => shown(path));
  return `${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
