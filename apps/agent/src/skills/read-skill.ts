import { isRecord, textOf } from '@varve/guards';
import { parse } from 'yaml';
import { splitFrontMatter } from '../instructions/front-matter.ts';
import { shown } from '../shown.ts';

/** What a skill file says. */
export interface SkillText {
  readonly name: string;
  /** On one line, without signs that are not seen. */
  readonly description: string;
  /** What may stand behind its name. */
  readonly hint?: string | undefined;
  readonly isForModel: boolean;
  readonly isForPerson: boolean;
  readonly text: string;
}

export type ReadSkill =
  | { readonly kind: 'skill'; readonly skill: SkillText; readonly problem?: string | undefined }
  | { readonly kind: 'refused'; readonly why: string };

const MOST_NAME = 64;
const MOST_DESCRIPTION = 1_024;
const NAME = /^[a-z0-9][\w.:-]*$/i;

/** Reads a skill. `fallback` is its name where it gives none that can be typed: that of its folder or file. */
export function readSkill(whole: string, fallback: string): ReadSkill {
  const refused = (why: string): ReadSkill => ({ kind: 'refused', why });
  const { front, text } = splitFrontMatter(whole);
  if (front === undefined && /^---[ \t]*\r?\n/.test(whole))
    return refused('its front matter has no end');
  const fields = fieldsIn(front ?? '');
  if (fields === undefined) return refused('its front matter holds no fields');
  const given = wordsOf(fields.name);
  const name = isTypable(given) ? given : fallback;
  if (/\p{C}/u.test(given)) return refused(`its name holds signs that are not seen: ${cut(given)}`);
  if (name.length > MOST_NAME || given.length > MOST_NAME)
    return refused(`its name is longer than ${MOST_NAME} characters`);
  if (!isTypable(name))
    return refused(
      `its name is not of letters, digits, \`-\`, \`_\`, \`.\` and \`:\`: ${cut(name)}`,
    );
  const body = text.trim();
  const about = plain(wordsOf(fields.description) || firstLine(body));
  if (about === '') return refused('it has no description');
  const problems = [
    ...(given !== '' && given !== name
      ? [`its name ${cut(given)} cannot be typed, so it is ${name}`]
      : []),
    ...(about.length > MOST_DESCRIPTION
      ? [`its description is longer than ${MOST_DESCRIPTION} characters, and is cut`]
      : []),
  ];
  const description =
    about.length > MOST_DESCRIPTION ? `${about.slice(0, MOST_DESCRIPTION - 1)}…` : about;
  const hint = plain(wordsOf(fields['argument-hint'])).slice(0, MOST_NAME);
  return {
    kind: 'skill',
    skill: {
      ...{ name, description, text: body },
      ...(hint !== '' && { hint }),
      isForModel: String(fields['disable-model-invocation']) !== 'true',
      isForPerson: String(fields['user-invocable']) !== 'false',
    },
    ...(problems.length > 0 && { problem: problems.join('; ') }),
  };
}

const isTypable = (name: string): boolean => NAME.test(name);

const wordsOf = (value: unknown): string =>
  typeof value === 'number' ? String(value) : textOf(value).trim();

const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim();

/** The first line that says something, where nothing else tells what a file is about. */
const firstLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^#+\s*/, '').trim())
    .find((line) => line !== '') ?? '';

const cut = (text: string): string => shown(text.length > 100 ? `${text.slice(0, 100)}…` : text);

/** The fields of a front matter; undefined where it is something else. */
function fieldsIn(front: string): Readonly<Record<string, unknown>> | undefined {
  if (front.trim() === '') return {};
  try {
    const values: unknown = parse(front, { maxAliasCount: 0, logLevel: 'error' });
    return isRecord(values) ? values : undefined;
  } catch {
    // `description: Use this when: …` is no YAML, and is what people write.
    const lines = front.matchAll(/^([A-Za-z][\w-]*):[ \t]*(.*)$/gm);
    const fields = Object.fromEntries(
      [...lines].map(([, name = '', value = '']) => [
        name,
        value.replace(/^(["'])(.*)\1\s*$/, '$2'),
      ]),
    );
    return Object.keys(fields).length === 0 ? undefined : fields;
  }
}
