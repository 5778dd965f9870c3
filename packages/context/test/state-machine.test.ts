import {
  type BlockReplacement,
  type Entry,
  parseEntry,
  type Request,
  serializeEntry,
  toolUses,
} from '@varve/messages';
import { memoryStore } from '@varve/tool-storage';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Context, ContextError, type ContextOptions, createContext } from '../src/index.ts';
import { summarizer } from './compacting-support.ts';
import { smallWindow } from './small-window.ts';
import {
  BOUND,
  bytesOf,
  call,
  earlyClearing,
  earlyStorage,
  fakeClock,
  LATEST,
  OPENAI,
  output,
  says,
  text,
  thinking,
  UNKNOWN,
  violationsOf,
} from './support.ts';

const MODELS = [BOUND, LATEST, OPENAI, UNKNOWN];
const TOOLS = ['bash', 'read', 'write'].map((name) => ({ name, input_schema: { type: 'object' } }));

/** One thing that is done to a conversation, at any moment; `abortAt` aborts it after so many microtasks. */
interface Command {
  readonly kind:
    | 'user'
    | 'reminder'
    | 'request'
    | 'reply'
    | 'calls'
    | 'results'
    | 'close'
    | 'model'
    | 'tools'
    | 'rewind'
    | 'replace'
    | 'undo'
    | 'compact'
    | 'restart'
    | 'bill'
    | 'turn'
    | 'round';
  readonly pick: number;
  readonly size: number;
  readonly abortAt: number | undefined;
}

const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('turn', 'round') },
    { weight: 6, arbitrary: fc.constantFrom('user', 'request', 'reply', 'calls', 'results') },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'reminder',
        'close',
        'model',
        'tools',
        'rewind',
        'replace',
        'undo',
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom('compact', 'restart', 'bill') },
  ),
  pick: fc.nat(1_000),
  size: fc.constantFrom(10, 400, 2_000),
  abortAt: fc.option(fc.nat(12), { freq: 5, nil: undefined }),
}) as fc.Arbitrary<Command>;

interface World {
  readonly clock: ReturnType<typeof fakeClock>;
  readonly store: ReturnType<typeof memoryStore>;
  readonly model: string;
  context: Context;
  count: number;
}

const reread = (context: Context): Entry[] => context.entries().map(serializeEntry).map(parseEntry);

function open(world: Pick<World, 'clock' | 'store' | 'model'>, entries: readonly Entry[]): Context {
  const options: ContextOptions = {
    model: world.model,
    models: MODELS.map((id) => smallWindow(id, 4_000)),
    system: 'You fix tests.',
    tools: TOOLS.slice(0, 1),
    storage: earlyStorage({ store: world.store }),
    layers: [earlyClearing(1, { tokens: 250, candidateTokens: 25 })],
    compaction: { summarize: summarizer().summarize, wait: async () => undefined },
    cleanUp: [() => undefined],
    now: world.clock.now,
    entries,
  };
  return createContext(options);
}

/** Does it; what cannot be done where the conversation stands is refused, which is part of what is looked at. */
async function perform(world: World, { kind, pick, size }: Command, signal?: AbortSignal) {
  const { context } = world;
  const name = `n${world.count++}`;
  const { messages, open: round } = context.view();
  const at = (index: number) => messages[index % Math.max(1, messages.length)];
  switch (kind) {
    case 'user':
      return context.user(output(name, size), { signal });
    case 'reminder':
      return context.user(`Reminder ${name}.`, { origin: { kind: 'reminder' }, signal });
    case 'request':
      return context.request({ signal });
    case 'reply':
      return context.reply({ ...says(thinking(name), text(`Said ${name}.`)), usage: billed(pick) });
    case 'calls': {
      const ids = pick % 3 === 0 ? ['x', 'x', ''] : [`${name}a`, `${name}b`];
      const calls = ids.map((id) => ({ ...call(id), ...(pick % 5 === 0 && { input: '{"cut' }) }));
      return context.reply(says(thinking(name), text(`Step ${name}.`), ...calls));
    }
    case 'results': {
      const ids = round ? toolUses(round.assistant).map(({ id }) => id) : [name];
      const waiting = ids.filter((id) => round?.waiting.includes(id) ?? true);
      const some = pick % 2 === 0 ? waiting : waiting.slice(0, 1);
      const outputs = some.map((toolUseId) => ({ toolUseId, content: output(name, size) }));
      return context.results(outputs, { signal });
    }
    case 'close':
      return context.closeRound('aborted');
    case 'model':
      return context.setHead({ model: MODELS[pick % MODELS.length] }, { signal });
    case 'tools':
      return context.setHead({ tools: TOOLS.slice(0, 1 + (pick % 3)) }, { signal });
    case 'rewind': {
      const [from, to] = [
        at(pick)?.sources[0] ?? '?',
        at(pick + (pick % 4))?.sources.at(-1) ?? '?',
      ];
      const kept =
        pick % 3 === 0 ? [{ id: name, role: 'user', content: [text('Cut.')] } as const] : [];
      const edit = { kind: 'replace-span', fromId: from, toId: to, with: kept, then: [] } as const;
      return context.edit([edit], { by: 'person', reason: 'rewind', signal });
    }
    case 'replace': {
      const message = at(pick);
      const blocks = (message?.content ?? []).flatMap((block, index): BlockReplacement[] => {
        const messageId = message?.sources[0] ?? '?';
        if (block.type === 'text') return [{ messageId, index, block: text('Shorter.') }];
        if (block.type === 'thinking') return [{ messageId, index, block: null }];
        return [];
      });
      const edit = { kind: 'replace-content', blocks: blocks.slice(0, 1 + (pick % 2)) } as const;
      return context.edit([edit], { by: 'person', reason: 'shorten', signal });
    }
    case 'undo': {
      const edits = context.entries().filter(({ type }) => type === 'edit');
      return context.undo(edits[pick % Math.max(1, edits.length)]?.id ?? 'nothing', { signal });
    }
    case 'compact':
      return context.compact({ signal });
    case 'bill':
      return context.addUsage({
        by: 'fork-agent',
        model: LATEST,
        usage: { input_tokens: size, output_tokens: 1 },
      });
    case 'turn':
      await context.user(output(name, size), { signal });
      await context.request({ signal });
      return context.reply({ ...says(thinking(name), text('Done.')), usage: billed(pick) });
    case 'round': {
      await context.request({ signal });
      const reply = says(thinking(name), text(`Step ${name}.`), call(name));
      await context.reply({ ...reply, usage: billed(pick) });
      return context.results([{ toolUseId: name, content: output(name, size) }], { signal });
    }
    case 'restart':
      world.context = open(world, reread(context));
  }
}

const billed = (pick: number) => ({
  ...{ input_tokens: 5, output_tokens: 5 },
  ...{ cache_read_input_tokens: pick, cache_creation_input_tokens: 1_000 - pick },
});

/** Runs it, with an abort after some microtasks, and says what it threw. */
async function run(world: World, command: Command): Promise<unknown> {
  if (command.abortAt === undefined) return perform(world, command).then(noError, asError);
  const controller = new AbortController();
  const running = perform(world, command, controller.signal).then(noError, asError);
  for (let turn = 0; turn < command.abortAt; turn++) await Promise.resolve();
  controller.abort();
  return running;
}

const noError = (): undefined => undefined;
const asError = (error: unknown): unknown => error;

const isTyped = (error: unknown): boolean =>
  error === undefined || ContextError.is(error) || (error as Error).name === 'AbortError';

/** What the conversation is, but for notes. */
const shown = (context: Context) =>
  JSON.stringify([context.view().head, context.view().messages, context.view().open]);

/** What may change although a call was refused or aborted: an edit that makes the conversation sendable, and a compaction. */
const MAY_EDIT: readonly Command['kind'][] = ['request', 'compact', 'turn', 'round'];

async function nextRequest(context: Context): Promise<Request> {
  await context.closeRound('aborted');
  await context.user('What is left?');
  return context.request();
}

const step = (kind: Command['kind'], pick = 0, abortAt?: number): Command => ({
  ...{ kind, pick, size: 10, abortAt },
});

const reached: Record<string, number> = {};
const count = (name: string) => {
  reached[name] = (reached[name] ?? 0) + 1;
};

test('whatever is done, in any order and aborted at any moment: every request is one that its provider takes, what is refused or aborted changes nothing, and a restart knows the same, byte for byte', async () => {
  let histories = 0;
  let requests = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...MODELS),
      fc.array(command, { minLength: 5, maxLength: 30 }),
      async (model, commands) => {
        histories += 1;
        const base = { model, clock: fakeClock(), store: memoryStore() };
        const world: World = { ...base, context: open(base, []), count: 0 };
        let last: Request | undefined;
        for (const each of commands) {
          world.clock.pass(1_000);
          const before = shown(world.context);
          const error = await run(world, each);
          if (!isTyped(error)) throw error;
          count(`${each.kind}${error ? ' refused' : ''}`);
          if (error && !MAY_EDIT.includes(each.kind)) expect(shown(world.context)).toBe(before);
          const sent = world.context.lastRequest()?.request;
          if (sent === undefined || sent === last) continue;
          last = sent;
          requests += 1;
          expect(violationsOf(sent)).toEqual([]);
        }
        const again = open(world, reread(world.context));
        expect(shown(again)).toBe(shown(world.context));
        expect(again.usage()).toEqual(world.context.usage());
        const [one, other] = [await nextRequest(world.context), await nextRequest(again)];
        requests += 2;
        expect(violationsOf(one)).toEqual([]);
        expect(bytesOf(other)).toEqual(bytesOf(one));
        expect(again.entries().map(serializeEntry)).toEqual(
          world.context.entries().map(serializeEntry),
        );
      },
    ),
    // M331: a reply to the request before another head, with a request that was given up in between
    {
      examples: [
        [
          'claude-opus-5-5',
          [
            step('reminder'),
            step('request'),
            step('model', 147),
            step('request', 0, 1),
            step('turn', 0, 0),
            step('calls'),
            step('user'),
          ],
        ],
      ],
    },
  );
  console.info(`${histories} histories, ${requests} requests, none refused by a provider`);
  if (histories < 100) return; // too few to reach everything
  for (const kind of [
    'rewind',
    'replace',
    'undo',
    'model',
    'tools',
    'compact',
    'restart',
    'calls',
    'results',
  ]) {
    expect(reached[kind] ?? 0, `${kind} was reached`).toBeGreaterThan(0);
  }
});
