import {
  cutText,
  isPerson,
  isText,
  isToolUse,
  type Message,
  openRequests,
  type ToolUseBlock,
  toolResults,
} from '@varve/messages';
import { callSubject, inputTexts, readCall } from '@varve/messages/tools';
import { stripBlock } from './strip-media.ts';
import { resultText } from './transcript.ts';

/**
 * What of messages that go the user stopped before it was done, as a section of the summary: without it, whoever goes on
 * takes it up again or does not know that it began. Undefined where nothing was stopped.
 */
export function stoppedSection(messages: readonly Message[], end: number): string | undefined {
  const stopped = openRequests(messages).stopped.filter((index) => index < end);
  if (stopped.length === 0) return undefined;
  const shown = stopped.slice(-MOST_STOPPED);
  const more = stopped.length - shown.length;
  const lines = shown.map((index) => lineOf(messages, index));
  if (more > 0) lines.unshift(`- ${more} older requests were stopped as well.`);
  return [STOPPED_HEADING, NOTE, ...lines].join('\n');
}

export const STOPPED_HEADING = '# Stopped before it was done';

const NOTE = 'None of this is being worked on; it is taken up again only if the user asks for it.';

/** The newest ones; what was stopped long ago matters less. */
const MOST_STOPPED = 10;
/** UTF-16 units of a request, of what a call is about and of its result. */
const REQUEST_UNITS = 400;
const SUBJECT_UNITS = 200;
const RESULT_UNITS = 160;
/** The last calls before the stop. */
const MOST_CALLS = 3;

function lineOf(messages: readonly Message[], index: number): string {
  const said = messages[index]?.content.filter(isText).map(({ text }) => text) ?? [];
  const words = oneLine(said.join(' '), REQUEST_UNITS) || 'a request without text';
  const next = messages.findIndex((message, at) => at > index && isPerson(message));
  const work = messages.slice(index + 1, next < 0 ? messages.length : next);
  const results = new Map(
    work.flatMap(toolResults).map((result) => [result.tool_use_id, resultText(stripBlock(result))]),
  );
  const calls = work.flatMap(({ content }) => content.filter(isToolUse)).slice(-MOST_CALLS);
  const done = calls.map(
    (call) =>
      `  - ${callText(call)}: ${oneLine(results.get(call.id) ?? 'no result', RESULT_UNITS)}`,
  );
  return [`- stopped: "${words}"${calls.length > 0 ? '; the last calls:' : ''}`, ...done].join(
    '\n',
  );
}

/** A call in the words a person saw of it; names of fields and the escapes of JSON stand in no session. */
function callText(use: ToolUseBlock): string {
  const about = callSubject(readCall(use)) || inputTexts(use.input).join(' ');
  return oneLine(`${use.name} ${about}`, SUBJECT_UNITS);
}

function oneLine(text: string, units: number): string {
  const line = cutText(text, units * 2)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= units ? line : `${cutText(line, units)}…`;
}
