import { blocksOf, field, type MessageLike } from './like.ts';
import { isPersonBlock, isSummary, splitInjected } from './persons.ts';
import { toWellFormed } from './well-formed.ts';

/**
 * What the message that stands for a stretch of a conversation says of requests the person stopped, so that none is lost and
 * none is taken up again; undefined where there are none. `replaced` is the stretch, `stopped` positions in it. What an
 * earlier summary in the stretch says of them is carried over. At most 20 requests, the newest, each on one line: at most
 * 2,000 characters, and 300 once it is carried over.
 */
export function stoppedSection(
  replaced: readonly MessageLike[],
  stopped: readonly number[],
): string | undefined {
  const earlier = replaced.filter(isSummary).flatMap(carriedLines);
  const now = stopped.flatMap((index) => {
    const message = replaced[index];
    return message === undefined ? [] : lineOf(message);
  });
  const lines = [...new Set([...earlier, ...now])].slice(-MAX_REQUESTS);
  if (lines.length === 0) return undefined;
  return [STOPPED, OPENED, ...lines.map((line) => `- ${line}`), CLOSED].join('\n');
}

const STOPPED =
  'The user stopped the work on these requests before they were done. They are not being worked on: what the user said later says whether and how any of them goes on.';
const OPENED = '<stopped-requests>';
const CLOSED = '</stopped-requests>';
const MAX_REQUESTS = 20;
const MAX_UNITS = 2_000;
const MAX_CARRIED_UNITS = 300;

function lineOf(message: MessageLike): string {
  const parts = blocksOf(message)
    .filter(isPersonBlock)
    .map((block) => {
      const text = field(block, 'text');
      return typeof text === 'string' ? splitInjected(text).own : `[${block.type}]`;
    });
  // no more is read than can be shown, however long the request is
  const start = parts.join(' ').slice(0, 4 * MAX_UNITS);
  const line = start.replaceAll(OPENED, '').replaceAll(CLOSED, '').replace(/\s+/g, ' ').trim();
  return cut(line, MAX_UNITS);
}

const cut = (line: string, most: number): string =>
  line.length > most ? toWellFormed(`${line.slice(0, most - 1)}…`) : line;

function carriedLines(summary: MessageLike): readonly string[] {
  const text = blocksOf(summary)
    .map((block) => field(block, 'text'))
    .filter((each) => typeof each === 'string')
    .join('\n');
  const start = text.lastIndexOf(`${STOPPED}\n${OPENED}\n`);
  if (start === -1) return [];
  const from = start + STOPPED.length + OPENED.length + 2;
  const end = text.indexOf(`\n${CLOSED}`, from);
  if (end === -1) return [];
  const inner = text.slice(from, end);
  return inner.split('\n').map((line) => cut(line.replace(/^- /, ''), MAX_CARRIED_UNITS));
}
