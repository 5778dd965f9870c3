import type { Message } from '@varve/messages';
import { isToolUse, toolResults } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { BUILT_IN_STRATEGIES, EvalsError, type Strategy } from '../src/index.ts';
import { replay } from '../src/replay/replay.ts';
import { characters, choosing, cleared, planOf, rowFor } from './replays.ts';
import { edit, read, type Step, write } from './sessions.ts';

const LINE = 'const total = priceWithTaxes(basket);';

/** A hundred characters with the line in them. */
const FILE = `${LINE}\n${'.'.repeat(100 - LINE.length - 1)}`;

const EDITED: readonly Step[] = [
  { user: 'Go.' },
  read('src/bill.ts', FILE),
  { say: 'Seen.' },
  { user: 'Now change it.' },
  edit('src/bill.ts', LINE),
  { say: 'Done.' },
];

/** Sends the messages after `count` without the contents of results. */
const clearsAfter = (count: number): Strategy =>
  choosing('clears', (messages) =>
    messages.map((message, at) => (at < messages.length - count ? cleared(message) : message)),
  );

/** Keeps results, and of the arguments of calls only what is as short as a path. */
const withoutInputs = (): Strategy =>
  choosing('without-inputs', (messages) => messages.map(withShortInputs));

function withShortInputs(message: Message): Message {
  const content = message.content.map((block) => {
    if (!isToolUse(block)) return block;
    const entries = Object.entries(block.input as Record<string, string>);
    const input = Object.fromEntries(
      entries.map(([key, text]) => [key, text.length > 12 ? '-' : text]),
    );
    return { ...block, input };
  });
  return { ...message, content };
}

const patch = (body: string): Step => ({
  call: ['apply_patch', { input: `*** Begin Patch\n${body}\n*** End Patch` }],
  result: 'Done.',
});

const lostOnce = (): Strategy => {
  let hasLost = false;
  return choosing('loses-once', (messages) => {
    const isLater = messages.length > 4;
    const isRecovered = messages.some((message) => message.origin?.kind === 're-read');
    hasLost = isLater && !isRecovered;
    return hasLost || isRecovered
      ? messages.map((message) => (message.origin ? message : cleared(message)))
      : messages;
  });
};

describe('replay (V1)', () => {
  test('sends one request before each recorded reply', () => {
    expect(rowFor(planOf(EDITED), clearsAfter(0)).requests).toBe(4);
  });

  test('shows a strategy the past, frozen, and nothing of what comes', () => {
    const secret = 'futureSecret4711';
    const steps = [...EDITED.slice(0, 5), read('src/secret.ts', secret), { say: secret }] as const;
    const seen: string[] = [];
    const cheater: Strategy = {
      name: 'cheater',
      create(context) {
        const messages: Message[] = [];
        const reached = new Set<unknown>();
        const search = (value: unknown): void => {
          if (typeof value === 'string' && value.includes(secret)) seen.push(value);
          if (typeof value !== 'object' || value === null || reached.has(value)) return;
          reached.add(value);
          if (!Object.isFrozen(value)) seen.push('not frozen');
          for (const key of Reflect.ownKeys(value)) search(Reflect.get(value, key));
        };
        search(context);
        return {
          add(message) {
            search(message);
            messages.push(message);
          },
          request() {
            search(context);
            return { head: context.head, messages, markers: [], maxOutputTokens: 1 };
          },
        };
      },
    };
    const plan = planOf(steps.slice(0, -1));
    const history = JSON.stringify(plan.recording.history);
    expect(history).toContain(secret);
    replay(plan, cheater);
    // the secret stands in the last result, which no request follows
    expect(seen).toEqual([]);
  });

  test.each<[string, Strategy]>([
    [
      'a message',
      choosing('mutator', (messages) => {
        (messages[0] as { role: string }).role = 'assistant';
        return messages;
      }),
    ],
    [
      'a block deep inside',
      choosing('mutator', (messages) => {
        (messages[0]?.content[0] as { text: string }).text = 'Stop.';
        return messages;
      }),
    ],
    [
      'the head',
      choosing(
        'mutator',
        (messages) => messages,
        (request) => {
          (request.head.system as unknown[]).length = 0;
          return request;
        },
      ),
    ],
  ])('catches a strategy that changes %s', (_, strategy) => {
    const run = () => replay(planOf(EDITED), strategy);
    expect(run).toThrow(EvalsError);
    expect(run).toThrow(/`mutator` failed in request\(\)/);
  });

  test('catches a strategy that changes what it has sent', () => {
    const own: Message = { id: 'x', role: 'user', content: [{ type: 'text', text: 'Hi.' }] };
    const strategy = choosing('rewriter', () => {
      (own.content[0] as { text: string }).text += '!';
      return [own];
    });
    expect(() => replay(planOf(EDITED), strategy)).toThrow(EvalsError);
  });

  test.each([
    ['nothing', undefined],
    ['no head', { messages: [] }],
    ['no messages', { head: { system: [], tools: [] } }],
  ])('refuses a request with %s', (_, request) => {
    const strategy = choosing(
      'bad',
      (messages) => messages,
      () => request as never,
    );
    expect(() => replay(planOf(EDITED), strategy)).toThrow(
      /`bad` failed in request\(\): .*(?:no request|malformed)/,
    );
  });

  test('tells a strategy that answers differently on a second run', () => {
    let calls = 0;
    const strategy = choosing(
      'counter',
      (messages) => messages,
      (request) => ({
        ...request,
        maxOutputTokens: 1_000 + calls++,
      }),
    );
    expect(rowFor(planOf(EDITED), strategy).repeatable).toBe(false);
    expect(rowFor(planOf(EDITED), clearsAfter(0)).repeatable).toBe(true);
  });
});

describe('re-reads', () => {
  // Without a cache every prompt token costs 5 and every output token 25 dollars a million.
  const plain = { estimator: characters, pricing: { provider: 'none' } as const };
  const input = 5e-6;
  const output = 25e-6;

  // characters: head 15,000; `Go.` 3; the call's input {"file_path":"src/bill.ts"} 27; file 100; `Seen.` 5;
  // `Now change it.` 14
  test('price one more request and the call', () => {
    const row = rowFor(planOf(EDITED, plain), lostOnce());
    const [first, second] = [15_003, 15_003 + 27 + 100];
    const third = 15_003 + 27 + 1 + 5 + 14;
    const reread = third + 27 + 100;
    // the edit's input, and its result once cleared
    const fourth = reread + 144 + 1;
    expect(row.rereads).toBe(1);
    expect(row.promptTokens).toBe(first + second + third + reread + fourth);
    expect(row.rereadDollars).toBeCloseTo(reread * input + 100 * output, 12);
    expect(row.dollars).toBeCloseTo(row.promptTokens * input + 100 * output, 12);
    expect(row.rereadShare).toBeCloseTo(row.rereadDollars / row.dollars, 12);
  });

  test('write only what is new where there is a cache', () => {
    const row = rowFor(planOf(EDITED, { estimator: characters }), lostOnce());
    // The third request clears the file, which breaks the prefix behind the call: only the head is read. The re-read
    // continues it: 127 tokens are written, the rest is read.
    const third = 15_003 + 27 + 1 + 5 + 14;
    const reread = third * 0.5e-6 + 127 * 6.25e-6 + 100 * output;
    expect(row.breaks).toBe(1);
    expect(row.rereadDollars).toBeCloseTo(reread, 12);
  });

  test('are seen by the strategy, marked, and can be evicted and fetched again', () => {
    const added: Message[] = [];
    const forgetful: Strategy = {
      name: 'forgetful',
      create(context) {
        const run = clearsAfter(0).create(context);
        const add = (message: Message): void => {
          added.push(message);
          run.add(message);
        };
        return { ...run, add };
      },
    };
    const other = 'const rebate = rebateOf(customer);';
    const steps = [
      { user: 'Go.' },
      read('src/bill.ts', `${LINE}\n${other}`),
      edit('src/bill.ts', LINE),
      edit('src/bill.ts', other),
      { say: 'Done.' },
    ];
    const row = rowFor(planOf(steps), forgetful);
    const marked = new Set(added.filter((message) => message.origin?.kind === 're-read'));
    expect(marked.size).toBe(4);
    expect(row).toMatchObject({ rereads: 2, faultedResults: 1, invalidRequests: 0 });
    expect(row.unmetUnits).toBeGreaterThan(0);
  });

  test.each<[string, Step, readonly Step[], boolean]>([
    ['a read', read('src/bill.ts', FILE), [], true],
    [
      'a shell that reads',
      { call: ['Bash', { command: 'cat src/bill.ts' }], result: FILE },
      [],
      true,
    ],
    ['a test run', { call: ['Bash', { command: 'npm test' }], result: FILE }, [], false],
    [
      'a file that was written whole since',
      read('src/bill.ts', FILE),
      [{ call: ['Write', { file_path: 'src/bill.ts', content: '-' }], result: 'ok' }],
      false,
    ],
    ['a file that was edited since', read('src/bill.ts', FILE), [edit('src/bill.ts', '-')], true],
  ])('of %s count whether they bring the same back', (_, source, between, reproducible) => {
    const steps = [EDITED[0] as Step, source, ...between, ...EDITED.slice(2)];
    const row = rowFor(planOf(steps), clearsAfter(0));
    expect(row.rereads).toBeGreaterThan(0);
    expect(row.irreproducible).toBe(reproducible ? 0 : row.rereads);
    expect(row.irreproducibleDollars > 0).toBe(!reproducible);
  });

  // characters: head 15,000; `Go.` 3; the call's input {"file_path":"src/bill.ts","content":"…\\n…"} 142, once cleared
  // {"file_path":"src/bill.ts","content":"-"} 41; `The file was written.` 21; `Seen.` 5; `Now change it.` 14
  test('of an input that only its call held price reading the file', () => {
    const steps = [EDITED[0] as Step, write('src/bill.ts', FILE), ...EDITED.slice(2)];
    const row = rowFor(planOf(steps, plain), withoutInputs());
    const third = 15_003 + 41 + 21 + 5 + 14;
    // {"path":"src/bill.ts"} 22, and what was written
    const reread = third + 22 + 100;
    expect(row).toMatchObject({ rereads: 1, irreproducible: 0, unmetUnits: 0, faultedResults: 0 });
    expect(row.rereadDollars).toBeCloseTo(reread * input + 100 * output, 12);
    expect(rowFor(planOf(steps, plain), clearsAfter(0))).toMatchObject({ rereads: 0 });
  });

  test.each<[string, readonly Step[], boolean]>([
    ['was edited since', [write('src/bill.ts', FILE), edit('src/bill.ts', '-')], true],
    ['was written whole since', [write('src/bill.ts', FILE), write('src/bill.ts', '-')], false],
    [
      'was deleted by a patch since',
      [write('src/bill.ts', FILE), patch('*** Delete File: src/bill.ts')],
      false,
    ],
    ['a patch added', [patch(`*** Add File: src/bill.ts\n+${LINE}`)], true],
    ['a patch took the line out of', [patch(`*** Update File: src/bill.ts\n-${LINE}`)], false],
    [
      'a here-document filled',
      [{ call: ['Bash', { command: `cat > src/bill.ts <<'END'\n${FILE}\nEND` }], result: '' }],
      true,
    ],
    ['no file was', [{ call: ['Bash', { command: `node -e '\n${FILE}'` }], result: '' }], false],
  ])('of an input whose file %s count whether it is still there', (_, written, reproducible) => {
    const steps = [EDITED[0] as Step, ...written, ...EDITED.slice(2)];
    const row = rowFor(planOf(steps), withoutInputs());
    expect(row).toMatchObject({ rereads: 1, unmetUnits: 0, invalidRequests: 0 });
    expect(row.irreproducible).toBe(reproducible ? 0 : 1);
    expect(row.irreproducibleDollars > 0).toBe(!reproducible);
  });

  test('case 158: the fault rate is re-read files of evicted files', () => {
    const lines = Array.from({ length: 6 }, (_, at) => `const amount${at} = basket.items[${at}];`);
    const steps = [
      { user: 'Go.' },
      ...lines.map((line, at) => read(`src/part${at}.ts`, line)),
      { say: 'Seen.' },
      { user: 'Compact.' },
      ...lines.slice(0, 4).map((line) => edit('src/all.ts', line)),
      { say: 'Done.' },
    ];
    const compacts = choosing('compacts', (messages) =>
      messages.some((message) => message.id === 'm8')
        ? messages.map((message, at) => (at < 14 ? cleared(message) : message))
        : messages,
    );
    const row = rowFor(planOf(steps), compacts);
    expect([row.evictedResults, row.faultedResults]).toEqual([6, 4]);
    expect(row.faultRate).toBeCloseTo(4 / 6);
  });
});

describe('the head', () => {
  test('is read whole from the cache whatever the messages are, though the file holds no word of it', () => {
    const plan = planOf([
      { user: 'Go.' },
      ...Array.from({ length: 6 }, (_, at) => read(`/a/f${at}`, 'x')),
    ]);
    const restless = choosing('restless', ([first, ...rest]) => {
      const note = { type: 'text' as const, text: `${rest.length} so far` };
      return [{ ...(first as Message), content: [note, ...(first as Message).content] }, ...rest];
    });
    const { readTokens, requests } = rowFor(plan, restless);
    expect(plan.recording.headSize).toEqual({ tokens: 15_000, source: 'assumed' });
    expect(readTokens).toBe((requests - 1) * 15_000);
  });
});

describe('checks', () => {
  test('an invalid request is counted by rule and has no price', () => {
    const orphans = choosing('orphans', (messages) =>
      messages.filter((message) => toolResults(message).length === 0),
    );
    const row = rowFor(planOf(EDITED), orphans);
    // all but the first, and the one that fetches the file again
    expect(row.invalidRequests).toBe(4);
    expect(Object.keys(row.violations)).toContain('missing-result');
    expect(row.relativeToKeepAll).toBeNull();
    expect(row.promptTokens).toBeLessThan(16_000);
  });

  test('case 156: a cosmetic change breaks the prefix, a broken role order the validity', () => {
    let calls = 0;
    const cosmetic = choosing(
      'cosmetic',
      (messages) => messages,
      (request) => {
        const description = 'Reads a file.'.padEnd(13 + calls++);
        const tool = { name: 'Read', description, input_schema: { type: 'object' } };
        return { ...request, head: { ...request.head, tools: [tool] } };
      },
    );
    const endsWrong = choosing('ends-wrong', (messages) => [
      ...messages,
      { id: 'x', role: 'assistant', content: [{ type: 'text', text: 'Well,' }] },
    ]);
    const [first, second] = [cosmetic, endsWrong].map((each) => rowFor(planOf(EDITED), each));
    expect(first).toMatchObject({ breaks: 3, invalidRequests: 0 });
    expect(second).toMatchObject({ invalidRequests: 4, violations: { 'last-not-user': 4 } });
  });

  test('more markers than the provider takes are invalid', () => {
    const markers = Array.from({ length: 5 }, (_, messageIndex) => ({
      at: 'message' as const,
      messageIndex,
      blockIndex: 0,
    }));
    const strategy = choosing(
      'marker',
      (messages) => messages,
      (request) => ({ ...request, markers }),
    );
    expect(rowFor(planOf(EDITED), strategy).violations['too-many-markers']).toBe(4);
  });

  test.each([
    ['Rename the field everywhere.', 'Asked: Rename the field everywhere. Nothing else.', 0],
    ['Rename the field everywhere.', 'Asked: Rename the field.', 1],
    ['Go on', 'They said: Go on, and so on.', 1],
    ['<system-reminder>Nobody said this.</system-reminder>', 'Summary.', 0],
  ])('%j of a person in place of which stands %j', (asked, text, lost) => {
    const steps: readonly Step[] = [{ user: asked }, { say: 'Done.' }];
    const quotes = choosing('quotes', () => [
      { id: 'x', role: 'user', content: [{ type: 'text', text }] },
    ]);
    expect(rowFor(planOf(steps), quotes).personLostRequests).toBe(lost);
  });

  test('a changed system prompt and a lost message of the user are counted', () => {
    const loses = choosing('loses', () => [
      { id: 'x', role: 'user', content: [{ type: 'text', text: 'Summary.' }] },
    ]);
    const keeps = BUILT_IN_STRATEGIES.find(({ name }) => name === 'volatile-prefix') as Strategy;
    expect(rowFor(planOf(EDITED), loses)).toMatchObject({
      // those of 4 replies, and re-reads of the file and of its path
      personLostRequests: 6,
      systemChangedRequests: 0,
    });
    expect(rowFor(planOf(EDITED), keeps)).toMatchObject({
      personLostRequests: 0,
      systemChangedRequests: 4,
    });
  });

  test('thinking behind a changed prefix is invalid on a model that binds it (M7)', () => {
    const reads = ['a', 'b', 'c'].map((name) => read(`src/${name}.ts`, name));
    const calls = reads.map((step) => ({ ...step, thinking: 'Hm.' }));
    const thinking = [{ user: 'Go.' }, ...calls, { say: 'Done.' }];
    const bound = { pricing: { model: 'claude-opus-5-5' } };
    // The third request clears what the second one still held, and with it the reason of the thought in between.
    const clearing = clearsAfter(1);
    expect(rowFor(planOf(thinking, bound), clearing).violations).toEqual({ 'stale-thinking': 2 });
    expect(rowFor(planOf(thinking), clearing).invalidRequests).toBe(0);
    const keepAll = BUILT_IN_STRATEGIES[0] as Strategy;
    expect(rowFor(planOf(thinking, bound), keepAll).invalidRequests).toBe(0);
  });

  test('requests above the window are refused and have no price', () => {
    const row = rowFor(planOf(EDITED, { pricing: { window: 15_020 } }), clearsAfter(0));
    expect(row.violations['over-window']).toBe(row.invalidRequests);
    expect(row.invalidRequests).toBeGreaterThan(0);
    expect(row).toMatchObject({ overWindowRequests: 0, relativeToKeepAll: null });
  });

  test('an idle gap longer than the lifetime is an expiry, not a break', () => {
    const options = { gapMs: 400_000, pricing: { ttl: '5m' as const } };
    const keepAll = BUILT_IN_STRATEGIES[0] as Strategy;
    expect(rowFor(planOf(EDITED, options), keepAll)).toMatchObject({
      breaks: 0,
      expiries: 3,
      hitRate: 0,
    });
    expect(rowFor(planOf(EDITED, { gapMs: 400_000 }), keepAll).expiries).toBe(0);
  });
});
