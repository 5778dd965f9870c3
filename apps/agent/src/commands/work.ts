import type { Todo } from '../events.ts';
import { shown } from '../shown.ts';
import type { Skill } from '../skills/find.ts';
import { MARKS } from '../ui/describe.ts';
import type { Command } from './command.ts';

export const skillsCommand: Command = {
  name: 'skills',
  about: 'skills and commands of files: who calls them, and what was refused',
  async run({ session, face }) {
    const { skills } = session.work;
    const called = new Set(skills.called().map(({ name }) => name));
    const lines = skills.all().map((skill) => skillLine(skill, called.has(skill.name)));
    const refused = skills.problems().map(({ path, why }) => `  ${shown(path)}: ${why}`);
    if (lines.length + refused.length === 0)
      return face.show('There are no skills: .varve/skills/<name>/SKILL.md would be one.', 'note');
    if (lines.length > 0) face.show(lines.join('\n'), 'plain');
    if (refused.length > 0) face.show(`Not as they should be:\n${refused.join('\n')}`, 'warning');
  },
};

function skillLine({ name, hint, level, kind, description, ...who }: Skill, isCalled: boolean) {
  const callers = who.isForModel ? (who.isForPerson ? '' : ', model only') : ', you only';
  const about = description.length > 100 ? `${description.slice(0, 99)}…` : description;
  const used = isCalled ? ', called' : '';
  return `  /${`${name}${hint === undefined ? '' : ` ${hint}`}`.padEnd(28)} ${about} (${level} ${kind}${callers}${used})`;
}

export const todoCommand: Command = {
  name: 'todo',
  about: 'the list that the model keeps of its work',
  async run({ session, face }) {
    const todos = session.work.todos.list();
    if (todos.length === 0) return face.show('There is no list.', 'note');
    face.show(todos.map(todoLine).join('\n'), 'plain');
  },
};

const todoLine = ({ content, status }: Todo): string => `  ${MARKS[status]} ${content}`;

export const planCommand: Command = {
  name: 'plan',
  hint: '[off | what to plan]',
  about: 'plan first: nothing is changed until you approve a plan; shows the last plan',
  async run({ words, session, face, say }) {
    const { plan } = session.work;
    if (words === 'off') {
      plan.set('off');
      return face.show(`Plan mode is off: ${session.permissions.mode}.`, 'note');
    }
    const wasOn = plan.isOn();
    plan.set('on');
    if (words !== '') return say(words);
    const current = plan.current();
    if (current !== undefined)
      face.show(`${current.isApproved ? 'Approved' : 'Proposed'}:\n\n${current.text}`, 'answer');
    face.show(
      `Plan mode ${wasOn ? 'is' : 'is now'} on: say what is to be planned. /plan off leaves it.`,
      'note',
    );
  },
};
