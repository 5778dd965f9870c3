import { createProjection, type Entry, type EntryBody, type View } from '@varve/messages';
import { hostileText, validLog } from '@varve/messages/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkNotes } from '../src/check-notes.ts';
import type { ExtractionResult } from '../src/extraction.ts';
import {
  createNotesCompaction,
  createSessionMemory,
  memoryNotes,
  type RunFork,
} from '../src/index.ts';
import type { NotesFork } from '../src/run-fork.ts';
import { DEFAULT_TEMPLATE, parseTemplate } from '../src/template.ts';
import { deferred, planContext } from './support.ts';

const template = parseTemplate(DEFAULT_TEMPLATE);
const [TITLE] = template.sections.map(({ guidance }) => guidance) as [string];

type Step =
  | { readonly do: 'append'; readonly count: number }
  | { readonly do: 'talk' | 'undo' | 'compact' | 'response'; readonly count: number }
  | { readonly do: 'extract' | 'answer' | 'take' | 'abort'; readonly count: number }
  | { readonly do: 'edit-by-hand'; readonly text: string };

const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constantFrom(
        ...(['append', 'append', 'talk', 'talk', 'extract', 'answer', 'take', 'take'] as const),
        ...(['abort', 'compact', 'compact', 'response', 'undo'] as const),
      ),
      count: fc.nat(12),
    }),
    fc.record({ do: fc.constant('edit-by-hand' as const), text: hostileText() }),
  ),
  { minLength: 10, maxLength: 30, size: 'max' },
) as fc.Arbitrary<Step[]>;

/** What a child may do: one line below the title, and before or after it what a child should not. */
const manners = fc.array(
  fc.record({
    text: fc.oneof(
      hostileText(),
      fc.constantFrom('# Task', 'half \ud83d', '```', 'a\r\nb', '\ufeff'),
    ),
    wrong: fc.constantFrom('nothing', 'heading', 'tool', 'path', 'deletes', 'huge'),
    ends: fc.constantFrom('done', 'done', 'done', 'done', 'done', 'fails', 'throws'),
  }),
  { minLength: 1, maxLength: 6 },
);
type Manner = typeof manners extends fc.Arbitrary<(infer One)[]> ? One : never;

function behave({ runTool, canUseTool }: NotesFork, { text, wrong, ends }: Manner, count: number) {
  const run = (old_string: string, new_string: string, name = 'Edit', path = 'notes.md') => {
    const call = { id: 'c', name, input: { path, old_string, new_string } };
    const { allow } = canUseTool(call);
    const { isError } = runTool(call);
    if (!allow) expect(isError).toBe(true);
  };
  if (wrong === 'heading') run('# Task\n', '# Mine\n');
  if (wrong === 'tool') run(TITLE, 'x', 'Write');
  if (wrong === 'path') run(TITLE, `${TITLE}\nx`, 'Edit', '../notes.md');
  if (wrong === 'deletes') run(DEFAULT_TEMPLATE, '');
  if (wrong === 'huge') run(TITLE, `${TITLE}\n${'word '.repeat(50_000)}`);
  run(TITLE, `${TITLE}\n${count}: ${text}`);
  if (ends === 'throws') throw new Error('no');
  return ends === 'done' ? ({ kind: 'done' } as const) : { kind: 'failed' as const, reason: 'cut' };
}

/** A session that does what it is told, and knows which messages the notes were taken of. */
function createSession(log: readonly Entry[], given: readonly Manner[]) {
  const inner = memoryNotes('notes.md');
  const seen = new Map<string | undefined, ReadonlySet<string>>([[undefined, new Set()]]);
  const gates: ReturnType<typeof deferred<void>>[] = [];
  const ended: Promise<ExtractionResult | string>[] = [];
  const controllers: AbortController[] = [];
  const written: (string | undefined)[] = [];
  let [running, taken, added, basis] = [0, 0, 0, undefined as string | undefined];
  const file = {
    ...inner,
    async read() {
      basis = await inner.read();
      return basis;
    },
    async write(...[text, options]: Parameters<typeof inner.write>) {
      await inner.write(text, options);
      written.push(text);
    },
  };
  const runFork: RunFork = async (fork) => {
    expect(++running).toBe(1);
    const gate = deferred<void>();
    gates.push(gate);
    const start = basis;
    fork.signal.addEventListener('abort', () => gate.resolve());
    await gate.promise;
    running--;
    const all = fork.view.messages.flatMap(({ sources }) => sources);
    pending = new Set([...(seen.get(start) ?? []), ...all]);
    return behave(fork, given[taken++ % given.length] as Manner, taken);
  };
  let pending: ReadonlySet<string> = new Set();
  const results: ExtractionResult[] = [];
  const memory = createSessionMemory({
    file,
    runFork,
    appendNote: (note) => void append(note),
    onEvent(event) {
      if (event.kind !== 'extracted' && event.kind !== 'failed') return;
      results.push(event);
      if (event.kind === 'extracted') seen.set(event.notes, pending);
    },
  });
  const planner = createNotesCompaction({
    minSavings: 0, // sizes of contexts here are made up
    memory,
    tail: { minTokens: 0, minTextMessages: 0, maxTokens: 0 },
    textSize: () => 1,
  });
  const projection = createProjection();
  const entries: Entry[] = [];
  let view: View = { messages: [], changedFrom: 0 };
  let next = 0;

  /** What a log refuses after other edits than it was written with is left out. */
  function append(body: EntryBody, id = `own-${added++}`): void {
    const entry: Entry = { at: '2026-01-31T12:00:00Z', ...body, id };
    try {
      view = projection.append(entry);
    } catch {
      return;
    }
    entries.push(entry);
    planner.observe(entry, view);
  }

  const actions: Record<Step['do'], (step: never) => unknown> = {
    append({ count }: { count: number }) {
      for (const { id, ...body } of log.slice(next, next + count)) append(body, id);
      next += count;
    },
    extract() {
      const controller = new AbortController();
      controllers.push(controller);
      const { signal } = controller;
      ended.push(memory.extractNow({ signal }).catch(({ name }: Error) => name));
    },
    async take(step: never) {
      actions.talk(step);
      actions.extract(undefined as never);
      for (let tick = 0; tick < 12; tick++) await Promise.resolve();
      gates.at(-1)?.resolve();
    },
    talk({ count }: { count: number }) {
      const content = [{ type: 'text', text: `word ${count}` }];
      for (const role of ['user', 'assistant'] as const) {
        append({ type: 'message', message: { id: `said-${added}`, role, content } });
      }
    },
    abort: ({ count }: { count: number }) => controllers.at(-1 - (count % 3))?.abort(),
    answer: () => gates.at(-1)?.resolve(),
    response: ({ count }: { count: number }) =>
      memory.afterResponse({ contextTokens: count * 9_000, view }),
    undo({ count }: { count: number }) {
      const edits = entries.filter(({ type }) => type === 'edit');
      const entryId = edits.at(-1 - (count % Math.max(1, edits.length)))?.id;
      if (entryId === undefined) return;
      append({ type: 'edit', by: 'user', reason: 'test', edit: { kind: 'undo', entryId } });
    },
    async 'edit-by-hand'({ text }: { text: string }) {
      const old = await inner.read();
      const edited = `${old ?? ''}\n${text} ${added++}`;
      seen.set(edited, seen.get(old) ?? new Set());
      await file.write(edited, { basis: old });
      await memory.notes();
    },
    compact() {
      const context = planContext({ contextTokens: 100_000, sizeOf: () => 9 });
      const plan = planner.planManual(context);
      if (plan.kind === 'none') return expect(plan.reason).not.toBe('error');
      const known = seen.get(memory.snapshot().notes) ?? new Set();
      const dropped = view.messages.slice(0, plan.receipt.droppedMessages);
      expect(dropped.flatMap(({ sources }) => sources).filter((id) => !known.has(id))).toEqual([]);
      const { reason, receipt } = plan;
      for (const edit of plan.edits) append({ type: 'edit', by: 'notes', reason, receipt, edit });
      compactions++;
      return undefined;
    },
  };
  let compactions = 0;
  return {
    run: async (step: Step) => {
      await actions[step.do](step as never);
      for (let tick = 0; tick < 12; tick++) await Promise.resolve();
    },
    memory,
    file,
    entries,
    ended,
    results,
    written,
    compactions: () => compactions,
  };
}

test('any session, any note taker: one at a time, nothing that nobody saw gives way, notes whole or as they were', async () => {
  let [compactions, extracted] = [0, 0];
  const { numRuns = 100 } = fc.readConfigureGlobal();
  const runs = Math.min(1_000, numRuns); // a run is a whole session, and takes tens of milliseconds
  await fc.assert(
    fc.asyncProperty(validLog(), steps, manners, async (log, todo, given) => {
      const session = createSession(log, given);
      const { memory, file, entries } = session;
      for (const step of todo) await session.run(step);
      await memory.close();
      const ends = await Promise.all(session.ended);
      for (const end of ends) {
        if (typeof end === 'string') expect(end).toBe('AbortError');
        else expect(['extracted', 'failed']).toContain(end.kind);
      }
      const byChildren = session.results.flatMap((each) =>
        each.kind === 'extracted' ? each.notes : [],
      );
      for (const notes of byChildren) expect(checkNotes(notes, notes, template)).toEqual([]);
      const byHand = todo.filter((step) => step.do === 'edit-by-hand').length;
      expect(session.written).toHaveLength(byChildren.length + byHand);
      expect(session.written).toEqual(expect.arrayContaining(byChildren));
      const resumed = createSessionMemory({ file, runFork: async () => ({ kind: 'done' }) });
      const projection = createProjection();
      for (const entry of entries) resumed.observe(entry, projection.append(entry));
      await resumed.settle();
      await memory.notes();
      expect(resumed.snapshot()).toEqual(memory.snapshot());
      compactions += session.compactions();
      extracted += byChildren.length;
    }),
    { numRuns: runs },
  );
  expect(compactions).toBeGreaterThan(runs / 20);
  expect(extracted).toBeGreaterThan(runs / 5);
});
