import type { MemoryFile } from '@varve/memdir';
import type { ProjectMemory } from '../memory/memory.ts';
import { clean } from '../ui/clean.ts';
import { count } from '../ui/describe.ts';
import type { Command, CommandRun } from './command.ts';

export const memoryCommand: Command = {
  name: 'memory',
  hint: '[undo | forget <file> | accept <file> | discard <file>]',
  about: 'what is remembered of this project, and what waits for your word',
  async run({ words, session, face, signal }) {
    const { memory: project, switches } = session.layers;
    if (project === undefined) return face.show('There is no memory in this session.', 'note');
    const [verb = '', ...rest] = words.split(' ');
    const path = rest.join(' ').trim();
    const { memory } = project;
    switch (verb) {
      case '':
        return face.show(await overview(project, switches, signal), 'plain');
      case 'undo': {
        const undone = await memory.undo({ signal });
        if (undone.kind === 'undone') return face.show('Taken back.', 'note');
        const why = undone.kind === 'none' ? undone.reason : `changed since: ${undone.paths}`;
        return face.show(`Nothing was taken back: ${why}.`, 'warning');
      }
      case 'forget': {
        const forgotten = await memory.forget(path, { reason: 'the person said so', signal });
        return answer(face, forgotten, 'Forgotten');
      }
      case 'accept':
        return answer(face, await memory.accept(path, { signal }), 'Saved');
      case 'discard':
        return answer(face, await memory.discard(path, { signal }), 'Discarded');
      default:
        return face.show('/memory, or with undo, forget, accept or discard.', 'warning');
    }
  },
};

type Done = {
  readonly kind: string;
  readonly path?: string | undefined;
  readonly message?: string;
};

const DONE = new Set(['forgotten', 'saved', 'unchanged', 'discarded']);

function answer(face: CommandRun['face'], done: Done, word: string): void {
  const { kind, path = '', message = `there is none of this name (${kind})` } = done;
  if (DONE.has(kind)) face.show(`${word}. ${path} /memory undo takes it back.`, 'note');
  else face.show(`Nothing was done: ${message}`, 'warning');
}

async function overview(
  { memory, path, model, isOn }: ProjectMemory,
  switches: CommandRun['session']['layers']['switches'],
  signal: AbortSignal,
): Promise<string> {
  const [{ files, leftOut }, waiting] = await Promise.all([
    memory.scan({ signal }),
    memory.inbox({ signal }),
  ]);
  const state = isOn ? count(files.length, 'file') : 'switched off';
  const passes = [
    switches['memory.extract'] ? `extraction by ${model}` : 'no extraction',
    switches.dream ? `dreams by ${model}` : 'no dreams by themselves',
  ];
  return [
    `Memory of this project: ${state}; ${passes.join(', ')}`,
    path,
    ...files.map(lineOf),
    ...(leftOut > 0 ? [`  … ${leftOut} more`] : []),
    ...(waiting.length === 0 ? [] : ['Waiting for your word (accept or discard):']),
    ...waiting.map(lineOf),
  ].join('\n');
}

const lineOf = ({ path, type, description, name }: MemoryFile): string =>
  `  ${(type ?? '?').padEnd(10)} ${path}  ${clean(description || name)}`;
