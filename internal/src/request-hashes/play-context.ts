import { type Context, type ContextCompaction, ContextError, createContext } from '@varve/context';
import { isToolResult, type Message } from '@varve/messages';
import { createSessionMemory, memoryNotes, type RunFork } from '@varve/session-memory';
import type { ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import { createToolStorage, memoryStore } from '@varve/tool-storage';
import { createRequestHash, type RequestHash } from './request-hash.ts';
import type { RecordedSession } from './sessions.ts';

/** A way to set a context up; `create` makes one whose requests, summary requests included, end in the hash. */
interface Setting {
  readonly name: string;
  create(session: RecordedSession, tools: Instruments): Playing;
}

interface Instruments {
  readonly hash: RequestHash;
  readonly now: () => number;
}

interface Playing {
  readonly context: Context;
  /** Waited for after each reply. */
  settle?(): Promise<void>;
}

export const CONTEXT_SETTINGS: readonly Setting[] = [
  {
    name: 'context',
    create: (session, { now }) => ({ context: createContext({ ...common(session, WIDE), now }) }),
  },
  {
    name: 'context+storage+summary',
    create: (session, { hash, now }) => ({
      context: createContext({
        ...common(session, smallModel('claude-opus-5-5')),
        ...{ now, storage: createStorage(), compaction: { summarize: summarizer(hash) } },
      }),
    }),
  },
  {
    name: 'context+ledger',
    create(session, { now }) {
      const summarize = async () => Promise.reject(new Error('There is no model here.'));
      const compaction: ContextCompaction = { summarize, wait: async () => {} };
      const model = smallModel('gpt-5.6-sol');
      return { context: createContext({ ...common(session, model), now, compaction }) };
    },
  },
  { name: 'context+notes', create: createWithNotes },
];

function createWithNotes(session: RecordedSession, { hash, now }: Instruments): Playing {
  let context: Context | undefined;
  const memory = createSessionMemory({
    file: memoryNotes('notes.md'),
    runFork: noteTaker(hash),
    appendNote: (note) => context?.note(note),
  });
  const notes = { memory, tail: { minTokens: 2_000, minTextMessages: 2 } };
  context = createContext({
    ...common(session, smallModel('claude-opus-4-8')),
    ...{ now, storage: createStorage(), compaction: { summarize: summarizer(hash), notes } },
  });
  return { context, settle: memory.settle };
}

const WIDE = findModel('claude-opus-4-8') as ModelInfo;

/** The model with a window that every session outgrows. */
const smallModel = (id: string): ModelInfo => ({
  ...(findModel(id) as ModelInfo),
  ...{ aliases: [], windowTokens: 44_000, maxOutputTokens: 8_000 },
});

const common = ({ head: { system, tools } }: RecordedSession, model: ModelInfo) => ({
  model: model.id,
  models: [model],
  ...{ system, tools },
});

const createStorage = () => createToolStorage({ store: memoryStore(), sessionId: 'session' });

/** Answers every request for a summary with the same words. */
function summarizer(hash: RequestHash): ContextCompaction['summarize'] {
  const text = `<summary>${'The work went on as it was asked for. '.repeat(30)}</summary>`;
  return async (request) => {
    hash.request(request);
    return { content: [{ type: 'text', text }], stopReason: 'end_turn' };
  };
}

/** Writes a line below the first line of guidance of the notes. */
const noteTaker =
  (hash: RequestHash): RunFork =>
  async ({ directive, runTool, view }) => {
    hash.messages(view.messages);
    hash.text(directive);
    const guidance = directive.split('\n').find((line) => /^_.+_$/.test(line)) ?? '';
    const input = { file_path: 'notes.md', old_string: guidance, new_string: `${guidance}\nSeen.` };
    hash.text(runTool({ id: 'note', name: 'Edit', input }).content);
    return { kind: 'done' };
  };

const GAP_MS = 20_000;
/** Longer than any cache entry lives. */
const PAUSE_MS = 2 * 3_600_000;
const PAUSE_EVERY = 25;

/** Plays a session to a context: what people and tools said goes in as recorded, and the model says what it said. */
export async function playContext(session: RecordedSession, setting: Setting): Promise<string> {
  const hash = createRequestHash();
  let nowMs = Date.UTC(2026, 0, 31);
  const { context, settle } = setting.create(session, { hash, now: () => nowMs });
  let replies = 0;
  for (const message of session.history) {
    if (message.role !== 'assistant') {
      await say(context, message);
      continue;
    }
    // two replies in a row: what stood between them is not in the recording
    if (context.view().messages.at(-1)?.role !== 'user') await context.user('Go on.');
    replies += 1;
    nowMs += replies % PAUSE_EVERY === 0 ? PAUSE_MS : GAP_MS;
    await ask(context, hash);
    await context.reply({ content: message.content });
    await settle?.();
  }
  hash.messages(context.view().messages);
  return `${hash.requests()} ${hash.digest()}`;
}

/** A request that does not fit its window is made smaller, as after a refusal; where nothing helps, none goes out. */
async function ask(context: Context, hash: RequestHash): Promise<void> {
  for (;;) {
    try {
      hash.request(await context.request());
      return;
    } catch (error) {
      if (!ContextError.is(error) || error.code !== 'message-too-large') throw error;
      if (!(await context.recover(error))) return hash.text('too large');
    }
  }
}

async function say(context: Context, { content }: Message): Promise<void> {
  const said = content.filter((block) => !isToolResult(block));
  for (const { tool_use_id: toolUseId, content: given = '', is_error: isError } of content.filter(
    isToolResult,
  )) {
    await context.results([{ toolUseId, content: given, isError }]);
  }
  if (said.length > 0) await context.user(said);
}
