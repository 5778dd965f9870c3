import { cutText } from './cut-text.ts';
import { isMedia, isText, isToolResult, isToolUse } from './guards.ts';
import { type BlockLike, blocksOf, field, type MessageLike } from './like.ts';
import { openRequests } from './open-requests.ts';
import { callSubject, inputTexts } from './tools/call-subject.ts';
import { readCall } from './tools/read-call.ts';
import type { Block, ToolResultBlock, ToolUseBlock } from './types.ts';
import { isPerson, isPersonBlock, isSummary, splitInjected } from './who-said.ts';

export interface StoppedSectionOptions {
  /** Applied to each text before it is cut, to take secrets out. @default none */
  readonly clean?: ((text: string) => string) | undefined;
}

/**
 * What the message that stands for `messages` before `end` says of requests there that the person stopped, so that none is
 * lost and none is taken up again; undefined where there are none. Each is quoted, with its last three calls and what came of
 * them, because they may have had effects. What earlier summaries among the messages say is carried over. At most 20
 * requests, the newest, and about 16,000 characters; of a request 2,000, and 300 once it is carried over.
 */
export function stoppedSection(
  messages: readonly MessageLike[],
  end: number,
  { clean = (text) => text }: StoppedSectionOptions = {},
): string | undefined {
  const { stopped } = openRequests(messages);
  const earlier = messages.slice(0, end).filter(isSummary).map(carried);
  const now = stopped.filter((index) => index < end);
  const before = earlier.reduce((sum, { older }) => sum + older, 0);
  const known = earlier.flatMap(({ requests }) => requests);
  const quoted = now
    .slice(-MAX_REQUESTS)
    .map((index) => requestAt(messages, index, (text, units) => shorten(text, units, clean)));
  const all = [...new Set([...known, ...quoted])];
  const shown = newest(all);
  const older = before + all.length - shown.length + Math.max(0, now.length - MAX_REQUESTS);
  if (shown.length === 0) return undefined;
  const lines = older > 0 ? [`- ${older}${OLDER}`, ...shown] : shown;
  return [`${HEAD}${lines.join('\n')}`, CLOSED].join('\n');
}

/** A summary's text without such sections. */
export function withoutStoppedSection(text: string): string {
  const [first = '', ...others] = text.split(HEAD);
  const rest = others.map((part) => {
    const [, ...behind] = part.split(CLOSED);
    return part.includes(CLOSED) ? behind.join(CLOSED) : HEAD + part;
  });
  return [first, ...rest].join('');
}

const OPENED = '<stopped-requests>';
const CLOSED = '</stopped-requests>';
const HEAD = `# Stopped before it was done
The user stopped the work on these requests before they were done. They are not being worked on: what the user said later says whether and how any of them goes on.
${OPENED}
`;
const OLDER = ' older requests were stopped as well.';
const QUOTE = /^- stopped: "(.*)"(; the last calls:)?$/;

const MAX_REQUESTS = 20;
/** UTF-16 units of all requests, several times as many as one can have. */
const MAX_UNITS = 16_000;
/** UTF-16 units of a request, of one that is carried over, of what a call is about and of its result. */
const REQUEST_UNITS = 2_000;
const CARRIED_UNITS = 300;
const SUBJECT_UNITS = 200;
const RESULT_UNITS = 160;
const CALL_FRAME = '  - : '.length;
/** The last calls before the stop. */
const MOST_CALLS = 3;

/** The newest requests within the limits. */
function newest(requests: readonly string[]): readonly string[] {
  let units = 0;
  const last = requests.slice(-MAX_REQUESTS);
  const start = last.findLastIndex((request) => {
    units += request.length;
    return units > MAX_UNITS;
  });
  return last.slice(start + 1);
}

type Shorten = (text: string, units: number) => string;

function requestAt(messages: readonly MessageLike[], index: number, short: Shorten): string {
  const request = messages[index] as MessageLike;
  const said = blocksOf(request).filter(isPersonBlock).map(ownText).join(' ');
  const after = messages.slice(index + 1);
  const next = after.findIndex(isPerson);
  const work = after
    .slice(0, next < 0 ? after.length : next)
    .flatMap((message) => blocksOf(message) as readonly Block[]);
  const results = new Map(
    work.filter(isToolResult).map((result) => [result.tool_use_id, shownText(result)]),
  );
  const calls = work.filter(isToolUse).slice(-MOST_CALLS);
  const done = calls.map((call) => {
    const result = results.get(call.id) ?? 'no result';
    return `  - ${short(callText(call), SUBJECT_UNITS)}: ${short(result, RESULT_UNITS)}`;
  });
  return [quote(short(said, REQUEST_UNITS), done.length > 0), ...done].join('\n');
}

const quote = (words: string, hasCalls: boolean): string =>
  `- stopped: "${words || 'a request without text'}"${hasCalls ? '; the last calls:' : ''}`;

function ownText(block: BlockLike): string {
  const text = field(block, 'text');
  return typeof text === 'string' ? splitInjected(text).own : `[${block.type}]`;
}

/** A call in the words a person saw of it; names of fields and the escapes of JSON stand in no session. */
function callText(call: ToolUseBlock): string {
  const about = callSubject(readCall(call)) || inputTexts(call.input).join(' ');
  return `${call.name} ${about}`;
}

function shownText(result: ToolResultBlock): string {
  const blocks = blocksOf({ role: 'user', content: result.content ?? [] }) as readonly Block[];
  return blocks
    .map((block) => {
      if (isText(block)) return block.text;
      return isMedia(block) ? `[${block.type} was here]` : '';
    })
    .join('\n');
}

/** No more is read than can be shown, or a secret can have, however long a text is. */
const MOST_READ = 8_000;

function shorten(text: string, units: number, clean: (text: string) => string): string {
  const read = clean(text.slice(0, MOST_READ));
  const line = read.replaceAll(OPENED, '').replaceAll(CLOSED, '').replace(/\s+/g, ' ').trim();
  return cut(line, units);
}

const cut = (line: string, most: number): string =>
  line.length > most ? `${cutText(line, most - 1)}…` : line;

interface Carried {
  readonly requests: readonly string[];
  /** Requests that were not shown any more. */
  readonly older: number;
}

function carried(summary: MessageLike): Carried {
  const text = blocksOf(summary)
    .map((block) => field(block, 'text'))
    .filter((each) => typeof each === 'string')
    .join('\n');
  const start = text.lastIndexOf(HEAD);
  const from = start + HEAD.length;
  const end = start === -1 ? -1 : text.indexOf(`\n${CLOSED}`, from);
  if (end === -1) return { requests: [], older: 0 };
  const requests: string[] = [];
  let older = 0;
  let calls = MOST_CALLS;
  for (const line of text.slice(from, end).split('\n')) {
    const [, words, hasCalls] = QUOTE.exec(line) ?? [];
    if (words !== undefined) {
      requests.push(quote(cut(words, CARRIED_UNITS), hasCalls !== undefined));
      calls = 0;
    } else if (line.endsWith(OLDER)) older += Number.parseInt(line.slice(2), 10) || 0;
    else if (calls < MOST_CALLS) {
      calls += 1;
      requests.push(`${requests.pop()}\n${cut(line, SUBJECT_UNITS + RESULT_UNITS + CALL_FRAME)}`);
    }
  }
  return { requests, older };
}
