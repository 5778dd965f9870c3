import { isRecord, listOf, textOf } from '@varve/guards';
import { ageOf, parseText } from '@varve/memdir/files';
import type { JsonObject, Tool } from '@varve/messages';
import { shorten } from './checks/check-change.ts';
import { type Draft, type Proposal, type Proposed, REMOVAL_REASONS } from './draft.ts';
import type { SourcedQuote } from './patch.ts';
import type { ToolCall, ToolOutcome, ToolPermission } from './run-fork.ts';
import type { Snapshot } from './snapshot.ts';
import type { InstructionFile, Sources } from './sources.ts';

/** What a child may do, with what it says of itself: the prompt, the list and the gate are made of this one table. */
export interface DreamTools {
  readonly list: readonly Tool[];
  readonly gate: (call: ToolCall) => ToolPermission;
  readonly run: (call: ToolCall) => Promise<ToolOutcome>;
}

export interface ToolsInput {
  readonly draft: Draft;
  readonly snapshot: Snapshot;
  readonly instructions?: readonly InstructionFile[] | undefined;
  readonly sources: Sources;
  readonly sessionIds: readonly string[];
  readonly nowMs: number;
  /** Told of every proposal. */
  readonly onProposed: (call: ToolCall, proposed: Proposed) => void;
}

interface Entry {
  readonly description: string;
  readonly properties: JsonObject;
  readonly required: readonly string[];
  run(
    input: Readonly<Record<string, unknown>>,
    parts: ToolsInput,
  ): Promise<ToolOutcome> | ToolOutcome;
}

const text = (description: string): JsonObject => ({ type: 'string', description });
const texts = (description: string): JsonObject => ({
  ...{ type: 'array', items: { type: 'string' }, description },
});
const QUOTES: JsonObject = {
  type: 'array',
  description:
    'What the change rests on: word for word, at most 200 characters each. `source` is the path of a memory, a log or a file of instructions, or the id of a session, of which only what the user said counts.',
  items: {
    type: 'object',
    properties: { source: text('path or session id'), quote: text('word for word') },
    required: ['source', 'quote'],
  },
};
const REMOVES: JsonObject = {
  type: 'array',
  description:
    'Statements that go, each with a quote of it, why, and a quote for that. `out-of-date`: what the user said later about the same, or that it is to be forgotten; of a path that is gone from the repository `source` is `repository` and `by` the path. `said-elsewhere`: the memory that stays and says the same in other words, or the instructions that do. `not-from-the-user`: where an assistant or a tool said it, and the user never did. `no-memory`: where it was said.',
  items: {
    type: 'object',
    properties: {
      quote: text('of the statement that goes'),
      why: { type: 'string', enum: [...REMOVAL_REASONS] },
      source: text('path or session id of what stands in `by`'),
      by: text('word for word'),
    },
    required: ['quote', 'why', 'source', 'by'],
  },
};
const HEADER: JsonObject = {
  name: text('a few words on what it is about'),
  description: text('one line: what it says'),
  type: text('user, feedback, project or reference'),
};

const TABLE: Readonly<Record<string, Entry>> = {
  list_memories: {
    description:
      'Lists the memories: path, type, age, name, description, and whether it may only be read.',
    properties: {},
    required: [],
    run: (_, { draft, snapshot, nowMs }) => {
      const lines = [...draft.files()].map(([path, content]) => {
        const { name = path, description = '', type = 'no type' } = parseText(content).header;
        const known = snapshot.files.get(path);
        const age = ageOf(known?.modifiedMs, nowMs);
        const mark = known?.isProtected === undefined ? '' : ` [read only: ${known.isProtected}]`;
        return `${path} | ${type} | ${age} | ${name} | ${description}${mark}`;
      });
      return done(lines.join('\n') || 'There are no memories.');
    },
  },
  read_memory: {
    description: 'Shows a memory, the log of a day, or a file of instructions, whole.',
    properties: { path: text('as the list has it') },
    required: ['path'],
    async run({ path }, { draft, snapshot, instructions = [], sources }) {
      const others = [...snapshot.logs, ...instructions];
      const found =
        draft.files().get(textOf(path)) ?? others.find((each) => each.path === path)?.text;
      return found === undefined
        ? refused('There is no such file.')
        : done(cut(await sources.hide(found)));
    },
  },
  search_memories: {
    description: 'Lines of memories and logs that hold all of some words.',
    properties: { words: text('words, with blanks between them') },
    required: ['words'],
    async run({ words }, { draft, snapshot, sources }) {
      const files = [
        ...draft.files(),
        ...snapshot.logs.map(({ path, text: log }) => [path, log] as const),
      ];
      const hits: string[] = [];
      for (const [path, content] of files)
        for (const line of linesWith(content, textOf(words)))
          hits.push(`${path}: ${shortLine(await sources.hide(line))}`);
      return done(firstOf(hits));
    },
  },
  search_sessions: {
    description:
      'What the user and the assistant said in past sessions with all of some words. Narrow: for what you suspect already, never to read whole sessions.',
    properties: {
      words: text('words, with blanks between them'),
      session: text('only in the session with this id'),
    },
    required: ['words'],
    async run({ words, session }, { sources, sessionIds }) {
      const wanted = textOf(session) === '' ? sessionIds : [textOf(session)];
      const hits: string[] = [];
      for (const id of wanted) {
        for (const { by, text: said } of (await sources.read(id)) ?? [])
          for (const line of linesWith(said, textOf(words)))
            hits.push(`${id} ${by}: ${shortLine(await sources.hide(line))}`);
        if (hits.length > MOST_HITS) break;
      }
      return done(firstOf(hits));
    },
  },
  merge_memories: {
    description:
      'Puts files together: those of `from` go to the archive, `into` says all that they said. Every name, number, date and path of them has to be in it, else nothing happens to any. `into` may be a new path or one of the list; without a body it stays as it is and has to say it all already.',
    properties: {
      into: text('path'),
      from: texts('paths that go'),
      body: text('the whole text below the header'),
      ...HEADER,
      reason: text('why, in a few words'),
      quotes: {
        ...QUOTES,
        description: `${QUOTES.description} One of each file that goes at least.`,
      },
      removes: REMOVES,
    },
    required: ['into', 'from', 'reason', 'quotes'],
    run: (input, parts) =>
      propose(parts, {
        ...common(input, 'merge'),
        target: targetOf(input, input.into),
        goes: pathsOf(input.from),
      }),
  },
  rewrite_memory: {
    description:
      'Puts a memory right in place: what was said since, absolute dates, a better name or description. What is not out of date stays in it.',
    properties: {
      path: text('path'),
      body: text('the whole text below the header'),
      ...HEADER,
      reason: text('why, in a few words'),
      quotes: QUOTES,
      removes: REMOVES,
    },
    required: ['path', 'body', 'reason', 'quotes'],
    run: (input, parts) =>
      propose(parts, {
        ...common(input, 'rewrite'),
        target: targetOf(input, input.path),
        goes: [],
      }),
  },
  retype_memory: {
    description: 'Gives a memory another type; its text stays.',
    properties: {
      path: text('path'),
      type: HEADER.type as JsonObject,
      reason: text('why, in a few words'),
      quotes: QUOTES,
    },
    required: ['path', 'type', 'reason', 'quotes'],
    run: ({ path, type, reason, quotes }, parts) =>
      propose(parts, {
        ...common({ reason, quotes }, 'retype'),
        target: targetOf({ type }, path),
        goes: [],
      }),
  },
  archive_memory: {
    description:
      'Takes a memory out, none of whose statements is to stay: each goes for a reason in `removes`, or stands in another memory as it is.',
    properties: {
      path: text('path'),
      reason: text('why, in a few words'),
      quotes: QUOTES,
      removes: REMOVES,
    },
    required: ['path', 'reason', 'quotes', 'removes'],
    run: (input, parts) =>
      propose(parts, {
        ...common(input, 'archive'),
        target: undefined,
        goes: pathsOf([input.path]),
      }),
  },
};

const LIST: readonly Tool[] = Object.entries(TABLE).map(
  ([name, { description, properties, required }]) => ({
    ...{ name, description },
    input_schema: { type: 'object', properties, required: [...required] },
  }),
);

export function createTools(parts: ToolsInput): DreamTools {
  const reason = `Only these tools may be used here: ${Object.keys(TABLE).join(', ')}.`;
  return {
    list: LIST,
    gate: ({ name }) => (Object.hasOwn(TABLE, name) ? { allow: true } : { allow: false, reason }),
    async run(call) {
      const entry = Object.hasOwn(TABLE, call.name) ? TABLE[call.name] : undefined;
      if (entry === undefined) return refused(reason);
      const input = isRecord(call.input) ? call.input : {};
      const missing = entry.required.find((key) => input[key] === undefined);
      if (missing !== undefined) return refused(`\`${missing}\` is missing.`);
      return entry.run(input, {
        ...parts,
        onProposed: (_, proposed) => parts.onProposed(call, proposed),
      });
    },
  };
}

const NO_CALL: ToolCall = { id: '', name: '', input: {} };

async function propose(parts: ToolsInput, proposal: Proposal): Promise<ToolOutcome> {
  const proposed = await parts.draft.propose(proposal);
  parts.onProposed(NO_CALL, proposed);
  if (proposed.kind === 'refused') return refused(`${proposed.message} Nothing was changed.`);
  const { files, maxFiles, statements, maxStatements } = parts.draft.room();
  const room = `Gone with nothing in their place: ${files} of ${maxFiles} files, ${statements} of ${maxStatements} statements.`;
  if (proposed.waits === undefined) return done(`Done. ${room}`);
  const noted = `Noted: a person will decide (${proposed.waits}).`;
  const which = proposed.unproven.map((each) => `"${shorten(each)}"`).join(', ');
  return done(
    proposed.waits === 'not-proven'
      ? `${noted} Code does not see ${which === '' ? 'it' : `that ${which} may go`} in these quotes. Once more only for another reason, or with a quote that has the subject and the value of the statement. ${room}`
      : `${noted} Do not propose it again. ${room}`,
  );
}

const common = (input: Readonly<Record<string, unknown>>, kind: Proposal['kind']) => ({
  kind,
  reason: textOf(input.reason).slice(0, MOST_REASON_CHARS),
  quotes: listOf(input.quotes).map(
    (each): SourcedQuote => ({
      source: isRecord(each) ? textOf(each.source) : '',
      quote: isRecord(each) ? textOf(each.quote) : '',
    }),
  ),
  removes: listOf(input.removes).map((each) => ({
    quote: isRecord(each) ? textOf(each.quote) : '',
    why: REMOVAL_REASONS.find((why) => isRecord(each) && each.why === why) ?? 'out-of-date',
    by: {
      source: isRecord(each) ? textOf(each.source) : '',
      quote: isRecord(each) ? textOf(each.by) : '',
    },
  })),
});

const MOST_REASON_CHARS = 200;

const targetOf = (input: Readonly<Record<string, unknown>>, path: unknown) => ({
  path: textOf(path),
  name: given(input.name),
  description: given(input.description),
  type: given(input.type),
  body: given(input.body),
});

const given = (value: unknown): string | undefined =>
  textOf(value).trim() === '' ? undefined : textOf(value);

const pathsOf = (value: unknown): readonly string[] => [...new Set(listOf(value).map(textOf))];

const done = (content: string): ToolOutcome => ({ content, isError: false });
const refused = (content: string): ToolOutcome => ({ content, isError: true });

const MOST_HITS = 20;
const MOST_LINE_CHARS = 300;
const MOST_FILE_CHARS = 16_000;

const cut = (content: string): string =>
  content.length <= MOST_FILE_CHARS
    ? content
    : `${content.slice(0, MOST_FILE_CHARS).toWellFormed()}\n[${content.length - MOST_FILE_CHARS} characters more]`;

function linesWith(content: string, words: string): readonly string[] {
  const wanted = fold(words).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  return content
    .split(/\r\n|\n|\r/)
    .filter((line) => wanted.every((word) => fold(line).includes(word)))
    .map((line) => line.trim());
}

const shortLine = (line: string): string => line.slice(0, MOST_LINE_CHARS).toWellFormed();

const fold = (content: string): string => content.normalize('NFKC').toLowerCase();

function firstOf(hits: readonly string[]): string {
  if (hits.length === 0) return 'Nothing was found.';
  const left = hits.length - MOST_HITS;
  return [...hits.slice(0, MOST_HITS), ...(left > 0 ? [`… ${left} more`] : [])].join('\n');
}
