import type { JsonObject, StopReason } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { acceptSummary } from '../../src/full/accept-summary.ts';
import { compact, createCompaction, type SummaryReply } from '../../src/index.ts';
import { contextOf, start, turn } from '../collapse/support.ts';
import { contextFor, HEAD, watchedLog } from '../plan/working-log.ts';
import { replied, round, said } from './histories.ts';
import { fakeModel, NAMED, noWait, reply } from './models.ts';

const HISTORY = [
  said('Users see 500 errors on /login. Find out why, and add a rate limit to the API.'),
  ...round('pool', 300),
  replied('The connection pool in src/db.ts was exhausted: 10 connections, none released.'),
  ...round('limiter', 300),
  replied('The pool is fixed. The rate limit goes to src/limiter.ts: 20 requests a minute.'),
  said('Keep the old endpoint. Run npm test before you commit.'),
  ...round('tests', 300),
  replied('npm test: 12 passed, 1 failed in test/limiter.test.ts. The window is not reset.'),
  said('Fix that one.'),
  ...round('fix', 300),
  replied('Fixed; all tests pass.'),
];

const SECTIONS = `## 1. Request and intent
Find out why /login answers with 500 errors, and add a rate limit to the API.

## 3. Files and code
- src/db.ts: the connection pool was exhausted, fixed
- src/limiter.ts: the rate limit, 20 requests a minute

## 7. Pending tasks
Fix the failing test in test/limiter.test.ts: the window is not reset.`;

const PLAIN =
  'The connection pool in src/db.ts was exhausted and is fixed. The rate limit in src/limiter.ts is open: one test fails.';

const tagged = (text: string) => `<summary>\n${text}\n</summary>`;
const thought = (thinking: string) => ({ type: 'thinking', thinking, signature: 's' }) as const;
const call = { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'src/db.ts' } } as const;
const blocks = (stopReason: StopReason, ...content: SummaryReply['content']): SummaryReply => ({
  content,
  stopReason,
});
const text = (value: string) => ({ type: 'text', text: value }) as const;

type Answers = readonly (string | SummaryReply)[];
interface Kind {
  /** Reasons, one of which each answer has; undefined where it is a summary. */
  readonly reasons?: readonly string[];
  readonly answers: Answers;
}

const KINDS: Readonly<Record<string, Kind>> = {
  'a refusal': {
    reasons: ['refused', 'no-structure'],
    answers: [
      reply('No.', 'refusal'),
      reply(tagged(SECTIONS), 'refusal'),
      blocks('refusal'),
      "I'm sorry, but I can't help with that.",
      'I cannot summarize this conversation.',
      'I won’t be able to assist with this request.',
      'Sorry, this goes against my guidelines.',
      'Unfortunately, I am not able to process this content.',
      'As an AI language model, I cannot access earlier messages.',
      'I must decline.',
      'This content violates our usage policies.',
      tagged('I cannot help with that request.'),
      tagged("I'm unable to provide a summary of this conversation."),
      tagged('I don’t feel comfortable summarizing this.'),
      tagged('Sorry, but I need to stop here.'),
      tagged('Lo siento, no puedo ayudar con eso.'),
      tagged('申し訳ありませんが、お手伝いできません。'),
      tagged(
        '## Summary\nI cannot summarize this conversation because it contains restricted material.',
      ),
      tagged(
        '## 1. Request and intent\nI am sorry, but I will not continue with this.\n\n## 9. Next step\nNone',
      ),
      'We are unable to fulfil this request. Please contact support.',
    ],
  },
  'what a gateway says': {
    reasons: ['error-reply', 'no-structure'],
    answers: [
      'Internal server error',
      'Bad Gateway',
      '502 Bad Gateway',
      'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0',
      'upstream connect error or disconnect/reset before headers. reset reason: overflow',
      'upstream request timeout',
      'no healthy upstream',
      'Gateway Time-out',
      '<html><body><h1>504 Gateway Time-out</h1></body></html>',
      '<!DOCTYPE html>\n<html><head><title>Just a moment...</title></head></html>',
      '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>',
      '{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}',
      '{"type":"error","error":{"type":"api_error","message":"Internal server error"}}',
      '{"status":503,"message":"unavailable"}',
      '{"detail":"Not Found"}',
      'error code: 1020',
      'read ECONNRESET',
      'stream error: stream ID 5; INTERNAL_ERROR',
      tagged('429 Too Many Requests'),
      tagged('<html><body>502 Bad Gateway</body></html>'),
    ],
  },
  'a structure with nothing in it': {
    reasons: ['empty-summary'],
    answers: [
      tagged(''),
      tagged('None'),
      tagged('N/A'),
      tagged('...'),
      tagged('-'),
      tagged(['Request', 'Files', 'Next step'].map((name) => `## ${name}\nNone`).join('\n\n')),
      tagged(['Request', 'Files', 'Next step'].map((name) => `## ${name}\n- n/a`).join('\n\n')),
      tagged(['Request', 'Files', 'Next step'].map((name) => `## ${name}\n_None._`).join('\n\n')),
      tagged(['Request', 'Files', 'Next step'].map((name) => `## ${name}`).join('\n')),
      tagged('1. Request: None\n2. Files: None\n3. Next step: None'),
      tagged('- **Request**: none\n- **Files**: none yet'),
      tagged('## Errors\nNo errors found.\n\n## Files\nNo files were changed.\n\n## Next\nTBD'),
      tagged('## Request\n(none)\n\n## Files\n[]\n\n## Next\n""'),
      tagged('## Petición\nNinguna\n\n## Archivos\nNinguno\n\n## Siguiente\nNada'),
      tagged('## 请求\n无\n\n## 文件\n没有\n\n## 下一步\n无'),
      tagged(
        '## Request\n[what the user wants]\n\n## Files\n<list of files>\n\n## Next\n{the next step}',
      ),
      tagged('- [what was done]\n- [files by their full path]\n- [commands and their outcome]'),
      tagged('<request></request>\n<files></files>'),
      `## 1. Request and intent\nNone\n\n## 2. Key concepts\nNone\n\n## 7. Pending tasks\nNone`,
      '<scratchpad>All of it was walked through.</scratchpad>\n<summary>\n\n</summary>',
    ],
  },
  'a call in place of text': {
    reasons: ['tool-call'],
    answers: [
      blocks('tool_use', call),
      blocks('tool_use', text('Let me look.'), call),
      blocks('end_turn', text(tagged(SECTIONS)), call),
      blocks('end_turn', call),
      reply(tagged(SECTIONS), 'tool_use'),
      blocks('tool_use'),
      blocks('tool_use', thought('I should read it.'), call),
      blocks('max_tokens', call),
      blocks('tool_use', call, { ...call, id: 'c2' }),
      '<function_calls>\n<invoke name="read"><parameter name="path">src/db.ts</parameter></invoke>\n</function_calls>',
      '<tool_call>\n{"name": "read", "arguments": {"path": "src/db.ts"}}\n</tool_call>',
      '<invoke name="read">\n<parameter name="path">src/limiter.ts</parameter>\n</invoke>',
      '{"name": "read", "arguments": {"path": "src/db.ts"}}',
      '[{"name": "read", "parameters": {"path": "src/db.ts"}}]',
      '```json\n{"tool": "read", "input": {"path": "src/db.ts"}}\n```',
      '[TOOL_CALLS] [{"name": "read", "arguments": {"path": "src/db.ts"}}]',
      '<|tool_call|>{"name":"read","arguments":{}}',
      '<tool_code>\nprint(read("src/db.ts"))\n</tool_code>',
      tagged('<tool_call>{"name": "read", "arguments": {"path": "src/limiter.ts"}}</tool_call>'),
      tagged('{"type": "tool_use", "name": "read", "input": {"path": "src/db.ts"}}'),
    ],
  },
  'an answer that is cut': {
    reasons: ['cut-summary', 'prompt-too-long'],
    answers: [
      reply(tagged(SECTIONS), 'max_tokens'),
      reply(`<summary>\n${SECTIONS.slice(0, 120)}`, 'max_tokens'),
      reply(`<summary>\n${SECTIONS.slice(0, 120)}`),
      reply('<summary>'),
      reply('<summary>\n'),
      reply('<scratchpad>Walked through'),
      reply(`<scratchpad>Walked through it.</scratchpad>\n<summary>\n${PLAIN}`),
      reply('<scratchpad>Walked', 'max_tokens'),
      reply(SECTIONS, 'max_tokens'),
      reply(tagged(SECTIONS), 'aborted'),
      reply(tagged(SECTIONS), 'pause_turn'),
      reply(tagged(SECTIONS), 'unknown'),
      reply(tagged(SECTIONS), 'model_context_window_exceeded'),
      reply('', 'max_tokens'),
      blocks('max_tokens', thought('All of the room went here.')),
      reply('<think>All of the room'),
      reply(`<thinking>It was about <summary>`),
      reply(`<summary>${PLAIN}`),
      { content: [text(SECTIONS)], stopReason: undefined as never },
      { content: [text(`<summary>${PLAIN}`)], stopReason: undefined as never },
    ],
  },
  'an answer in another language': {
    answers: [
      tagged(
        'Se corrigió el pool de conexiones en src/db.ts; el límite en src/limiter.ts sigue pendiente.',
      ),
      tagged('Le pool de connexions de src/db.ts a été corrigé; il reste src/limiter.ts.'),
      tagged('Der Verbindungspool in src/db.ts ist repariert, src/limiter.ts ist noch offen.'),
      tagged('Пул соединений в src/db.ts исправлен, осталось src/limiter.ts.'),
      tagged('src/db.ts の接続プールを修正した。src/limiter.ts は未完了。'),
      tagged('修复了 src/db.ts 的连接池；src/limiter.ts 还没完成。'),
      tagged('src/db.ts의 연결 풀을 수정했다. src/limiter.ts가 남았다.'),
      tagged('تم إصلاح src/db.ts وبقي src/limiter.ts.'),
      tagged('src/db.ts में कनेक्शन पूल ठीक किया गया; src/limiter.ts बाकी है।'),
      tagged('O pool em src/db.ts foi corrigido; falta src/limiter.ts.'),
      tagged(
        '## 1. Petición\nAveriguar por qué falla /login.\n\n## 3. Archivos\nsrc/db.ts corregido.',
      ),
      tagged(
        '## Demande\nTrouver la cause des erreurs 500.\n\n## Suite\nCorriger le test de la fenêtre.',
      ),
      tagged(
        '## Auftrag\nDie Ursache der Fehler finden.\n\n## Offen\nDer Test des Begrenzers schlägt fehl.',
      ),
      tagged('## 请求和意图\n查明登录失败的原因。\n\n## 下一步\n修复测试。'),
      tagged('## 要求\nログインの失敗の原因を調べる。\n\n## 次\nテストを直す。'),
      tagged('## Запрос\nНайти причину ошибок входа.\n\n## Дальше\nИсправить тест.'),
      '## 1. Petición\nAveriguar por qué falla /login.\n\n## 2. Archivos\nsrc/db.ts corregido.\n\n## 3. Siguiente\nsrc/limiter.ts.',
      '## 1. 请求\n修复 /login。\n## 2. 文件\nsrc/db.ts\n## 3. 下一步\nsrc/limiter.ts。',
      '**Auftrag**\nFehler in src/db.ts.\n\n**Stand**\nBehoben.\n\n**Offen**\nsrc/limiter.ts.',
      '# Demande\nErreurs 500.\n\n# Fichiers\nsrc/db.ts corrigé.\n\n# Suite\nsrc/limiter.ts.',
    ],
  },
  'a summary in a code fence': {
    answers: [
      ...['', 'xml', 'markdown', 'md', 'text', 'html'].map(
        (name) => `\`\`\`${name}\n${tagged(PLAIN)}\n\`\`\``,
      ),
      ...['', 'markdown', 'md', 'text'].map((name) => `\`\`\`${name}\n${SECTIONS}\n\`\`\``),
      ...['', 'markdown', 'md', 'text'].map((name) => tagged(`\`\`\`${name}\n${SECTIONS}\n\`\`\``)),
      tagged(`\`\`\`\n${PLAIN}\n\`\`\``),
      `~~~\n${tagged(PLAIN)}\n~~~`,
      `\`\`\`\`markdown\n${SECTIONS}\n\`\`\`\``,
      `Here it is:\n\n\`\`\`xml\n${tagged(SECTIONS)}\n\`\`\``,
      `<scratchpad>Walked.</scratchpad>\n\`\`\`\n${tagged(PLAIN)}\n\`\`\``,
      `\`\`\`\n<summary>${PLAIN}</summary>\n\`\`\`\nDone.`,
    ],
  },
  'two summaries': {
    answers: [
      `${tagged(PLAIN)}\n${tagged(SECTIONS)}`,
      `${tagged(PLAIN)}\n\n${tagged(PLAIN)}`,
      `${tagged(SECTIONS)}\n\nLet me write that again.\n\n${tagged(SECTIONS)}`,
      `${tagged(PLAIN)}\nA longer one:\n${tagged(SECTIONS)}`,
      `${tagged(SECTIONS)}\nIn short:\n${tagged(PLAIN)}`,
      `<scratchpad>${tagged('A draft.')}</scratchpad>\n${tagged(SECTIONS)}`,
      `<think>${tagged('A draft.')}</think>\n${tagged(SECTIONS)}`,
      `<thinking>\n${tagged('A draft.')}\n</thinking>\n${tagged(PLAIN)}`,
      `Earlier:\n${tagged(PLAIN)}\nNow:\n${tagged(SECTIONS)}\nDone.`,
      `${tagged(PLAIN)}\n---\n${tagged(SECTIONS)}`,
      `<summary>${PLAIN}</summary>\n<summary>${SECTIONS}</summary>`,
      `<summary>${PLAIN}</summary><summary>${SECTIONS}</summary>`,
      `<Summary>\n${PLAIN}\n</Summary>\n\n<Summary>\n${SECTIONS}\n</Summary>`,
      tagged(`${tagged(PLAIN)}\n${SECTIONS}`),
      tagged(tagged(SECTIONS)),
      `${tagged('None')}\n${tagged(SECTIONS)}`,
      `${tagged(SECTIONS)}\n${tagged('None')}`,
      blocks('end_turn', text(tagged(PLAIN)), text(tagged(SECTIONS))),
      blocks('end_turn', thought(tagged('A draft.')), text(tagged(SECTIONS))),
      `${tagged(PLAIN)}\n${tagged(SECTIONS)}\n${tagged(PLAIN)}`,
    ],
  },
  'a summary and chatter': {
    answers: [
      ...[
        'Let me know if you need more.',
        'I hope this helps!',
        "I'm sorry it is long.",
        'Would you like me to go on?',
        'Internal server error',
        'Next I will run the tests.\n\n```sh\nnpm test\n```',
        'Note: the tag </summary> ends it.',
        '🎉'.repeat(30),
        `${'That is all. '.repeat(200)}`,
        '{"done": true}',
      ].map((chatter) => `${tagged(SECTIONS)}\n\n${chatter}`),
      ...[
        'Sure!',
        'Here is the summary you asked for:',
        'Understood. I call no tool.',
        'OK',
        '# Summary',
      ].map((chatter) => `${chatter}\n\n${tagged(SECTIONS)}`),
      `${SECTIONS}\n\nLet me know if you need more.`,
      `Here is the summary:\n\n${SECTIONS}`,
      `Sure, here it is.\n\n${tagged(PLAIN)}\n\nAnything else?`,
      blocks('end_turn', text('Here it is.'), text(tagged(SECTIONS)), text('Done.')),
      reply(tagged(SECTIONS).replace('</summary>', ''), 'stop_sequence'),
    ],
  },
  'nothing but thinking': {
    reasons: ['empty-summary'],
    answers: [
      blocks('end_turn', thought('Hm.')),
      blocks('end_turn', thought(tagged(SECTIONS))),
      blocks('end_turn', thought(''), thought('')),
      blocks('end_turn', { type: 'redacted_thinking', data: 'x' }),
      blocks('end_turn', thought('Hm.'), { type: 'redacted_thinking', data: 'x' }),
      blocks('end_turn', thought('Hm.'), text('')),
      blocks('end_turn', thought('Hm.'), text(' \n')),
      blocks('end_turn', { type: 'reasoning', reasoning: SECTIONS }),
      blocks('end_turn'),
      blocks('end_turn', text('')),
      blocks('stop_sequence', thought('Hm.')),
      blocks('end_turn', thought(SECTIONS), text('<summary></summary>')),
      '<think>I walked through it.</think>',
      '<think>\nThe connection pool in src/db.ts was exhausted.\n</think>\n\n',
      '<thinking>The pool.</thinking>',
      '<thought>The pool.</thought>',
      '<analysis>The pool in src/db.ts.</analysis>',
      '<reasoning>The pool.</reasoning>',
      '<scratchpad>The pool in src/db.ts.</scratchpad>',
      `<think>${tagged(SECTIONS)}</think>`,
    ],
  },
  'an answer about something else': {
    reasons: ['no-structure', 'empty-summary'],
    answers: [
      'OK',
      tagged('Done.'),
      tagged('OK OK OK'),
      tagged('Parser'),
      tagged('The weather in Lisbon is mild in autumn.'),
      tagged('Hello! How can I help you today?'),
      tagged('Please provide the conversation you would like me to summarize.'),
      tagged('Here is a poem about the sea.\nWaves and foam and salt and wind.'),
      tagged(
        '## Recipe\nMelt the butter and stir in the sugar, the flour and a pinch of salt.\n\n## Baking\nBake it for half an hour in a warm oven.',
      ),
      tagged(
        '## Goal\nThe customer wants to plan a wedding in Tuscany with eighty guests.\n\n## Next step\nBook the photographer and choose flowers for the ceremony.',
      ),
      tagged(
        '## Summary\nThe novel follows two sisters who grow up in a village and leave it for the city.',
      ),
      '## Recipe\nMelt the butter and stir in the sugar and the flour.\n\n## Steps\nBake it in a warm oven.\n\n## Serving\nWith cream and a glass of milk.',
      "Understood! I'll keep going.",
      'Sure, what would you like me to do next?',
      tagged('I am a helpful assistant trained by a company.'),
      tagged('undefined'),
      tagged('[object Object]'),
      tagged('Lorem ipsum dolor sit amet, consectetur adipiscing elit.'),
      tagged('The quick brown fox jumps over a lazy dog.'),
      'Great work everyone, see you tomorrow!',
    ],
  },
};

const LIMITS = {
  ...{ replacedTokens: 100_000, maxTokens: 20_000, minSavings: 0.1 },
  sizeOf: (value: string) => value.length / 4,
  replaced: () => [JSON.stringify(HISTORY)],
};

const replyOf = (answer: string | SummaryReply): SummaryReply =>
  typeof answer === 'string' ? reply(answer) : answer;

// siblings looked for: at each door that asks a model for a summary (`compact`, a planner on a log, a folded span)
describe.each(Object.entries(KINDS))('20 answers: %s (L316)', (_, { answers, reasons }) => {
  test('are twenty', () => {
    expect(answers).toHaveLength(20);
  });

  test.each(answers.map((answer) => [answer]))('%j', async (answer) => {
    const given = replyOf(answer);
    const model = { ...fakeModel(given), wait: noWait };
    const judged = acceptSummary(given, LIMITS);
    const result = await compact(HISTORY, { ...model, fallback: 'none' });
    const { planner, run } = await onLog(given);
    const span = await folded(given);
    if (reasons === undefined) {
      expect(judged.kind).toBe('accepted');
      expect(result.kind).toBe('compacted');
      expect(run.kind).toBe('compacted');
      expect(span.kind).toBe('staged');
      if (result.kind !== 'compacted') return;
      expect(result.summary).toMatch(/^(?![\s\S]*<\/?(?:summary|think|scratchpad)>)/i);
      expect(result.summary).not.toMatch(/^(?:`{3}|~{3})/);
      expect(result.summary).not.toContain('A draft.');
      return;
    }
    expect(judged).toMatchObject({ kind: 'refused' });
    for (const each of [judged, result, run, span])
      expect(reasons).toContain((each as { reason?: string }).reason);
    expect(result).toMatchObject({ kind: 'failed', messages: HISTORY });
    expect(result.messages).toBe(HISTORY);
    expect(run.kind).toBe('failed');
    expect(span.kind).toBe('failed');
    expect(planner.breaker()).toEqual(createCompaction({ ...model }).breaker());
  });
});

async function onLog(given: SummaryReply) {
  const planner = createCompaction({ ...fakeModel(given), wait: noWait, fallback: 'none' });
  const log = watchedLog(planner);
  log.append(HEAD);
  for (const { role, content } of HISTORY) {
    const blocksOf = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    log.say({ role, content: blocksOf as never });
  }
  const plan = planner.planNow(contextFor(log.view, { windowTokens: 200_000 }), {
    trigger: 'manual',
  });
  if (plan.kind !== 'work') throw new Error(plan.reason);
  const before = log.view;
  const run = await planner.run(plan.work);
  expect(log.view).toBe(before);
  return { planner, run: run as typeof run & { readonly reason?: string } };
}

/** What the note of a span says. */
async function folded(given: SummaryReply): Promise<JsonObject & { readonly reason?: string }> {
  const log = start({ summarize: async () => given, sizeOfText: () => 5 });
  log.add({ type: 'head', head: { id: 'h', ...NAMED, system: [], tools: [], params: {} } });
  for (const [at, { role, content }] of HISTORY.entries()) {
    const blocksOf = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    log.add({ type: 'message', message: { id: `m${at}`, role, content: blocksOf as never } });
  }
  turn(log, 'last', 2);
  const plan = log.collapse.plan(contextOf(95));
  if (plan.kind !== 'work') throw new Error(plan.reason);
  const { notes } = await log.collapse.run(plan.work);
  return notes[0] as JsonObject;
}
