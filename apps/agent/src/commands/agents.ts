import { oneLine } from '../ui/clean.ts';
import { count, seconds } from '../ui/describe.ts';
import type { Command } from './command.ts';

export const agentsCommand: Command = {
  name: 'agents',
  about: 'the kinds of agents there are; reads their files again',
  async run({ session, face }) {
    const { definitions, problems } = session.agents.refresh();
    const lines = definitions.map(
      ({ name, description, source, model }) =>
        `${name.padEnd(16)} ${source}${model === undefined ? '' : `, ${model}`}: ${oneLine(description)}`,
    );
    face.show(lines.join('\n'), 'plain');
    for (const { path, text } of problems)
      face.show(`${oneLine(path)}: ${oneLine(text)}`, 'warning');
  },
};

export const tasksCommand: Command = {
  name: 'tasks',
  hint: '[id | stop <id>]',
  about: 'agents and background commands of this session, what one does, or its end',
  async run({ words, session, face }) {
    const { tasks } = session.agents;
    const [first = '', second = ''] = words.split(/\s+/);
    const id = first === 'stop' ? second : first;
    if (id !== '' && tasks.find(id) === undefined)
      return face.show(`There is no task ${oneLine(id)}.`, 'warning');
    if (first === 'stop') {
      const isStopped = id !== '' && tasks.stop(id);
      if (isStopped) await tasks.ended(id);
      const { kind, owner, what } = tasks.find(id) ?? {};
      if (isStopped && kind === 'shell' && owner !== undefined)
        tasks.tell(
          owner,
          `The person stopped the background command ${id} (${what}). TaskOutput gives what it had printed.`,
        );
      return face.show(isStopped ? `${id} was stopped.` : 'It is not running.', 'note');
    }
    const all = tasks.list().filter((task) => id === '' || task.id === id);
    if (all.length === 0) return face.show('Nothing was started in this session.', 'note');
    const lines = all.map(({ state, startedMs, what, progress, isBackground, ...task }) => {
      const took = state === 'running' ? ` for ${seconds(Date.now() - startedMs)}` : '';
      const where = isBackground ? ', in the background' : '';
      return `${task.id.padEnd(14)} ${state}${took}${where}: ${oneLine(what)}${progress === '' ? '' : ` ▸ ${oneLine(progress)}`}`;
    });
    face.show(lines.join('\n'), 'plain');
    if (id !== '') face.show(session.agents.shown(id), 'plain');
    else
      face.show(
        `${count(all.length, 'task')}; /tasks <id> shows one, /tasks stop <id> ends it`,
        'note',
      );
  },
};
