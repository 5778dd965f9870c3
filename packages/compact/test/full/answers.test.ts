import { NOTES_OPENING } from '@varve/messages/persons';
import { describe, expect, test } from 'vitest';
import { acceptSummary } from '../../src/full/accept-summary.ts';
import { compact } from '../../src/index.ts';
import { replied, round, said, turns } from './histories.ts';
import { fakeModel, noWait, reply } from './models.ts';

const LIMITS = {
  replacedTokens: 100_000,
  maxTokens: 20_000,
  minSavings: 0.1,
  sizeOf: (text: string) => text.length / 4,
};

const PROBES = [
  'Rate limit exceeded, retry after 20s',
  'Internal server error',
  "I'm sorry, but I can't help with summarizing this conversation.",
  '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body></html>',
  '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  'upstream connect error or disconnect/reset before headers. reset reason: connection timeout',
  'Service temporarily unavailable. Please try again later.',
  'Your credit balance is too low to access the API.',
  "Understood! I'll keep working on the parser and run the tests next.",
  'OK',
  'No response from model (timeout after 120000 ms)',
  `<!DOCTYPE html>\n<html lang="en">${'<p>Error 524: a timeout occurred</p>\n'.repeat(100)}</html>`,
  '<summary>Internal server error</summary>',
  '<summary>I cannot help with that request.</summary>',
  '<summary>\n## 1. Request and intent\nNone\n\n## 2. Key concepts\nNone.\n## 6. User messages\n- None\n</summary>',
  '<summary>\n1. Primary Request and Intent: [Detailed description]\n2. Key concepts:\n   - [Concept 1]\n   - …\n3. Files:\n   <path>: {{what it holds}}\n</summary>',
  'As an AI language model I am not able to continue this conversation.',
  'Too many requests',
  'Error: 529 overloaded',
];

const PLAIN = 'The parser was rewritten without recursion; the lexer is open. Tests: 12 pass.';

const STYLES = [
  `<scratchpad>Walked.</scratchpad>\n<summary>\n## 1. Request and intent\nFix it.\n</summary>`,
  `<summary>${PLAIN}</summary>`,
  `Here is the summary:\n\n<summary>\n${PLAIN}\n</summary>\n\nLet me know if you need more.`,
  `<Summary>\n- ${PLAIN}\n</Summary>`,
  `\`\`\`xml\n<summary>\n${PLAIN}\n</summary>\n\`\`\``,
  `## 1. Request and intent\nFix the parser.\n\n## 2. Key concepts\nNone\n\n## 7. Pending tasks\nThe lexer.`,
  `# Goal\nFix the parser.\n\n# Progress\nThe parser is done.\n\n# Next\nThe lexer.`,
  `**Request**\nFix the parser.\n\n**Current work**\nThe lexer.`,
  `1. Primary Request and Intent:\n   Fix the parser.\n2. Pending Tasks:\n   The lexer.\n3. Errors and fixes:\n   None`,
  `Task:\nFix the parser.\n\nState:\nThe lexer is open.`,
  `## 1. 请求和意图\n修复解析器。\n## 2. 文件\nparser.ts\n## 3. 下一步\n词法分析器。`,
  `<summary>\n## 4. Errors and fixes\nInternal server error in api.ts: fixed by a retry.\n</summary>`,
  `<summary>Error handling was rewritten in http.ts; rate limits are retried. ${PLAIN}</summary>`,
];

describe('an answer without the asked structure is a failed attempt (L316)', () => {
  test.each(PROBES)('refuses %j', (text) => {
    expect(acceptSummary(reply(text), LIMITS).kind).toBe('refused');
  });

  test('all of them, one after the other: the ledger stands in, with the reason', async () => {
    for (const text of PROBES) {
      const model = fakeModel(reply(text));
      const result = await compact(turns(10), { ...model, wait: noWait });
      if (result.kind !== 'compacted') throw new Error(result.reason);
      expect(result.receipt.engine).toBe('ledger');
      expect(result.receipt.failure).toEqual(expect.any(String));
      expect(model.requests.length).toBeLessThanOrEqual(2);
    }
  });

  test.each(STYLES)('accepts %j', async (text) => {
    expect(acceptSummary(reply(text), LIMITS).kind).toBe('accepted');
    const result = await compact(turns(10), fakeModel(reply(text)));
    expect(result.kind === 'compacted' && result.receipt.engine).toBe('summary');
  });
});

// siblings looked for: words of nothing, questions, notices of gateways and systems, refusals in other languages, long ones, and
// good summaries that begin as an error does, in a sentence or in another script
describe('an answer between the tags speaks of what it replaces (L316)', () => {
  const worked = [
    said('Users see 500 errors on /login. Find out why; we also need a 404 page.'),
    ...round('pool', 300),
    replied('The connection pool in db.ts was exhausted. Rate limiting goes to limiter.ts next.'),
    said('Add the rate limit, and the page. 登录页面也要修复。'),
    ...round('limiter', 300),
    replied('Done. The read failed with ECONNRESET once; undefined and null are handled, OK.'),
    ...turns(4),
  ];

  test.each([
    ...['OK', 'Done.', 'undefined', 'null', '[object Object]', 'ECONNRESET', '...', 'Sure!', '{}'],
    'Please provide the conversation you would like me to summarize.',
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
    'Hello! How can I help you today?',
    'Here is the summary you asked for.',
    'Lo siento, no puedo ayudar con esa solicitud.',
    'Es tut mir leid, dabei kann ich nicht helfen.',
    'Je suis désolé, mais je ne peux pas vous aider.',
    '抱歉，我无法协助。',
    'Извините, я не могу помочь с этим.',
    'fetch failed',
    'socket hang up',
    'The upstream took too long.',
    'I am an assistant that was trained by a company, and there is nothing here. '.repeat(20),
  ])('%j does not', async (text) => {
    const model = fakeModel(reply(`<summary>${text}</summary>`));
    const result = await compact(worked, { ...model, wait: noWait });
    expect(result.kind === 'compacted' && result.receipt.engine).toBe('ledger');
  });

  test.each([
    '500 errors on /login were traced to the pool; fix in db.ts.',
    'Rate limiting was added in limiter.ts.',
    '404 page was added.',
    'I fixed the connection pool and added the rate limit you asked for.',
    'Se corrigió db.ts y se añadió limiter.ts.',
    '修复了登录页面。',
    'The parser.',
  ])('%j does', async (text) => {
    const model = fakeModel(reply(`<summary>${text}</summary>`));
    const result = await compact(worked, { ...model, wait: noWait });
    expect(result.kind === 'compacted' && result.receipt.engine).toBe('summary');
    expect(acceptSummary(reply(`<summary>${text}</summary>`), LIMITS).kind).toBe('accepted');
  });

  test('of a history of a few words anything is taken that is no failure', () => {
    const limits = { ...LIMITS, replaced: () => ['USER: hi'] };
    const judged = (text: string) =>
      acceptSummary(reply(`<summary>${text}</summary>`), limits).kind;
    expect(judged('A greeting.')).toBe('accepted');
    expect(judged('Internal server error')).toBe('refused');
    expect(judged('OK')).toBe('refused');
  });
});

describe('an earlier summary is not replaced by less of it (L314)', () => {
  const DECISIONS = Array.from(
    { length: 20 },
    (_, at) =>
      `- Decision ${at}: module-${at} keeps strategy-${at * 7} because of constraint-${at}.`,
  );
  const good = `<summary>\n## 5. Problem solving\n${DECISIONS.join('\n')}\n</summary>`;
  const NONE = `<summary>\n${Array.from({ length: 9 }, (_, at) => `## ${at + 1}. Heading\nNone`).join('\n\n')}\n</summary>`;

  async function compactedOnce() {
    const first = await compact(turns(10), fakeModel(reply(good)));
    if (first.kind !== 'compacted') throw new Error(first.reason);
    return first;
  }

  const held = (messages: readonly { readonly content: unknown }[]) =>
    DECISIONS.filter((line) => JSON.stringify(messages).includes(line)).length;

  test.each([
    { name: 'nine headings that say None', answer: NONE },
    {
      name: 'a long text about the newest round',
      answer: `<summary>\n## 1. Request\n${'The lexer of the parser was read again, and its tests were run. '.repeat(60)}\n</summary>`,
    },
    {
      name: 'twenty other decisions',
      answer: `<summary>\n## 5. Problem solving\n${Array.from({ length: 20 }, (_, at) => `- Question ${at} of the parser was answered in src/a${at}.ts at once, for the tests.`).join('\n')}\n</summary>`,
    },
    {
      name: 'two of the twenty',
      answer: `<summary>\n## 5. Problem solving\n${DECISIONS.slice(0, 2).join('\n')}\n</summary>`,
    },
    { name: 'one sentence', answer: '<summary>The user asked about the parser.</summary>' },
    { name: 'no model', answer: undefined },
  ])('$name after 20 decisions, in a window that is nearly empty', async ({ answer }) => {
    const first = await compactedOnce();
    const model = fakeModel(answer === undefined ? new Error('down') : reply(answer));
    for (const more of [turns(10), [said('And now?'), replied('The lexer.')]]) {
      const history = [...first.messages, ...more];
      const result = await compact(history, { ...model, wait: noWait });
      expect(held(result.messages)).toBe(20);
    }
  });

  test('words that differ in a number are told apart', async () => {
    const decisions = (count: number) =>
      `<summary>\n## 5. Decisions\n${Array.from({ length: count }, (_, at) => `- Use approach alpha${at} because beta${at} failed.`).join('\n')}\n</summary>`;
    const first = await compact(turns(10), fakeModel(reply(decisions(20))));
    if (first.kind !== 'compacted') throw new Error(first.reason);
    const model = fakeModel(reply(decisions(2)));
    const { messages } = await compact([...first.messages, ...turns(10)], {
      ...model,
      wait: noWait,
    });
    const text = JSON.stringify(messages);
    const held = Array.from({ length: 20 }, (_, at) => text.includes(`alpha${at} because`));
    expect(held.filter(Boolean)).toHaveLength(20);
  });

  test('one small exchange is not worth cutting it', async () => {
    const first = await compactedOnce();
    const history = [...first.messages, said('And now?'), replied('The lexer.')];
    const result = await compact(history, { ...fakeModel(new Error('down')), wait: noWait });
    expect(result).toMatchObject({ kind: 'failed', messages: history });
  });

  test('nothing new is nothing to do, whatever was attached and reminded', async () => {
    const first = await compactedOnce();
    const summary = { id: 's', role: 'user', content: first.summary, origin: { kind: 'summary' } };
    const reminder = {
      id: 'r',
      role: 'user',
      content: 'x'.repeat(9_000),
      origin: { kind: 'reminder' },
    };
    const model = fakeModel(reply(good));
    for (const history of [first.messages, [summary, reminder]]) {
      const result = await compact(history as never, model);
      expect(result).toMatchObject({ kind: 'failed', reason: 'nothing-to-compact' });
    }
    expect(model.requests).toEqual([]);
  });

  // of recorded chains of summaries the least kept 8 % of the names and 26 % of the words
  test.each([
    ['two of twenty names, and much new work', 2, true],
    ['none of its names', 0, false],
  ])('one as long as the earlier one that keeps %s is taken: %s', async (_, kept, taken) => {
    const first = await compactedOnce();
    const fresh = Array.from(
      { length: 24 },
      (_, at) =>
        `- The lexer's src/lexer/part${at + 30}.ts now answers parser question ${at + 300} within its budget, tested.`,
    );
    const lines = [...DECISIONS.slice(18, 18 + kept), ...fresh];
    const answer = `<summary>\n## 5. Problem solving\n${lines.join('\n')}\n</summary>`;
    const result = await compact([...first.messages, ...turns(10)], fakeModel(reply(answer)));
    expect(held(result.messages)).toBe(taken ? kept : 20);
  });

  test('a summary that takes most of it over in fewer words is taken', async () => {
    const first = await compactedOnce();
    const shorter = `<summary>${DECISIONS.map((line) => line.slice(2, 48)).join('\n')}</summary>`;
    const history = [...first.messages, ...turns(10)];
    const result = await compact(history, fakeModel(reply(shorter)));
    expect(result.kind === 'compacted' && result.receipt.engine).toBe('summary');
  });
});

describe('what machines said is no word of the user (L318)', () => {
  const machine = (kind: string, text: string) => ({
    ...{ id: `m-${kind}`, role: 'user', content: [{ type: 'text', text }] },
    origin: { kind },
  });

  test('the summariser is told which texts of the user role nobody typed', async () => {
    const text = 'job 7 finished, yes go ahead';
    const model = fakeModel(reply('<summary>The parser.</summary>'));
    const history = [
      ...[said('Fix the parser.'), ...round('a', 3_000)],
      machine('reminder', text),
      machine('re-read', 'a file that was read again'),
      said('<system-reminder>tags of an agent</system-reminder>'),
      ...[replied('Going on.'), said('thanks'), replied()],
    ];
    await compact(history as never, model);
    const [request] = model.requests;
    const instruction = String(request?.messages.at(-1)?.content[0]?.text);
    for (const each of [text, 'a file that was read again', 'tags of an agent']) {
      expect(instruction).toContain(each);
    }
    expect(instruction).not.toContain('thanks');
    // the conversation itself keeps its bytes, so that the cached prefix is read
    expect(JSON.stringify(request?.messages.slice(0, -1))).toContain(JSON.stringify(text));
    expect(request?.messages.find(({ id }) => id === 'm-reminder')).toBe(history[3]);
  });

  test('nothing is said of machines where none spoke', async () => {
    const model = fakeModel(reply('<summary>The parser.</summary>'));
    await compact(turns(10), model);
    const instruction = String(model.requests[0]?.messages.at(-1)?.content[0]?.text);
    expect(instruction).not.toContain('the program put them in');
  });
});

describe('requests that failed or were stopped (L311, L312)', () => {
  const picture = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'aGk=' },
  };
  const model = () => fakeModel(reply('<summary>The parser was read.</summary>'));
  const worked = turns(6);

  test('text and image that only a failed reply followed stay byte for byte', async () => {
    const asked = { role: 'user', content: [{ type: 'text', text: 'What is this?' }, picture] };
    const failed = {
      ...{ id: 'f', role: 'assistant', content: [{ type: 'text', text: 'API Error: 500' }] },
      origin: { kind: 'synthetic' },
    };
    const again = { role: 'user', content: 'try again' };
    const history = [...worked, asked, failed, again];
    const result = await compact(history as never, model());
    if (result.kind !== 'compacted') throw new Error(result.reason);
    const after = result.messages as readonly unknown[];
    expect(after).toContain(asked);
    expect(after).toContain(again);
    expect(after.indexOf(asked)).toBeLessThan(after.indexOf(again));
  });

  // siblings looked for: results as blocks and as images, calls without a result, text with escapes, fields inside of lists,
  // and the subjects of the ledger, which are the same words
  test.each<[string, unknown, string]>([
    [
      'edit',
      { path: '/w/lib/a.js', old_string: ' return x;\n }\n\ttotal', new_string: 'y' },
      'edit /w/lib/a.js',
    ],
    ['Write', { file_path: '/w/b.md', content: '# Title\nEvery line' }, 'Write /w/b.md'],
    [
      'shell',
      { command: 'node -e \'\nfs.mkdirSync("s")\'', timeout_seconds: 3000 },
      'shell node -e \' fs.mkdirSync("s")\'',
    ],
    [
      'bash',
      { command: ['bash', '-lc', 'git commit -m "a\nFix b"'] },
      'bash git commit -m "a Fix b"',
    ],
    [
      'apply_patch',
      { input: '*** Begin Patch\n*** Update File: src/c.ts\n@@\n-a\n+b\n*** End Patch' },
      'apply_patch src/c.ts',
    ],
    ['read', { filePath: 'src/d.ts', offset: 1 }, 'read src/d.ts'],
    ['mcp__tracker__create_issue', { title: 'Broken' }, 'mcp__tracker__create_issue Broken'],
    [
      'db.query',
      { sql_text: 'drop\ntable x', rows: [{ row_name: 'y' }] },
      'db.query drop table x y',
    ],
    ['finish', { dry_run: false }, 'finish'],
    ['finish', undefined, 'finish'],
  ])('L313: %s with %j is told in words, and nothing of it as JSON', async (name, input, told) => {
    const refused = "The user doesn't want to proceed with this tool use.";
    const use = (id: string) => ({ type: 'tool_use', id, name, input });
    const text = (said: string) => ({ type: 'text', text: said });
    const history = [
      ...worked,
      said('do it'),
      { role: 'assistant', content: [use('c1'), use('c2')] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: [text('one\n\ttwo'), picture] },
          {
            type: 'tool_result',
            tool_use_id: 'c2',
            content: refused,
            is_error: true,
          },
        ],
      },
      said('explain Y'),
      ...round('y', 500),
    ];
    const result = await compact(history as never, model());
    if (result.kind !== 'compacted') throw new Error(result.reason);
    const lines = result.summary.slice(result.summary.indexOf('# Stopped before')).split('\n');
    expect(lines.filter((line) => line.startsWith('  - '))).toEqual([
      `  - ${told}: one two [image was here]`,
      `  - ${told}: ${refused}`,
    ]);
  });

  test('what was stopped is marked as stopped, with its call, and only the next request is open', async () => {
    const input = { command: 'psql -c "drop table X"' };
    const refused = "The user doesn't want to proceed with this tool use.";
    const open = said('explain Y');
    const history = [
      ...worked,
      said('drop table X'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'bash', input }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c', content: refused, is_error: true }],
      },
      open,
      ...round('y', 500),
    ];
    for (const summariser of [model(), fakeModel(new Error('down'))]) {
      const result = await compact(history as never, { ...summariser, wait: noWait });
      if (result.kind !== 'compacted') throw new Error(result.reason);
      const after = result.messages as readonly { readonly content: unknown }[];
      expect(after).toContain(open);
      expect(after.filter(({ content }) => content === 'drop table X')).toEqual([]);
      const stopped = result.summary.slice(result.summary.indexOf('# Stopped before it was done'));
      expect(stopped).toContain('- stopped: "drop table X"');
      expect(stopped).toContain('bash psql -c "drop table X": ');
      expect(stopped).toContain("The user doesn't want to proceed");
      expect(stopped).not.toContain('explain Y');
      // a second compaction still knows of it, once, whatever the model writes
      const copied = await compact([...result.messages, ...turns(6)] as never, {
        ...fakeModel(reply(`<summary>The parser was read again.\n\n${stopped}</summary>`)),
        wait: noWait,
      });
      if (copied.kind !== 'compacted') throw new Error(copied.reason);
      expect(copied.summary.split('- stopped: "drop table X"')).toHaveLength(2);
      const again = await compact([...result.messages, ...turns(6)] as never, {
        ...fakeModel(new Error('down')),
        wait: noWait,
      });
      if (again.kind !== 'compacted') throw new Error(again.reason);
      expect(again.summary.split('- stopped: "drop table X"')).toHaveLength(2);
      expect(again.summary).toContain('bash psql -c "drop table X": ');
    }
  });

  // siblings looked for: the request, the call and its result, cut in the middle of the secret, and both switches
  test('L325: secrets of a stopped request, its calls and their results are in no summary', async () => {
    const secret = `sk-ant-api03-${'Ab1'.repeat(31)}AA`;
    const input = { command: `deploy ${'x'.repeat(150)} --key ${secret}` };
    const history = [
      ...worked,
      said(`deploy with ${secret}`),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'bash', input }] },
      {
        role: 'user',
        content: [
          {
            ...{ type: 'tool_result', tool_use_id: 'c', is_error: true },
            content: `The user doesn't want to proceed with this tool use. ${'x'.repeat(80)} ${secret}`,
          },
        ],
      },
      said('explain Y'),
      ...round('y', 500),
    ];
    for (const redact of [true, false]) {
      const result = await compact(history as never, { ...model(), redact });
      if (result.kind !== 'compacted') throw new Error(result.reason);
      const at = result.summary.indexOf('# Stopped before it was done');
      expect(at).toBeGreaterThan(0);
      expect(result.summary.slice(at).includes(secret.slice(0, 20))).toBe(!redact);
    }
  });
});

// siblings looked for: notes with and without an origin, alone and before work, quoted by a person
describe('notes that stand for a conversation are a summary, also without an origin (L318)', () => {
  const notes = `${NOTES_OPENING} Newer messages follow.\n\n# Task\nPort parser-X42 to Zig.`;
  const down = () => ({ ...fakeModel(new Error('down')), wait: noWait });

  test.each([undefined, { kind: 'summary', by: 'session-memory' }])(
    'with the origin %j they are taken over, and are no words of the person',
    async (origin) => {
      const first = { role: 'user', content: notes, ...(origin && { origin }) };
      const alone = await compact([first] as never, down());
      expect(alone).toMatchObject({ kind: 'failed', reason: 'nothing-to-compact' });
      const result = await compact([first, ...turns(6)] as never, down());
      if (result.kind !== 'compacted') throw new Error(result.reason);
      expect(result.summary).toContain('Port parser-X42 to Zig.');
      expect(result.messages).not.toContain(first);
      const said = result.summary.split('## Messages of the user, oldest first')[1];
      expect(said).toContain('Question 0');
      expect(said).not.toContain('Newer messages follow');
    },
  );

  test('a person who quotes them has asked something', async () => {
    const asked = said(`What does "${notes}" mean?`);
    const result = await compact([...turns(6), asked] as never, down());
    if (result.kind !== 'compacted') throw new Error(result.reason);
    expect(result.messages).toContain(asked);
  });
});

// the patterns that know an empty summary looked back over every mark of a line: 80,000 of them took seconds
test.each(['-', '.', '_', ' *', '- '])(
  'an answer of 80,000 times %j and a word is read at once',
  (mark) => {
    const text = `<summary>none\n${mark.repeat(80_000)}x</summary>`;
    const before = process.cpuUsage();
    acceptSummary({ content: [{ type: 'text', text }], stopReason: 'end_turn' }, LIMITS);
    const { user } = process.cpuUsage(before);
    expect(user / 1_000).toBeLessThan(1_000);
  },
);
