import { reportText } from '@varve/dream';
import type { Command } from './command.ts';

export const dreamCommand: Command = {
  name: 'dream',
  hint: '[again | stop | undo | waiting | apply <step …>]',
  about: 'tidy what is remembered now, with one patch that can be taken back',
  asksModel: true,
  async run({ words, session, face, signal }) {
    const { dream } = session.layers;
    if (dream === undefined) return face.show('There is no memory in this session.', 'note');
    const [verb, ...rest] = words.split(/\s+/);
    switch (verb) {
      case '':
      case 'again': {
        face.working('tidying memory');
        const isForced = verb === 'again';
        const result = await dream.dreamNow({ sessionId: session.id, isForced, signal });
        if (result.kind === 'completed') return face.show(reportText(result.report), 'plain');
        const why = result.kind === 'killed' ? 'stopped' : result.reason;
        const more = why === 'nothing-new' ? ' /dream again looks all the same.' : '';
        return face.show(`Memory is as it was: ${why}.${more}`, 'note');
      }
      case 'stop':
        dream.kill();
        return face.show('Stopped; memory is as it was.', 'note');
      case 'undo': {
        const undone = await dream.undo();
        if (undone.kind === 'undone') return face.show('Memory is as it was before.', 'note');
        const why = undone.kind === 'none' ? undone.reason : 'files were changed since';
        return face.show(`Nothing was taken back: ${why}.`, 'warning');
      }
      case 'waiting': {
        const { steps } = await dream.waiting({ signal });
        const lines = steps.map((step) => `  ${step.id}  ${step.kind}  ${step.reason}`);
        const text = lines.length === 0 ? 'Nothing waits.' : lines.join('\n');
        return face.show(text, 'plain');
      }
      case 'apply': {
        const { patch } = await dream.waiting({ signal });
        const unknown = rest.find((id) => patch.steps.every((step) => step.id !== id));
        if (rest.length === 0 || unknown !== undefined)
          return face.show(
            `No step ${unknown ?? 'is named'}: /dream waiting has their ids.`,
            'warning',
          );
        const done = await dream.apply(patch, { only: rest, signal });
        const text =
          done.kind === 'applied' ? `Done: ${done.paths.join(', ')}` : 'Nothing applied.';
        return face.show(text, 'note');
      }
      default:
        return face.show('/dream, or with again, stop, undo, waiting or apply.', 'warning');
    }
  },
};
