import { isRecord, untilAborted, withinTime } from '@varve/guards';
import type { Memdir } from '@varve/memdir';
import type { createExtraction } from '@varve/memdir/extract';
import { memoryRules, memoryStart } from '@varve/memdir/rules';
import {
  type Block,
  type Entry,
  isText,
  type Message,
  type TextBlock,
  toolUses,
} from '@varve/messages';
import { isPerson, personBlocks } from '@varve/messages/persons';
import type { Tell } from './event.ts';
import type { HeadChange } from './head.ts';
import type { Keeper } from './keeper.ts';
import type { CallOptions, ContextOptions, UserOptions } from './options.ts';
import type { AddedUsage } from './usage.ts';

type Extraction = ReturnType<typeof createExtraction>;

type ExtractionOptions = Parameters<typeof createExtraction>[0];

type RecallOptions = NonNullable<Parameters<Memdir['startRecall']>[0]>;
type RulesOptions = Parameters<typeof memoryRules>[0];

/** Long-term memory around a conversation. */
export interface ContextMemory {
  /** The folder: that of the project, or of an agent in place of it. */
  readonly memory: Memdir;
  /** False: the system prompt says in a line that nothing can be kept, and nothing else happens. @default true */
  readonly isOn?: boolean | undefined;
  /** False where the files have no index: none is shown, and saving is one step. @default true */
  readonly hasIndex?: boolean | undefined;
  /** Of an agent with memory of its own: its scope and its index, which stands in the system prompt then. */
  readonly agent?: RulesOptions['agent'];
  /** How memories are found for what a person says; false: they are not. @default by words */
  readonly recall?: RecallOptions | false | undefined;
  /**
   * What looks through the conversation behind each answer, and how: `client` and `model`, or `runFork`; `timeoutMs` ends a model that
   * hangs.
   * @default nothing does
   */
  readonly extraction?:
    | Omit<ExtractionOptions, 'memory' | 'models' | 'cursor' | 'onEvent' | 'now'>
    | undefined;
}

/** The rules for the system prompt, as a block of their own behind it. */
export function withRules<Given extends Pick<HeadChange, 'system'>>(
  given: Given,
  option: ContextMemory | undefined,
): Given {
  if (option === undefined) return given;
  const { memory, isOn, hasIndex, agent } = option;
  const text = memoryRules({ folder: folderOf(memory), isOn, hasIndex, agent });
  const { system = [] } = given;
  const own: readonly TextBlock[] =
    typeof system === 'string' ? [{ type: 'text', text: system }] : system;
  return { ...given, system: [...own, { type: 'text', text }] };
}

/** Another system prompt has the rules behind it as well. */
export const changeWithRules = (
  change: HeadChange,
  option: ContextMemory | undefined,
): HeadChange => (Object(change).system === undefined ? change : withRules(change, option));

const folderOf = ({ folder }: Memdir): string =>
  folder.locate('MEMORY.md').replace(/[/\\]?MEMORY\.md$/, '') || 'memory';

/** What of a log memory needs: what was said, and where it had come to. */
export function createMemoryFold() {
  const messages: Message[] = [];
  const noted = new Map<string, string>();
  return {
    messages,
    /** The last message noted for a purpose. */
    noted: (purpose: Purpose) => noted.get(purpose),
    observe(entry: Entry): void {
      if (entry.type === 'message') messages.push(entry.message);
      if (entry.type !== 'note' || entry.by !== BY || !isRecord(entry.data)) return;
      const { kind, messageId } = entry.data;
      if (typeof kind === 'string' && typeof messageId === 'string') noted.set(kind, messageId);
    },
  };
}

/** `start`: the message that the index stands in; `cursor`: the last one that was looked through. */
type Purpose = 'start' | 'cursor';
const BY = 'memory';
/** A folder that does not answer holds up what a person says no longer, in ms; recall has a budget of its own. */
const FOLDER_MS = 1_500;

export interface MemoryLayerOptions {
  readonly option: ContextMemory;
  readonly fold: ReturnType<typeof createMemoryFold>;
  readonly keeper: Keeper;
  /** Entries of one's own for the model table. */
  readonly models: ContextOptions['models'];
  readonly thread: () => 'main' | 'sub-agent';
  readonly now: () => number;
  readonly at: () => string;
  readonly tell: Tell;
  readonly addBill: (bill: AddedUsage) => void;
}

/** Adds what a message of the agent needs. */
type AddUser = (content: string | readonly Block[], given: UserOptions) => Promise<Message>;

/** Puts memory before the model, and takes new memory out of the conversation. None of it fails a call. */
export function createMemoryLayer(options: MemoryLayerOptions) {
  const { option, fold, keeper, models, thread, now, at, tell, addBill } = options;
  const { memory, isOn = true, hasIndex = true, agent, recall: how } = option;
  const recall = isOn && how !== false ? memory.startRecall(how) : undefined;
  const extraction = isOn ? startExtraction() : undefined;
  const made = isOn ? makeFolder() : undefined;

  /** The rules say that the folder is there. */
  async function makeFolder(): Promise<void> {
    const making = withinTime(() => memory.folder.make(), { limitMs: FOLDER_MS });
    await making.catch((cause: unknown) => failed('folder-not-made', cause));
  }

  /** Its code is loaded where it is asked for: it would double what a context adds to the start of a process. */
  async function startExtraction(): Promise<Extraction | undefined> {
    if (option.extraction === undefined) return undefined;
    const { model = keeper.layered.view().head?.model ?? '' } = option.extraction;
    const cursor = fold.noted('cursor');
    try {
      const { createExtraction } = await import('@varve/memdir/extract');
      return createExtraction({
        ...{ ...option.extraction, memory, models, now, cursor },
        onEvent(event) {
          tell({ layer: 'memory', kind: 'extraction', event });
          if (event.kind !== 'finished' && event.kind !== 'dropped') return;
          addBill({ by: 'memory', model, usage: event.usage, calls: event.turns });
        },
      });
    } catch (cause) {
      failed('extraction-not-started', cause);
      return undefined;
    }
  }

  /** Notes how far memory has come, for a process that goes on. */
  async function note(kind: Purpose, messageId: string): Promise<void> {
    if (fold.noted(kind) === messageId) return;
    keeper.append({ type: 'note', by: BY, data: { kind, messageId } }, at());
    await keeper.write();
  }

  function failed(reason: string, cause: unknown): void {
    tell({ layer: 'memory', kind: 'failed', reason, cause });
  }

  /** The index and the date, unless they stand in the conversation; an agent has its index in the system prompt. */
  async function startText({ signal }: UserOptions): Promise<string | undefined> {
    const id = fold.noted('start');
    const isThere = keeper.layered
      .view()
      .messages.some(({ sources }) => sources.includes(id ?? ''));
    if (isThere || agent !== undefined || !hasIndex) return undefined;
    try {
      const index = await withinTime((within) => memory.loadIndex({ signal: within }), {
        ...{ limitMs: FOLDER_MS, signal },
      });
      return memoryStart({ index, todayMs: now() });
    } catch (cause) {
      if (signal?.aborted !== true) failed('index-not-read', cause);
      return undefined;
    }
  }

  async function recalled(message: Message, { signal }: UserOptions): Promise<string | undefined> {
    const said = (personBlocks(message) as readonly Block[]).filter(isText);
    const turn = said.map(({ text }) => text).join('\n');
    if (recall === undefined || turn.trim() === '') return undefined;
    try {
      const found = await recall.recall(turn, { signal, recentTools: recentTools(fold.messages) });
      tell({ layer: 'memory', kind: 'recall', found: foundOf(found) });
      if (found.kind === 'none') return undefined;
      return reminder(
        found.kind === 'recalled'
          ? ['Memories that may bear on this:', ...found.memories.map(({ text }) => text)]
          : [
              'The user asks to forget something. These memories may be meant:',
              ...found.matches.map(({ path, name }) => `${path}: ${name}`),
            ],
      );
    } catch (cause) {
      if (signal?.aborted !== true) failed('recall-threw', cause);
      return undefined;
    }
  }

  return {
    /** Adds what a person said, with the index in front of the first message and what was recalled behind it. */
    async user(
      content: string | readonly Block[],
      given: UserOptions,
      add: AddUser,
    ): Promise<Message> {
      const isOwn = given.origin === undefined && isOn;
      await untilAborted(made ?? Promise.resolve(), given.signal);
      const start = isOwn && isFilled(content) ? await startText(given) : undefined;
      given.signal?.throwIfAborted();
      const message = await add(start === undefined ? content : withStart(start, content), given);
      if (start !== undefined) await note('start', message.id);
      if (!isOwn || !isPerson(message)) return message;
      const text = await recalled(message, given);
      if (text !== undefined)
        await add(text, { origin: { kind: 'reminder', by: BY } }).catch((cause: unknown) =>
          failed('not-added', cause),
        );
      return message;
    },
    /** Looks through the conversation once a turn has ended. */
    afterReply({ content, response }: Message): void {
      const isEnd = response?.stopReason === 'end_turn' || response?.stopReason === 'stop_sequence';
      if (extraction === undefined || !isEnd || toolUses({ content }).length > 0) return;
      const turn = [[...fold.messages], { thread: thread() }] as const;
      const settled = extraction.then(async (started) => {
        started?.afterTurn(...turn);
        await started?.settle();
        await noteCursor();
      });
      settled.catch((cause: unknown) => failed('cursor-not-noted', cause));
    },
    cleanUp: () => recall?.restart(),
    close: ({ signal }: CallOptions): Promise<void> =>
      untilAborted(async () => {
        await (await extraction)?.flush({ signal });
        await noteCursor();
      }, signal),
  };

  async function noteCursor(): Promise<void> {
    const cursor = (await extraction)?.cursor();
    if (cursor !== undefined) await note('cursor', cursor);
  }
}

function foundOf(found: Awaited<ReturnType<ReturnType<Memdir['startRecall']>['recall']>>) {
  switch (found.kind) {
    case 'recalled':
      return { kind: found.kind, paths: found.memories.map(({ path }) => path) };
    case 'forget':
      return { kind: found.kind, paths: found.matches.map(({ path }) => path) };
    default:
      return { kind: found.kind, reason: found.reason };
  }
}

const isFilled = (content: string | readonly Block[]): boolean =>
  typeof content === 'string'
    ? content.trim() !== ''
    : Array.isArray(content) &&
      content.some((block: Block) => !isText(block) || block.text.trim() !== '');

const withStart = (start: string, content: string | readonly Block[]): readonly Block[] => [
  { type: 'text', text: start },
  ...(typeof content === 'string' ? [{ type: 'text', text: content }] : content),
];

/** Text in it that ends a reminder ends none. */
const reminder = (parts: readonly string[]): string =>
  `<system-reminder>\n${parts.join('\n\n').replaceAll('</system-reminder>', '')}\n</system-reminder>`;

/** Names of the tools of the turn before. */
function recentTools(messages: readonly Message[]): readonly string[] {
  const last = messages.findLastIndex(isPerson);
  const before = messages.slice(0, last).findLastIndex(isPerson);
  const turn = messages.slice(Math.max(0, before), Math.max(0, last));
  return [...new Set(turn.flatMap((message) => toolUses(message).map(({ name }) => name)))];
}
