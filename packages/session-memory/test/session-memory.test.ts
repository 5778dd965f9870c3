import { describe, expect, test } from 'vitest';
import { checkpointOf } from '../src/checkpoint.ts';
import {
  createSessionMemory,
  memoryNotes,
  type RunFork,
  SessionMemoryError,
} from '../src/index.ts';
import type { NotesFork } from '../src/run-fork.ts';
import { DEFAULT_TEMPLATE } from '../src/template.ts';
import {
  createTestLog,
  createTestMemory,
  deferred,
  editCall,
  notesIn,
  notesWith,
  noteTaker,
  words,
} from './support.ts';

/** Tokens of a text. */
const quarter = (text: string): number => Math.ceil(text.length / 4);

const isAbort = expect.objectContaining({ name: 'AbortError' });

/** A fork that is held until it is let go; records what it was given. */
function heldFork() {
  const forks: NotesFork[] = [];
  const gates: ReturnType<typeof deferred<void>>[] = [];
  const take = noteTaker(() => ({ '# Current state': `state ${forks.length}` }));
  const runFork: RunFork = async (fork) => {
    forks.push(fork);
    const gate = deferred<void>();
    gates.push(gate);
    await gate.promise;
    return take(fork);
  };
  return { forks, runFork, release: (at: number) => gates[at]?.resolve() };
}

describe('afterResponse (N2, N3)', () => {
  test('takes notes at a pause once the context is large enough, without waiting', async () => {
    const { runFork, forks, release } = heldFork();
    const { memory, log, events, file } = createTestMemory({ runFork });
    log.user('do it');
    log.reply('done');
    const small = memory.afterResponse({ contextTokens: 9_999, view: log.view() });
    expect(small).toEqual({ kind: 'wait', reason: 'small-context' });
    const large = memory.afterResponse({ contextTokens: 10_000, view: log.view() });
    expect(large).toEqual({ kind: 'extract', reason: 'pause' });
    expect(await file.read()).toBeUndefined();
    await expect.poll(() => forks.length).toBe(1);
    release(0);
    await memory.settle();
    expect(await memory.notes()).toBe(notesWith({ '# Current state': 'state 1' }));
    expect(events.map(({ kind }) => kind)).toEqual(['extraction-started', 'extracted']);
  });

  test('one at a time: what comes meanwhile is folded in, and decided again afterwards with the newest', async () => {
    const { runFork, forks, release } = heldFork();
    const { memory, log } = createTestMemory({ runFork });
    log.user('do it');
    log.reply('done');
    const view = log.view();
    memory.afterResponse({ contextTokens: 10_000, view });
    await expect.poll(() => forks.length).toBe(1);
    const folded = { kind: 'wait', reason: 'folded-in' };
    expect(memory.afterResponse({ contextTokens: 12_000, view })).toEqual(folded);
    expect(memory.afterResponse({ contextTokens: 15_000, view })).toEqual(folded);
    expect(forks).toHaveLength(1);
    release(0);
    await expect.poll(() => forks.length).toBe(2);
    release(1);
    await memory.settle();
    expect(forks).toHaveLength(2);
    expect(memory.snapshot().checkpoint).toMatchObject({ sequence: 2, contextTokens: 15_000 });
  });

  test('calls count from the last extraction, growth as well', async () => {
    const { memory, log } = createTestMemory();
    log.user('do it');
    for (let round = 0; round < 3; round++) log.round('ok');
    const call = [{ type: 'tool_use', id: 'open', name: 'Bash', input: {} }];
    log.message('assistant', call);
    const at = (contextTokens: number) => memory.afterResponse({ contextTokens, view: log.view() });
    expect(at(20_000)).toEqual({ kind: 'extract', reason: 'tool-calls' });
    await memory.settle();
    expect(at(24_999)).toEqual({ kind: 'wait', reason: 'little-growth' });
    expect(at(25_000)).toEqual({ kind: 'wait', reason: 'few-calls' });
  });

  test('calls that wait are no pause, whatever was said before them', () => {
    const { memory, log } = createTestMemory();
    log.user('do it');
    log.reply('at once');
    log.user('and that');
    log.message('assistant', [{ type: 'tool_use', id: 'open', name: 'Bash', input: {} }]);
    const decision = memory.afterResponse({ contextTokens: 10_000, view: log.view() });
    expect(decision).toEqual({ kind: 'wait', reason: 'few-calls' });
  });

  test('after a compaction growth counts from the new size, the receipt’s or that of the next response', async () => {
    for (const receipt of [{ tokensAfter: 30_000 }, undefined]) {
      const { memory, log } = createTestMemory();
      log.user('do it');
      log.reply('done');
      log.user('more');
      log.reply('done too');
      const at = (contextTokens: number) =>
        memory.afterResponse({ contextTokens, view: log.view() });
      at(160_000);
      await memory.settle();
      log.compact(2, receipt);
      if (receipt === undefined)
        expect(at(30_000)).toEqual({ kind: 'wait', reason: 'new-baseline' });
      expect(at(34_999)).toEqual({ kind: 'wait', reason: 'little-growth' });
      expect(at(35_000)).toEqual({ kind: 'extract', reason: 'pause' });
      await memory.close();
    }
  });

  test('what was cleared meanwhile does not have to grow again', async () => {
    const { memory, log } = createTestMemory();
    log.user('do it');
    log.reply('done');
    const at = (contextTokens: number) => memory.afterResponse({ contextTokens, view: log.view() });
    at(100_000);
    await memory.settle();
    expect(at(60_000)).toEqual({ kind: 'wait', reason: 'little-growth' });
    expect(at(65_000)).toEqual({ kind: 'extract', reason: 'pause' });
  });

  test('what was folded in before a compaction is not taken up after it', async () => {
    const { runFork, forks, release } = heldFork();
    const { memory, log } = createTestMemory({ runFork });
    log.user('do it');
    log.reply('done');
    log.user('more');
    log.reply('done too');
    const at = (contextTokens: number) => memory.afterResponse({ contextTokens, view: log.view() });
    at(150_000);
    await expect.poll(() => forks.length).toBe(1);
    expect(at(166_000)).toEqual({ kind: 'wait', reason: 'folded-in' });
    log.compact(2, { tokensAfter: 20_000 });
    release(0);
    await memory.settle();
    expect(forks).toHaveLength(1);
    expect(memory.snapshot().checkpoint).toMatchObject({ sequence: 1 });
    expect(at(25_000)).toEqual({ kind: 'wait', reason: 'new-baseline' });
    expect(at(29_999)).toEqual({ kind: 'wait', reason: 'little-growth' });
  });

  test('a failing note taker is asked again only after more growth', async () => {
    let asked = 0;
    const { memory, log, events } = createTestMemory({
      runFork: async () => ({ kind: 'failed', reason: `try ${++asked}` }),
    });
    log.user('do it');
    log.reply('done');
    for (const contextTokens of [10_000, 11_000, 12_000, 14_999, 15_000, 15_001]) {
      memory.afterResponse({ contextTokens, view: log.view() });
      await memory.settle();
    }
    expect(asked).toBe(2);
    expect(events.filter(({ kind }) => kind === 'failed')).toHaveLength(2);
  });

  test.each([Number.NaN, -1, undefined])('a context of %s tokens says nothing', async (size) => {
    const contextTokens = size as number;
    const { memory, log } = createTestMemory();
    log.user('do it');
    log.reply('done');
    const unknown = { kind: 'wait', reason: 'unknown-size' };
    expect(memory.afterResponse({ contextTokens, view: log.view() })).toEqual(unknown);
    const taken = await memory.extractNow({ contextTokens });
    expect(taken).toMatchObject({ kind: 'extracted' });
    expect(memory.snapshot().checkpoint).not.toHaveProperty('contextTokens');
    const next = memory.afterResponse({ contextTokens: 50_000, view: log.view() });
    expect(next).toEqual({ kind: 'wait', reason: 'new-baseline' });
  });

  test.each([
    ['thresholds', { thresholds: { growthTokens: Number.NaN } }, RangeError],
    ['a negative limit', { limits: { totalTokens: -1 } }, RangeError],
    ['a limit that is a text', { limits: { sectionTokens: '2000' } }, RangeError],
    ['no group', { thresholds: null }, TypeError],
    ['no limits', { limits: null }, TypeError],
    ['no turns', { maxTurns: 0 }, RangeError],
    ['no fork', { runFork: null }, TypeError],
    ['no template', { template: '' }, TypeError],
  ])('refuses %s that make no sense, when it is made', (_what, wrong, type) => {
    const options = { file: memoryNotes(), runFork: noteTaker(() => ({})), ...wrong };
    expect(() => createSessionMemory(options as never)).toThrow(type);
  });

  test('an extraction that was asked for and failed does not bring the first one forward', async () => {
    const { memory, log } = createTestMemory({
      runFork: async () => ({ kind: 'failed', reason: 'overloaded' }),
    });
    log.user('do it');
    log.reply('done');
    expect(await memory.extractNow()).toMatchObject({ reason: 'fork-failed' });
    const at = (contextTokens: number) => memory.afterResponse({ contextTokens, view: log.view() });
    expect(at(1_000)).toEqual({ kind: 'wait', reason: 'small-context' });
    expect(at(9_999)).toEqual({ kind: 'wait', reason: 'small-context' });
    expect(at(10_000)).toEqual({ kind: 'extract', reason: 'pause' });
    await memory.settle();
  });

  test('disabled: nothing happens', async () => {
    const { memory, log, events } = createTestMemory({ enabled: false });
    log.user('do it');
    const decision = memory.afterResponse({ contextTokens: 99_999, view: log.view() });
    expect(decision).toEqual({ kind: 'wait', reason: 'disabled' });
    expect(await memory.extractNow()).toEqual({ kind: 'failed', reason: 'disabled' });
    expect(events).toEqual([]);
  });

  test('a listener that throws and a log that refuses the note change nothing else', async () => {
    const { memory, log, file } = createTestMemory({
      onEvent: () => {
        throw new Error('listener');
      },
      appendNote: () => Promise.reject(new Error('disk')),
    });
    log.user('do it');
    log.reply('done', 'a');
    expect(await memory.extractNow()).toMatchObject({ kind: 'extracted' });
    expect(await file.read()).toContain('working');
    expect(memory.snapshot().cursorId).toBe('a');
  });
});

describe('extractNow (N3)', () => {
  test('passes all thresholds, and waits its turn; all that wait share one run', async () => {
    const { runFork, forks, release } = heldFork();
    const { memory, log } = createTestMemory({ runFork });
    log.user('do it');
    const first = memory.extractNow();
    await expect.poll(() => forks.length).toBe(1);
    log.reply('answer after the first began', 'late');
    const others = [memory.extractNow(), memory.extractNow()];
    release(0);
    await expect.poll(() => forks.length).toBe(2);
    release(1);
    const results = await Promise.all([first, ...others]);
    expect(results.map(({ kind }) => kind)).toEqual(['extracted', 'extracted', 'extracted']);
    expect(results[1]).toBe(results[2]);
    expect(forks).toHaveLength(2);
    expect(memory.snapshot().cursorId).toBe('late');
  });

  test('tells the note taker the tool, the path, the sizes and the file', async () => {
    const forks: NotesFork[] = [];
    const notes = notesWith({ '# Task': words(2_500) });
    const { memory, log } = createTestMemory({
      file: memoryNotes('/n/summary.md', notes),
      editTool: 'replace',
      sizeOf: quarter,
      runFork: async (fork) => {
        forks.push(fork);
        return { kind: 'done' };
      },
    });
    log.user('hello');
    expect(await memory.extractNow()).toEqual({ kind: 'failed', reason: 'no-edit' });
    const [fork] = forks;
    expect(fork).toMatchObject({ source: 'session-memory', maxTurns: 5, view: log.view() });
    expect(fork?.directive).toContain('Use only the tool replace, only on /n/summary.md;');
    expect(fork?.directive).toMatch(/too long.*\n- # Task: 2\d\d\d tokens/);
    expect(fork?.directive).not.toContain('URGENT');
    expect(notesIn(fork?.directive ?? '')).toBe(notes);
  });

  test('over the total it says so with urgency', async () => {
    let directive = '';
    const sections = [
      '# Task',
      '# System',
      '# Workflow',
      '# Worklog',
      '# Learnings',
      '# Title',
      '# Key results',
    ];
    const notes = notesWith(Object.fromEntries(sections.map((each) => [each, words(1_900)])));
    const { memory, log } = createTestMemory({
      file: memoryNotes('n.md', notes),
      sizeOf: quarter,
      runFork: async (fork) => {
        directive = fork.directive;
        return { kind: 'done' };
      },
    });
    log.user('hello');
    await memory.extractNow();
    expect(directive).toMatch(/URGENT: the notes have 1\d\d\d\d tokens, more than the 12000/);
  });

  test('the same log and notes give the same directive', async () => {
    const directives: string[] = [];
    for (let run = 0; run < 2; run++) {
      const { memory, log } = createTestMemory({
        runFork: async (fork) => {
          directives.push(fork.directive);
          return { kind: 'done' };
        },
      });
      log.user('hello');
      await memory.extractNow();
    }
    expect(directives[0]).toBe(directives[1]);
  });

  test('an edit that would break the notes is refused with what is wrong, the next one may be right', async () => {
    const outcomes: unknown[] = [];
    const { memory, log, file } = createTestMemory({
      runFork: async (fork) => {
        const run = (old_string: string, new_string: string) =>
          outcomes.push(
            fork.runTool({
              id: 'c',
              name: 'Edit',
              input: { file_path: 'notes.md', old_string, new_string },
            }),
          );
        run('# Title\n', '# Name\n');
        run('not there', 'x');
        run('_', 'x');
        run('', 'x');
        run('# Title', '# Title');
        outcomes.push(fork.runTool({ id: 'c', name: 'Edit', input: {} }));
        run(DEFAULT_TEMPLATE, `${DEFAULT_TEMPLATE}${words(30_000)}`);
        outcomes.push(fork.runTool(editCall(fork, '# Title', 'half \ud83d pair')));
        return { kind: 'done' };
      },
    });
    log.user('hello');
    expect(await memory.extractNow()).toMatchObject({ kind: 'extracted', edits: 1 });
    expect(outcomes.map((outcome) => (outcome as { isError: boolean }).isError)).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(outcomes[0]).toMatchObject({ content: expect.stringContaining('(# Title)') });
    expect(outcomes[2]).toMatchObject({ content: expect.stringMatching(/\d+ times/) });
    expect(await file.read()).toBe(notesWith({ '# Title': 'half \ufffd pair' }));
  });

  test.each([
    [24_000, undefined, 'extracted'],
    [24_001, undefined, 'failed'],
    [24_001, 24_002, 'extracted'],
    [24_002, 24_002, 'extracted'],
    [24_003, 24_002, 'failed'],
  ])('notes of %d tokens in place of %s: %s', async (tokens, before, kind) => {
    const sized = (size: number) =>
      notesWith({ '# Title': 'x'.repeat(size * 4 - DEFAULT_TEMPLATE.length - 1) });
    const old = before === undefined ? DEFAULT_TEMPLATE : sized(before);
    const { memory, log } = createTestMemory({
      file: memoryNotes('notes.md', old),
      sizeOf: quarter,
      runFork: async ({ runTool }) => {
        const texts = { old_str: old, new_str: sized(tokens).replace('x', 'y') };
        runTool({ id: 'c', name: 'Edit', input: { path: 'notes.md', ...texts } });
        return { kind: 'done' };
      },
    });
    expect(quarter(sized(tokens))).toBe(tokens);
    log.user('one');
    expect((await memory.extractNow()).kind).toBe(kind);
  });

  test.each<[string, RunFork, string]>([
    ['answers failed', async () => ({ kind: 'failed', reason: 'overloaded' }), 'fork-failed'],
    ['rejects', () => Promise.reject(new Error('overloaded')), 'fork-failed'],
    [
      'throws',
      () => {
        throw new Error('overloaded');
      },
      'fork-failed',
    ],
    [
      'edits and then fails',
      async (fork) => {
        fork.runTool(editCall(fork, '# Title', 'x'));
        return { kind: 'failed', reason: 'cut' };
      },
      'fork-failed',
    ],
    ['edits nothing', async () => ({ kind: 'done' }), 'no-edit'],
    [
      'edits only what may not be',
      async (fork) => {
        fork.runTool({
          id: 'c',
          name: 'Edit',
          input: { path: 'notes.md', old_str: '# Title', new_str: '# X' },
        });
        return { kind: 'done' };
      },
      'no-edit',
    ],
  ])(
    'case 22: a note taker that %s leaves notes and cursor as they were',
    async (_what, runFork, reason) => {
      const notes = notesWith({ '# Task': 'as it was' });
      const file = memoryNotes('notes.md', notes);
      const before = createTestMemory({ file });
      before.log.user('one');
      before.log.reply('two', 'a');
      const { memory, log } = createTestMemory({ file, runFork });
      log.user('one');
      expect(await memory.extractNow()).toMatchObject({ kind: 'failed', reason });
      expect(await file.read()).toBe(notes);
      expect(memory.snapshot()).toMatchObject({ notes, status: 'loaded' });
      expect(memory.snapshot().cursorId).toBeUndefined();
    },
  );

  test.each([
    ['another tool', { name: 'Write' }],
    ['another path', { path: '/etc/passwd' }],
    ['a way round', { path: './notes.md' }],
    ['a way up and back', { path: '../here/notes.md' }],
    ['a path with a NUL', { path: 'notes.md\0' }],
  ])('case 124: a call of %s is refused though nobody asked the gate', async (_what, wrong) => {
    const outcomes: unknown[] = [];
    const { memory, log, file } = createTestMemory({
      async runFork(fork) {
        const { input, ...call } = editCall(fork, '# Title', 'x');
        const { path = 'notes.md', name = 'Edit' } = wrong as Record<string, string>;
        outcomes.push(fork.runTool({ ...call, name, input: { ...input, file_path: path } }));
        return { kind: 'done' };
      },
    });
    log.user('one');
    expect(await memory.extractNow()).toEqual({ kind: 'failed', reason: 'no-edit' });
    expect(outcomes).toEqual([
      { content: expect.stringContaining('Use Edit on notes.md'), isError: true },
    ]);
    expect(await file.read()).toBeUndefined();
  });

  test.each([
    { what: 'nothing', edits: [], isDone: false },
    { what: 'an edit that is taken', edits: ['Title'], isDone: true },
    { what: 'edits that are all taken', edits: ['Title', 'Task'], isDone: true },
    { what: 'an edit that is refused', edits: ['Nowhere'], isDone: false },
    { what: 'one of several that is refused', edits: ['Title', 'Nowhere', 'Task'], isDone: false },
  ])('a child is done once its edits are taken: $what', async ({ edits, isDone }) => {
    const asked: boolean[] = [];
    const { memory, log } = createTestMemory({
      async runFork(fork) {
        const results = edits.map((heading) => {
          const { isError } = fork.runTool(editCall(fork, `# ${heading}`, 'text'));
          return { is_error: isError };
        });
        asked.push(fork.isDone(results), fork.isDone([...results, { is_error: true }]));
        asked.push(fork.isDone([{}]));
        return { kind: 'done' };
      },
    });
    log.user('one');
    await memory.extractNow();
    expect(asked).toEqual([isDone, false, edits.includes('Title')]);
  });

  test('a note taker cannot write after its end', async () => {
    let late: NotesFork | undefined;
    const { memory, log, file } = createTestMemory({
      runFork: async (fork) => {
        late = fork;
        fork.runTool(editCall(fork, '# Title', 'in time'));
        return { kind: 'done' };
      },
    });
    log.user('one');
    await memory.extractNow();
    expect(late?.runTool(editCall(late, '# Title', 'late'))).toMatchObject({ isError: true });
    expect(await file.read()).toContain('in time');
  });

  test('nothing was said yet', async () => {
    const { memory } = createTestMemory();
    expect(await memory.extractNow()).toEqual({ kind: 'failed', reason: 'nothing-to-see' });
  });

  test('case 130: notes that somebody edited by hand meanwhile stay', async () => {
    const file = memoryNotes('notes.md', notesWith({ '# Task': 'old' }));
    const mine = notesWith({ '# Task': 'mine' });
    const { memory, log } = createTestMemory({
      file,
      runFork: async (fork) => {
        await file.write(mine, { basis: await file.read() });
        fork.runTool(editCall(fork, '# Title', 'x'));
        return { kind: 'done' };
      },
    });
    log.user('one');
    expect(await memory.extractNow()).toMatchObject({ reason: 'changed-meanwhile' });
    expect(await file.read()).toBe(mine);
  });

  test('notes that somebody put out of form are brought back into it', async () => {
    const file = memoryNotes('notes.md', '# Task\nmine\n# Own\ntext');
    const { memory, log } = createTestMemory({ file });
    log.user('one');
    expect(await memory.extractNow()).toMatchObject({ kind: 'extracted' });
    expect(await file.read()).toBe(
      notesWith({ '# Task': 'mine\n\n## Own\ntext', '# Current state': 'working' }),
    );
  });

  test('a file that cannot be read is no empty one', async () => {
    const file = {
      ...memoryNotes(),
      read: () => Promise.reject(new SessionMemoryError('not-read', 'no')),
    };
    const { memory, log, events } = createTestMemory({ file });
    log.user('one');
    expect(await memory.extractNow()).toMatchObject({ kind: 'failed', reason: 'not-read' });
    expect(memory.snapshot().status).toBe('unreadable');
    await expect(memory.notes()).rejects.toMatchObject({ code: 'not-read' });
    expect(events.map(({ kind }) => kind)).toContain('unreadable');
  });
});

describe('abort (N3)', () => {
  test('case 28: at every await of an extraction: nothing has changed, and the next one runs', async () => {
    let steps = 0;
    for (let abortAt = 1; ; abortAt++) {
      const controller = new AbortController();
      let step = 0;
      const at = () => {
        if (++step === abortAt) controller.abort();
      };
      const inner = memoryNotes('notes.md', notesWith({ '# Task': 'old' }));
      const file = {
        ...inner,
        async read() {
          const text = await inner.read();
          at();
          return text;
        },
        async write(...args: Parameters<typeof inner.write>) {
          at();
          await inner.write(...args);
        },
      };
      const take = noteTaker(() => ({ '# Title': 'new' }));
      const { memory, log } = createTestMemory({
        file,
        async runFork(fork) {
          at();
          await Promise.resolve();
          at();
          const outcome = await take(fork);
          at();
          return outcome;
        },
      });
      await memory.settle();
      step = 0;
      log.user('one');
      const { signal } = controller;
      const done = memory.extractNow({ signal });
      if (abortAt > 5) {
        expect(await done).toMatchObject({ kind: 'extracted' });
        break;
      }
      steps++;
      await expect(done).rejects.toThrow(isAbort);
      await memory.settle();
      expect(await inner.read()).toBe(notesWith({ '# Task': 'old' }));
      expect(memory.snapshot().checkpoint).toBeUndefined();
      expect(await memory.extractNow()).toMatchObject({ kind: 'extracted' });
    }
    expect(steps).toBe(5);
  });

  test('a note taker that never answers is left alone', async () => {
    const { memory, log } = createTestMemory({ runFork: () => new Promise(() => undefined) });
    log.user('one');
    const { signal } = new AbortController();
    const aborted = memory.extractNow({
      signal: AbortSignal.any([signal, AbortSignal.timeout(5)]),
    });
    await expect(aborted).rejects.toMatchObject({ name: 'TimeoutError' });
    await memory.settle();
  });

  test('who waits gives up alone', async () => {
    const { runFork, forks, release } = heldFork();
    const { memory, log } = createTestMemory({ runFork });
    log.user('one');
    const first = memory.extractNow();
    await expect.poll(() => forks.length).toBe(1);
    const shared = memory.extractNow();
    const controller = new AbortController();
    const waiting = memory.extractNow({ signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toThrow(isAbort);
    release(0);
    await expect.poll(() => forks.length).toBe(2);
    release(1);
    expect([(await first).kind, (await shared).kind]).toEqual(['extracted', 'extracted']);
  });

  test('who gives up first does not end the run the others wait for, and the last one does', async () => {
    const { runFork, forks, release } = heldFork();
    const { memory, log } = createTestMemory({ runFork });
    log.user('one');
    const first = memory.extractNow();
    await expect.poll(() => forks.length).toBe(1);
    const given = [new AbortController(), new AbortController()];
    const early = memory.extractNow({ signal: given[0]?.signal });
    const shared = memory.extractNow();
    given[0]?.abort();
    await expect(early).rejects.toThrow(isAbort);
    release(0);
    await expect.poll(() => forks.length).toBe(2);
    const last = memory.extractNow({ signal: given[1]?.signal });
    given[1]?.abort();
    const fresh = memory.extractNow();
    await expect(last).rejects.toThrow(isAbort);
    release(1);
    await expect.poll(() => forks.length).toBe(3);
    release(2);
    const results = await Promise.all([first, shared, fresh]);
    expect(results.map(({ kind }) => kind)).toEqual(['extracted', 'extracted', 'extracted']);
    await memory.settle();
  });

  test('an abort that comes when the notes are being put in place comes too late, and is not told', async () => {
    const controller = new AbortController();
    const inner = memoryNotes('notes.md');
    const write: typeof inner.write = async (text, options) => {
      await inner.write(text, options);
      controller.abort();
      await new Promise((resolve) => setTimeout(resolve, 1));
    };
    const { memory, log } = createTestMemory({ file: { ...inner, write } });
    log.user('one');
    const result = await memory.extractNow({ signal: controller.signal });
    expect(result).toMatchObject({ kind: 'extracted', notes: await inner.read() });
  });

  test('a slow reading that began before notes were taken does not bring back the old ones', async () => {
    const inner = memoryNotes('notes.md', notesWith({ '# Task': 'old' }));
    const gate = deferred<void>();
    let readings = 0;
    const file = {
      ...inner,
      async read() {
        const text = await inner.read();
        if (++readings === 1) await gate.promise;
        return text;
      },
    };
    const { memory, log } = createTestMemory({ file });
    log.user('one');
    log.reply('two', 'a');
    const taken = await memory.extractNow();
    gate.resolve();
    await memory.settle();
    expect(memory.snapshot()).toMatchObject({ notes: taken.kind === 'extracted' && taken.notes });
  });

  test('close ends what runs; later calls say that it is closed', async () => {
    const { memory, log, file, events } = createTestMemory({
      runFork: () => new Promise(() => undefined),
    });
    log.user('one');
    log.reply('two');
    memory.afterResponse({ contextTokens: 20_000, view: log.view() });
    await memory.close();
    await memory.close();
    expect(await memory.extractNow()).toEqual({ kind: 'failed', reason: 'closed' });
    expect(events.map(({ kind }) => kind)).toEqual(['extraction-started', 'aborted']);
    expect(await file.read()).toBeUndefined();
  });
});

describe('the cursor (N5)', () => {
  const extractAt = async (build: (log: ReturnType<typeof createTestLog>) => void) => {
    const { memory, log } = createTestMemory();
    build(log);
    await memory.extractNow();
    return memory.snapshot().cursorId;
  };

  test.each<[string, (log: ReturnType<typeof createTestLog>) => void, string | undefined]>([
    [
      'moves to the last reply',
      (log) => {
        log.user('one');
        log.reply('two', 'a');
      },
      'a',
    ],
    [
      'stays before what a person said since',
      (log) => {
        log.user('one');
        log.reply('two', 'a');
        log.user('three');
      },
      'a',
    ],
    [
      'stands behind the newest closed round of a tool loop',
      (log) => {
        log.user('one');
        log.round('ok');
        log.message('assistant', [{ type: 'tool_use', id: 'x', name: 'Bash', input: {} }]);
      },
      'm2',
    ],
    [
      'stands before what a person said to a tool loop that goes on',
      (log) => {
        log.user('one');
        log.round('ok');
        log.user('and that', 'later');
        log.message('assistant', [{ type: 'tool_use', id: 'x', name: 'Bash', input: {} }]);
      },
      'm2',
    ],
    [
      'does not move while calls wait',
      (log) => {
        log.user('one');
        log.message('assistant', [{ type: 'tool_use', id: 'x', name: 'Bash', input: {} }]);
      },
      undefined,
    ],
    [
      'does not move where nobody replied',
      (log) => {
        log.user('one');
      },
      undefined,
    ],
    [
      'does not move behind a reply that stands for one that failed',
      (log) => {
        log.user('one');
        log.reply('two', 'a');
        log.user('three');
        const content = [{ type: 'text', text: 'the request failed' }];
        const message = { id: 'b', role: 'assistant' as const, content };
        log.append({ type: 'message', message: { ...message, origin: { kind: 'synthetic' } } });
      },
      'a',
    ],
    [
      'does not move behind a reply that was cut',
      (log) => {
        log.user('one');
        const message = {
          id: 'a',
          role: 'assistant' as const,
          content: [{ type: 'text', text: 'half' }],
          response: { id: 'r', model: 'm', stopReason: 'max_tokens' as const },
        };
        log.append({ type: 'message', message });
      },
      undefined,
    ],
  ])('%s', async (_what, build, expected) => {
    expect(await extractAt(build)).toBe(expected);
  });

  test('moves on in a tool loop, from round to round', async () => {
    const { memory, log } = createTestMemory({
      runFork: noteTaker((fork) => ({ '# Title': `${fork.view.messages.length}` })),
    });
    log.user('one');
    log.reply('two', 'a');
    await memory.extractNow();
    log.user('three');
    log.round('ok');
    log.message('assistant', [{ type: 'tool_use', id: 'x', name: 'Bash', input: {} }]);
    const results = log.entries.length - 2;
    expect(await memory.extractNow()).toMatchObject({
      checkpoint: { sequence: 2, cursorId: `m${results}` },
    });
  });

  test('is a note in the log: a resumed session has it, and so does one fed entry by entry', async () => {
    const file = memoryNotes();
    const log = createTestLog((entry, view) => memory.observe(entry, view));
    const memory = createSessionMemory({
      file,
      runFork: noteTaker(() => ({ '# Title': 'x' })),
      appendNote: (note) => void log.append(note),
    });
    log.user('one');
    log.round('ok');
    log.reply('two', 'a');
    await memory.extractNow({ contextTokens: 12_345 });
    log.user('three');
    const resumed = createTestMemory({ file });
    for (const { id: _, at: __, ...body } of log.entries) resumed.log.append(body);
    await resumed.memory.settle();
    expect(resumed.memory.snapshot()).toEqual(memory.snapshot());
    expect(log.entries.flatMap((entry) => checkpointOf(entry) ?? [])).toEqual([
      expect.objectContaining({ sequence: 1, cursorId: 'a', contextTokens: 12_345, toolCalls: 1 }),
    ]);
  });

  test('any compaction clears it, an undo brings it back, the next extraction sets it anew', async () => {
    const { memory, log } = createTestMemory({
      runFork: noteTaker((fork) => ({ '# Title': `${fork.view.messages.length}` })),
    });
    log.user('one');
    log.reply('two', 'a');
    log.user('three');
    log.reply('four', 'b');
    await memory.extractNow();
    expect(memory.snapshot().cursorId).toBe('b');
    const { id } = log.compact(2);
    expect(memory.snapshot().cursorId).toBeUndefined();
    const undo = (entryId: string) =>
      log.append({ type: 'edit', by: 'user', reason: 'test', edit: { kind: 'undo', entryId } });
    const { id: undone } = undo(id);
    expect(memory.snapshot().cursorId).toBe('b');
    undo(undone);
    expect(memory.snapshot().cursorId).toBeUndefined();
    await memory.extractNow();
    expect(memory.snapshot().cursorId).toBe('b');
  });

  test('the undo of a rewind brings messages nobody took notes of: no cursor, until the next extraction', async () => {
    const { memory, log } = createTestMemory({
      runFork: noteTaker((fork) => ({ '# Title': `${fork.view.messages.length}` })),
    });
    log.user('one');
    log.reply('two', 'a');
    log.user('a way that was given up', 'from');
    log.reply('its answer', 'to');
    const span = { kind: 'replace-span', fromId: 'from', toId: 'to', with: [], then: [] } as const;
    const { id } = log.append({ type: 'edit', by: 'rewind', reason: 'test', edit: span });
    log.user('another way');
    log.reply('its answer', 'b');
    await memory.extractNow();
    expect(memory.snapshot().cursorId).toBe('b');
    const undo = (entryId: string) =>
      log.append({ type: 'edit', by: 'user', reason: 'test', edit: { kind: 'undo', entryId } });
    const { id: undone } = undo(id);
    expect(memory.snapshot().cursorId).toBeUndefined();
    undo(undone);
    expect(memory.snapshot().cursorId).toBe('b');
    undo(id);
    await memory.extractNow();
    expect(memory.snapshot().cursorId).toBe('b');
  });

  test('so does the undo of a compaction that was there when notes were taken', async () => {
    const { memory, log } = createTestMemory();
    log.user('one');
    log.reply('two', 'a');
    log.user('three');
    log.reply('four', 'b');
    const { id: entryId } = log.compact(2);
    await memory.extractNow();
    expect(memory.snapshot().cursorId).toBe('b');
    log.append({ type: 'edit', by: 'user', reason: 'test', edit: { kind: 'undo', entryId } });
    expect(memory.snapshot().cursorId).toBeUndefined();
  });

  test('an undo while notes are taken: the notes stay, the cursor does not', async () => {
    const { runFork, forks, release } = heldFork();
    const { memory, log } = createTestMemory({ runFork });
    log.user('one', 'from');
    log.reply('two', 'to');
    const span = { kind: 'replace-span', fromId: 'from', toId: 'to', with: [], then: [] } as const;
    const { id } = log.append({ type: 'edit', by: 'rewind', reason: 'test', edit: span });
    log.user('another way');
    log.reply('its answer', 'b');
    const done = memory.extractNow();
    await expect.poll(() => forks.length).toBe(1);
    const undo = { kind: 'undo', entryId: id } as const;
    log.append({ type: 'edit', by: 'user', reason: 'test', edit: undo });
    release(0);
    expect(await done).toMatchObject({ kind: 'extracted' });
    expect(memory.snapshot().cursorId).toBeUndefined();
  });

  test('notes from before a compaction that come back have no cursor, whatever was taken since', async () => {
    const { memory, log, file } = createTestMemory({
      runFork: noteTaker((fork) => ({ '# Title': `${fork.view.messages.length}` })),
    });
    log.user('one');
    log.reply('two', 'a');
    await memory.extractNow();
    const earlier = (await file.read()) as string;
    log.user('three');
    log.reply('four', 'b');
    log.compact(2);
    log.user('five');
    log.reply('six', 'c');
    await memory.extractNow();
    expect(memory.snapshot().cursorId).toBe('c');
    await file.write(earlier, { basis: await file.read() });
    await memory.notes();
    expect(memory.snapshot().cursorId).toBeUndefined();
  });

  test('a compaction while notes are taken: the notes stay, the cursor does not', async () => {
    const { runFork, forks, release } = heldFork();
    const { memory, log, file } = createTestMemory({ runFork });
    log.user('one');
    log.reply('two', 'a');
    log.user('three');
    log.reply('four', 'b');
    const done = memory.extractNow();
    await expect.poll(() => forks.length).toBe(1);
    log.compact(2);
    release(0);
    expect(await done).toMatchObject({ kind: 'extracted' });
    expect(await file.read()).toContain('state 1');
    expect(memory.snapshot().cursorId).toBeUndefined();
  });

  test('notes of an earlier checkpoint have the cursor of that one', async () => {
    const { memory, log, file } = createTestMemory({
      runFork: noteTaker((fork) => ({ '# Title': `${fork.view.messages.length}` })),
    });
    log.user('one');
    log.reply('two', 'a');
    await memory.extractNow();
    const earlier = (await file.read()) as string;
    log.user('three');
    log.reply('four', 'b');
    await memory.extractNow();
    expect(memory.snapshot().cursorId).toBe('b');
    await file.write(earlier, { basis: await file.read() });
    await memory.notes();
    expect(memory.snapshot().cursorId).toBe('a');
    await file.write(notesWith({ '# Title': 'by hand' }), { basis: earlier });
    await memory.notes();
    expect(memory.snapshot().cursorId).toBe('b');
  });
});
