import { recordOf, textOf } from '@varve/guards';
import { isToolResult, isToolUse, type ViewMessage } from '@varve/messages';
import { logOf } from '@varve/messages/log';
import { isPerson } from '@varve/messages/persons';
import { EDITORS } from '../permissions/rules.ts';
import { saidIn } from '../said.ts';
import { listSessions, sessionFolder } from '../session.ts';
import { changedAt, describeSessions } from '../session-list.ts';
import { oneLine } from '../ui/clean.ts';
import { showMessages } from '../ui/follow.ts';
import type { Command } from './command.ts';

export const clearCommand: Command = {
  name: 'clear',
  about: 'begin a new session; the old one stays and can be resumed',
  run: ({ open }) => open({}),
};

export const forkCommand: Command = {
  name: 'fork',
  about: 'go on in a copy of this session',
  run: ({ open, session }) => open({ resume: session.id, fork: true }),
};

export const resumeCommand: Command = {
  name: 'resume',
  hint: '[id]',
  about: 'go on with an earlier session of this folder',
  async run({ words, face, options, cwd, session, open }) {
    const ids = await listSessions(sessionFolder({ configDir: options.configDir, cwd }));
    const others = ids.filter((id) => id !== session.id);
    if (words !== '') {
      if (others.includes(words)) return open({ resume: words });
      return face.show(`There is no other session ${words} of this folder.`, 'warning');
    }
    if (others.length === 0) return face.show('There is no other session of this folder.', 'note');
    const { sessions } = await describeSessions(options.configDir, { cwd, from: 0 });
    const choices = sessions
      .filter(({ sessionId }) => others.includes(sessionId))
      .map((each) => ({
        ...{ value: each.sessionId, label: each.title },
        about: changedAt(each),
      }));
    const id = await face.choose('Go on with which session? The newest is first.', choices);
    if (id !== undefined) await open({ resume: id });
  },
};

export const undoCommand: Command = {
  name: 'undo',
  about: 'take back the last edit of a layer: a compaction, a clearing, a rewind',
  async run({ session, face }) {
    const { context } = session.agent;
    const { isLive } = logOf(context.view());
    const edits = context.entries().flatMap((entry) => (entry.type === 'edit' ? [entry] : []));
    const last = edits.findLast(({ id, edit }) => edit.kind !== 'undo' && isLive(id));
    if (last === undefined) return face.show('There is no edit to take back.', 'note');
    await context.undo(last.id, { by: 'undo' });
    const what = last.by === last.reason ? last.by : `${last.by}, ${last.reason}`;
    face.show(`Taken back: ${what}.`, 'note');
  },
};

export const transcriptCommand: Command = {
  name: 'transcript',
  about: 'all that was said from the beginning, summarised or not',
  async run({ session, face }) {
    const entries = session.agent.context.entries();
    showMessages(
      face,
      entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])),
    );
  },
};

export const rewindCommand: Command = {
  name: 'rewind',
  hint: '[count]',
  about: 'go back to before one of your messages; files stay as they are',
  async run({ words, session, face }) {
    const { context } = session.agent;
    const { messages } = context.view();
    const logged = new Set(
      context.entries().flatMap((entry) => (entry.type === 'message' ? [entry.message.id] : [])),
    );
    // what a compaction kept is a copy of its own: it comes back whole, or not at all
    const said = messages.filter(isOwn).filter(({ sources }) => logged.has(sources[0] as string));
    if (said.length === 0) return face.show(NOTHING_TO_REWIND, 'note');
    const choices = said
      .map((message) => ({
        ...{ value: message.id, label: oneLine(saidIn(message)) },
        about: leftChanged(messages.slice(messages.indexOf(message))),
      }))
      .reverse();
    const id =
      words === '' ? await face.choose(REWIND_TITLE, choices) : choices[Number(words) - 1]?.value;
    const target = said.find((message) => message.id === id);
    if (target === undefined) {
      if (words !== '') face.show(`/rewind takes a number from 1 to ${said.length}.`, 'warning');
      return;
    }
    const last = messages.at(-1) as ViewMessage;
    const [fromId, toId] = [target.sources[0] as string, last.sources.at(-1) as string];
    await context.edit([{ kind: 'replace-span', fromId, toId, with: [], then: [] }], {
      by: 'rewind',
      reason: 'rewind',
    });
    face.setInput([saidIn(target)]);
    face.show('Gone back. Files stay as they are now; /undo takes it back.', 'note');
  },
};

const NOTHING_TO_REWIND =
  'There is nothing to go back to. What stands in a summary comes back with /undo first.';
const REWIND_TITLE = 'Go back to before which message? Files stay as they are. The last is first.';

/** Which files were edited in some messages, for a person who takes these back and not the edits. */
function leftChanged(messages: readonly ViewMessage[]): string | undefined {
  const blocks = messages.flatMap(({ content }) => content);
  const failed = new Set(
    blocks.flatMap((block) => (isToolResult(block) && block.is_error ? [block.tool_use_id] : [])),
  );
  const edits = blocks.flatMap((block) =>
    isToolUse(block) && EDITORS.has(block.name) && !failed.has(block.id) ? [block.input] : [],
  );
  const paths = new Set(
    edits
      .map((input) => recordOf(input))
      .map((fields) => textOf(fields.file_path) || textOf(fields.notebook_path)),
  );
  return paths.size === 0 ? undefined : `stays changed: ${[...paths].join(', ')}`;
}

/** Whether a message is of the person, and has words of theirs. */
const isOwn = (message: ViewMessage): boolean => isPerson(message) && saidIn(message) !== '';
