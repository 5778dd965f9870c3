import type { Command } from './command.ts';

export const summaryCommand: Command = {
  name: 'summary',
  about: 'take notes of the session now; they stand in for a summary where notes are on',
  asksModel: true,
  async run({ session, face, signal }) {
    const { notes, notesPath } = session.layers;
    face.working('taking notes');
    const contextTokens = session.agent.context.size().tokens;
    const result = await notes.extractNow({ contextTokens, signal });
    if (result.kind === 'extracted') {
      face.show(result.notes, 'answer');
      return face.show(`These notes are in ${notesPath}`, 'note');
    }
    face.show(`No notes were taken: ${result.reason}.`, 'warning');
  },
};
