import type { Message } from '@varve/messages';
import { SECRET_KINDS } from '@varve/redact/testing';
import { createSessionMemory, memoryNotes } from '@varve/session-memory';
import { createToolStorage, memoryStore } from '@varve/tool-storage';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import { type Context, type ContextOptions, createContext } from '../src/index.ts';
import { compactingScene, fillUp, noWait, summarizer, summary } from './compacting-support.ts';
import { call, output, says, text } from './support.ts';

/** Where a secret can stand: what a person said, the command of a call, what a tool gave. */
function secretsOf(index: number) {
  const { make } = SECRET_KINDS[index] as (typeof SECRET_KINDS)[number];
  const [said, command, result] = [make(1), make(2), make(3)];
  return { said, command, result, all: [said, command, result].map(({ secret }) => secret) };
}

type Secrets = ReturnType<typeof secretsOf>;

/** A conversation in which each of them occurred, and was answered. */
async function talk(context: Context, { said, command, result }: Secrets): Promise<void> {
  await context.user(`Never forget this: ${said.text}`);
  await context.request();
  const input = { command: command.text };
  await context.reply(says(text('I run it.'), call('s1', 'bash', input)));
  await context.results([{ toolUseId: 's1', content: `Error: failed\n${result.text}` }]);
  await context.request();
  await context.reply(says(text('It is done.')));
  await context.user('Go on with the lexer.');
  await fillUp(context);
}

/** A model that repeats what it must not. */
const telltale = ({ said, command, result }: Secrets) =>
  summarizer(
    summary(
      `# What the user said\n- "Never forget this: ${said.text}"\n\n# Work\nRan \`${command.text}\`:\n${result.text}\n`,
    ),
  );

const summaryOf = (context: Context): readonly Message[] =>
  context.view().messages.filter(({ origin }) => origin?.kind === 'summary');

/** Everything that is made of a conversation, as it stands in the log and as it was told. */
function derivedOf(context: Context, events: readonly unknown[], more: readonly unknown[] = []) {
  const made = context.entries().filter(({ type }) => type === 'edit' || type === 'note');
  return JSON.stringify([made, summaryOf(context), events, ...more]);
}

const found = (secrets: readonly string[], where: string): string[] =>
  secrets.filter((secret) => where.includes(secret));

const kinds = oneIn(
  12,
  SECRET_KINDS.map(({ name }, index) => [`${index} ${name}`, index] as const),
);

// looked at: summaries by a model, the ledger in place of one, notes, receipts, notes in the log, events
describe('redact (L325)', () => {
  test.each(kinds)('%s: a summary, its receipt and the events hold none', async (_, index) => {
    const secrets = secretsOf(index);
    const { context, events, options } = compactingScene({
      summarize: telltale(secrets).summarize,
    });
    await talk(context, secrets);
    const outcome = await context.compact();
    expect(outcome.kind).toBe('compacted');
    expect(summaryOf(context)).toHaveLength(1);
    expect(found(secrets.all, derivedOf(context, events, [outcome]))).toEqual([]);
    expect(JSON.stringify(summaryOf(context))).toContain('[redacted: ');

    const entries = context.entries();
    const said = JSON.stringify(entries.filter(({ type }) => type === 'message'));
    expect(found(secrets.all, said)).toEqual(secrets.all);
    const resumed = createContext({ ...options, entries });
    expect(JSON.stringify(resumed.entries())).toBe(JSON.stringify(entries));
    expect(JSON.stringify(resumed.view())).toBe(JSON.stringify(context.view()));
  });

  test.each(kinds)('%s: the ledger in place of a summary holds none', async (_, index) => {
    const secrets = secretsOf(index);
    const { context, events } = compactingScene({
      summarize: summarizer(new Error('no model')).summarize,
      wait: noWait,
    });
    await talk(context, secrets);
    const outcome = await context.compact();
    expect(outcome).toMatchObject({ kind: 'compacted', receipt: { engine: 'ledger' } });
    expect(found(secrets.all, derivedOf(context, events, [outcome]))).toEqual([]);
  });

  test.each(kinds)('%s: notes hold none, neither the file nor what stands in', async (_, index) => {
    const secrets = secretsOf(index);
    const file = memoryNotes('notes.md');
    const told: unknown[] = [];
    const memory = createSessionMemory({
      file,
      template: '# Task\n_What was asked for._\n',
      async runFork({ runTool }) {
        const guidance = '_What was asked for._';
        const texts = [secrets.said, secrets.command, secrets.result].map((each) => each.text);
        const new_str = `${guidance}\n${texts.join('\n')}`;
        runTool({
          id: 'n1',
          name: 'Edit',
          input: { path: 'notes.md', old_str: guidance, new_str },
        });
        return { kind: 'done' };
      },
      onEvent: (event) => void told.push(event),
    });
    const notes = { memory, tail: { minTokens: 500, minTextMessages: 1 } };
    const { context, events } = compactingScene({ summarize: summarizer().summarize, notes });
    await talk(context, secrets);
    const taken = await memory.extractNow();
    expect(taken.kind).toBe('extracted');
    const written = (await file.read()) ?? '';
    expect(written).toContain('[redacted: ');
    await context.compact();
    expect(found(secrets.all, derivedOf(context, events, [written, told, taken]))).toEqual([]);
  });

  test.each(kinds)("%s: 'on-entry' replaces it before anything holds it", async (_, index) => {
    const secrets = secretsOf(index);
    const store = memoryStore();
    const storage = createToolStorage({ store, sessionId: 'one' });
    const lines: string[] = [];
    const given: Partial<ContextOptions> = {
      redact: 'on-entry',
      storage,
      system: `You fix tests. ${secrets.said.text}`,
      log: { append: async (...entries) => void lines.push(JSON.stringify(entries)) },
    };
    const { context, events, options } = compactingScene(
      { summarize: telltale(secrets).summarize },
      given,
    );
    await talk(context, secrets);
    const request = await context.request();
    await context.reply(says(call('big', 'bash', { command: 'cat' })));
    const bytes = new TextEncoder().encode(`${output('big', 90_000)}\n${secrets.result.text}\n`);
    await context.results([{ toolUseId: 'big', content: bytes }]);
    await context.note({ by: 'mine', data: { kept: secrets.command.text } });
    await context.compact();
    const stored: string[] = [];
    for await (const { key } of await store.list('')) {
      const item = await store.get(key);
      stored.push(new TextDecoder().decode(item));
    }
    expect(stored.length).toBeGreaterThan(0);
    const held = JSON.stringify([request, context.entries(), context.view(), events]);
    expect(found(secrets.all, held + lines.join('\n') + stored.join('\n'))).toEqual([]);

    const entries = context.entries();
    const resumed = createContext({ ...options, storage: undefined, entries });
    const again = resumed.entries().slice(0, entries.length);
    expect(JSON.stringify(again)).toBe(JSON.stringify(entries));
  });

  // siblings looked for: notes, bills, edits and undos by hand, receipts, values that JSON makes a text of; the focus of a
  // compaction and what hooks add to it
  test.each(kinds)("%s: 'derived' takes it out of what is noted by hand", async (_, index) => {
    const secrets = secretsOf(index);
    const { said, command, result } = secrets;
    const { context, events, options } = compactingScene();
    await context.user(said.text);
    await context.request();
    await context.reply(says(text(`I see: ${result.text}`)));
    const [{ id: pivot = '' } = {}] = context.view().messages;
    const made = { toJSON: () => ({ deep: [command.text] }) } as unknown as string;
    await context.note({ by: `mine ${said.text}`, data: { k: command.text, list: [result.text] } });
    await context.note({ by: 'mine', data: made });
    const usage = { input_tokens: 7, output_tokens: 1 };
    const bill = { by: `bill ${said.text}`, model: `m ${result.text}`, usage };
    await context.addUsage(bill);
    const block = text(`Said was: ${command.text}`);
    const { entryIds } = await context.edit(
      [{ kind: 'replace-content', blocks: [{ messageId: pivot, index: 0, block }] }],
      { by: `me ${said.text}`, reason: command.text, receipt: { kept: [result.text] } },
    );
    const shown = JSON.stringify(context.view().messages);
    expect(found([command.secret, result.secret], shown)).toHaveLength(2);
    await context.undo(entryIds[0] as string, { by: `me ${said.text}`, reason: result.text });

    const entries = context.entries();
    const facts = entries.flatMap((entry): unknown[] =>
      entry.type === 'edit' ? [{ ...entry, edit: null }] : entry.type === 'note' ? [entry] : [],
    );
    expect(facts).toHaveLength(5);
    expect(found(secrets.all, JSON.stringify([facts, events, context.usage()]))).toEqual([]);
    const { callers } = context.usage();
    expect(callers.map(({ usage: { input_tokens } }) => input_tokens)).toContain(7);
    expect(found([said.secret], JSON.stringify(context.view()))).toHaveLength(1);
    const resumed = createContext({ ...options, entries });
    expect(JSON.stringify(resumed.view())).toBe(JSON.stringify(context.view()));
  });

  test('what a storage shows in a message stands in its note as it is', async () => {
    const { text: said, secret } = secretsOf(SECRET_KINDS.length - 1).said;
    const storage = createToolStorage({ store: memoryStore(), sessionId: 'one' });
    const { context } = compactingScene({}, { storage });
    await context.user('Read it.');
    await context.request();
    await context.reply(says(call('big', 'bash', { command: 'cat' })));
    const content = `${said}\n${output('big', 90_000)}`;
    await context.results([{ toolUseId: 'big', content }]);
    const noted = context.entries().filter(({ type }) => type === 'note');
    expect(JSON.stringify(noted)).toContain(secret);
    expect(JSON.stringify(context.view())).toContain(secret);
  });

  test.each(kinds)(
    "%s: 'on-entry' keeps a focus and a hook from the model of summaries",
    async (_, index) => {
      const secrets = secretsOf(index);
      const { said, command } = secrets;
      const asked: unknown[] = [];
      const model = summarizer();
      const { context, events } = compactingScene(
        {
          summarize: model.summarize,
          hooks: {
            before: [
              {
                name: 'mine',
                run(start) {
                  asked.push(start);
                  return { instructions: `Never lose ${command.text}` };
                },
              },
            ],
          },
        },
        { redact: 'on-entry' },
      );
      await talk(context, secrets);
      const outcome = await context.compact({ focus: `keep ${said.text}` });
      expect(outcome.kind).toBe('compacted');
      expect(JSON.stringify(model.requests)).toMatch(/keep .*Never lose/s);
      const held = [model.requests, asked, context.entries(), events, outcome];
      expect(found(secrets.all, JSON.stringify(held))).toEqual([]);
    },
  );

  test('false leaves everything as it was said', async () => {
    const index = SECRET_KINDS.findIndex(({ name }) => name === 'github token');
    const secrets = secretsOf(index);
    const { summarize } = telltale(secrets);
    const { context } = compactingScene({ summarize }, { redact: false });
    await talk(context, secrets);
    await context.compact();
    expect(found(secrets.all, JSON.stringify(summaryOf(context)))).toEqual(secrets.all);
  });

  test('a value that was redacted is not reported as missing from a summary', async () => {
    const index = SECRET_KINDS.findIndex(({ name }) => name === 'github token');
    const secrets = secretsOf(index);
    const { context } = compactingScene({ summarize: telltale(secrets).summarize });
    await talk(context, secrets);
    await context.compact();
    const shown = JSON.stringify(summaryOf(context));
    expect(shown.split('Never forget this').length - 1).toBe(1);
    expect(shown).not.toMatch(/nobody said|not found/);
  });

  test.each(['yes', true, null, 0])('refuses another switch: %s', (redact) => {
    const options = { model: 'claude-opus-4-8', redact } as unknown as ContextOptions;
    expect(() => createContext(options)).toThrow(
      "Expected `redact` to be 'derived', 'on-entry' or false",
    );
  });
});
