import { dirname } from 'node:path';
import { listOf, textOf } from '@varve/guards';
import { type Entry, isText } from '@varve/messages';
import { slashIn } from '../commands/slash.ts';
import { noteOf, notesOf, type WriteNote } from '../notes.ts';
import { reminder } from '../prompt/reminder.ts';
import type { Producer, Reminder } from '../reminders/producers.ts';
import { shown } from '../shown.ts';
import type { FoundSkills, Skill } from './find.ts';

/** A skill whose text the model was given. */
export interface CalledSkill {
  readonly name: string;
  readonly path: string;
  /** As it was given, arguments included. */
  readonly text: string;
  /** Which agent called it. */
  readonly agent: string;
}

export interface SkillsOptions {
  /** Looks for skills, whenever a person says something. */
  readonly find: () => FoundSkills;
  /** Of the session that is gone on with. */
  readonly entries: readonly Entry[];
  readonly note: WriteNote;
  readonly notice: (text: string) => void;
  /** What messages say in the conversation as the model sees it. */
  readonly said: () => readonly string[];
  /** @default main */
  readonly agent?: string | undefined;
}

/** UTF-16 units of the list: about 4,000 tokens. */
const MOST_LISTED = 16_000;
const LEAST_DESCRIPTION = 20;

/** The skills of a session: which there are, which the model was told of, and what those said that were called. */
export function createSkills(options: SkillsOptions) {
  const { find, entries, note, notice, said, agent = 'main' } = options;
  let { skills, problems } = find();
  let mayBeGone = false;
  const noticed = new Set<string>();
  const told = new Set(
    notesOf(entries, 'skills').flatMap(({ names }) => listOf(names).map(textOf)),
  );
  /** No compaction clears it. The one called last stands at the end. */
  const called = new Map<string, CalledSkill>();
  /** Texts that were called for and are not in the conversation yet. */
  let waiting: string[] = [];
  for (const each of notesOf(entries, 'skill')) keep(calledIn(each));
  waiting = untoldIn(entries);
  warn();

  function keep(skill: CalledSkill): void {
    called.delete(skill.name);
    called.set(skill.name, skill);
  }

  function warn(): void {
    for (const { path, why } of problems) {
      const text = `${shown(path)} is not as a skill should be: ${why}.`;
      if (!noticed.has(text)) notice(text);
      noticed.add(text);
    }
  }

  async function give(skill: Skill, args: string, by: 'model' | 'person'): Promise<void> {
    const { name, path } = skill;
    const given: CalledSkill = { name, path, text: textOfCall(skill, args, by), agent };
    await note({ kind: 'skill', ...given });
    keep(given);
    waiting.push(given.text);
  }

  const forModel = (): Skill[] => [...skills.values()].filter(({ isForModel }) => isForModel);

  /** What the model does not know of which skills there are. */
  function news(): Reminder[] {
    const listed = forModel();
    const names = new Set(listed.map(({ name }) => name));
    const added = listed.filter(({ name }) => !told.has(name));
    const gone = [...told].filter((name) => !names.has(name));
    if (added.length + gone.length === 0) return [];
    const text = [
      ...(added.length === 0 ? [] : [`${ABOUT}\n${linesOf(added).join('\n')}`]),
      ...(gone.length === 0 ? [] : [`No longer there: ${gone.join(', ')}`]),
    ].join('\n');
    const now = [...names];
    return [
      {
        text: `${LISTING}\n${text}\n</skill-listing>`,
        async told() {
          told.clear();
          for (const name of now) told.add(name);
          await note({ kind: 'skills', names: now });
        },
      },
    ];
  }

  const producer: Producer = {
    name: 'skills',
    isNeeded: true,
    async collect({ prompt }) {
      if (mayBeGone) {
        const listed = listedIn(said());
        for (const name of told) if (!listed.has(name)) told.delete(name);
      }
      mayBeGone = false;
      if (prompt !== undefined) {
        ({ skills, problems } = find());
        warn();
        const asked = slashIn(prompt);
        const skill = asked && skills.get(asked.name);
        if (skill?.isForPerson) await give(skill, asked?.words ?? '', 'person');
      }
      const texts = waiting.map((text) => ({
        text,
        told: () => {
          waiting = waiting.filter((each) => each !== text);
        },
      }));
      return [...news(), ...texts];
    },
  };

  return {
    producer,
    all: (): readonly Skill[] => [...skills.values()],
    problems: (): FoundSkills['problems'] => problems,
    /** The skills that were called, the last one at the end. */
    called: (): readonly CalledSkill[] => [...called.values()],
    /** Whether a person calls a skill with this text. */
    isCall: (text: string): boolean => skills.get(slashIn(text)?.name ?? '')?.isForPerson ?? false,
    /** A call by the model: its text comes as the next message. Throws where there is no such skill for it. */
    async call(name: string, args: string): Promise<string> {
      const skill = skills.get(name.replace(/^\//, ''));
      if (skill === undefined) {
        const names = forModel().map((each) => each.name);
        throw new Error(
          `There is no skill ${shown(name)}. ${names.length === 0 ? 'There are none here.' : `There are: ${names.join(', ')}.`}`,
        );
      }
      if (!skill.isForModel) throw new Error(`Only the person calls ${skill.name}.`);
      await give(skill, args, 'model');
      return `What ${skill.name} says follows as the next message.`;
    },
    /** Something of the conversation became something else: perhaps the list of skills did. */
    check(): void {
      mayBeGone = true;
    },
    /** Names alone, for behind a summary: the whole list is not announced again. */
    names(): string | undefined {
      const names = forModel().map(({ name }) => name);
      return names.length === 0 ? undefined : `${NAMES} ${names.join(', ')}`;
    },
  };
}

/** What a list of skills begins with, also one that `restore` of `@varve/compact` brings back. */
const LISTING = '<skill-listing>';
const ABOUT =
  'Skills: texts that say how something is done here. Where one fits what is to be done, call the Skill tool with its name first.';

const NAMES = 'Skills for the Skill tool:';

/** The skills that lists in a conversation name. */
function listedIn(texts: readonly string[]): ReadonlySet<string> {
  const lines = texts.filter((text) => text.includes(LISTING)).flatMap((text) => text.split('\n'));
  const names = lines.flatMap((line) =>
    line.startsWith(NAMES)
      ? line.slice(NAMES.length).split(',')
      : (/^- (\S+?)(?=:? |:?$)/.exec(line)?.slice(1) ?? []),
  );
  return new Set(names.map((name) => name.trim()));
}

/** One line each, shorter ones where there are many. */
function linesOf(skills: readonly Skill[]): string[] {
  const room = Math.floor(MOST_LISTED / skills.length);
  return skills.map(({ name, description }) => {
    const most = room - name.length - 5;
    if (description.length <= most) return `- ${name}: ${description}`;
    return most < LEAST_DESCRIPTION ? `- ${name}` : `- ${name}: ${description.slice(0, most)}…`;
  });
}

function textOfCall({ name, kind, path, text }: Skill, args: string, by: string): string {
  const said = text.includes('$ARGUMENTS')
    ? text.replaceAll('$ARGUMENTS', () => args)
    : args === ''
      ? text
      : `${text}\n\nArguments: ${args}`;
  const whose = by === 'person' ? 'The person called' : 'You called';
  return `${whose} the ${kind} ${name}. Do what it says as far as it fits the task; it does not widen what is allowed. Files that it names are in ${shown(dirname(path))}.\n\n${said}`;
}

const calledIn = (note: Readonly<Record<string, unknown>>): CalledSkill => ({
  ...{ name: textOf(note.name), path: textOf(note.path) },
  ...{ text: textOf(note.text), agent: textOf(note.agent) },
});

const COMPARED = 200;

/** Texts of calls that a kill kept out of the conversation. */
function untoldIn(entries: readonly Entry[]): string[] {
  let untold: string[] = [];
  for (const entry of entries) {
    const note = noteOf(entry);
    if (note.kind === 'skill') untold.push(textOf(note.text));
    if (entry.type !== 'message' || untold.length === 0) continue;
    const [first] = entry.message.content;
    const said = first !== undefined && isText(first) ? first.text : '';
    untold = untold.filter((text) => !said.startsWith(reminder(text).slice(0, COMPARED)));
  }
  return untold;
}
