import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  anthropicProfile,
  checkHistory,
  createProjection,
  type Entry,
  isText,
  isThinking,
  isToolUse,
  type Message,
  parseEntry,
} from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { recordings } from '../recordings/recordings.ts';
import { provenancePage } from '../src/record/provenance.ts';
import { type SessionFacts, sessionFacts } from '../src/record/session-facts.ts';
import { root } from '../src/workspace.ts';

const folder = join(root, 'fixtures', 'sessions');
const FIXTURES_LIMIT_BYTES = 6_000_000;

interface Session {
  readonly name: string;
  readonly text: string;
  readonly entries: readonly Entry[];
  readonly messages: readonly Message[];
  readonly facts: SessionFacts;
}

const sessions: readonly Session[] = recordings.map(({ name }) => {
  const text = readFileSync(join(folder, `${name}.jsonl`), 'utf8');
  const entries = text.trimEnd().split('\n').map(parseEntry);
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  return { name, text, entries, messages, facts: sessionFacts(entries) };
});
const named = sessions.map((session) => [session.name, session] as const);

const saidBy = (role: Message['role'], { messages }: Session) =>
  messages
    .filter((message) => message.role === role && message.origin === undefined)
    .flatMap((message) => message.content.filter(isText).map((block) => block.text));

const called = (name: string) => sessions.find((each) => each.name === name) as Session;

describe('recorded sessions', () => {
  test('are the files of the folder, and each has a script', () => {
    const files = recordings.map(({ name }) => `${name}.jsonl`).sort();
    expect(readdirSync(folder).sort()).toEqual(files);
    expect(sessions.length).toBeGreaterThanOrEqual(4);
  });

  test('stay small together', () => {
    const all = readdirSync(join(root, 'fixtures'), { recursive: true, withFileTypes: true });
    const bytes = all
      .filter((file) => file.isFile())
      .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
    expect(bytes).toBeLessThan(FIXTURES_LIMIT_BYTES);
  });

  test('are as large as promised: two of them over 180K tokens, none tiny', () => {
    const tokens = sessions.map(({ facts }) => facts.messageTokens);
    expect(tokens.filter((count) => count > 180_000).length).toBeGreaterThanOrEqual(2);
    expect(Math.min(...tokens)).toBeGreaterThan(40_000);
  });

  test('have thinking blocks in one session, with placeholder signatures', () => {
    const thinkers = sessions.filter(({ facts }) => facts.thinkingBlocks > 0);
    expect(thinkers.map(({ name }) => name)).toEqual(['round-trip-bug']);
    const signatures = thinkers
      .flatMap(({ messages }) => messages.flatMap((message) => message.content.filter(isThinking)))
      .map((block) => ('signature' in block ? block.signature : undefined));
    expect(signatures.length).toBeGreaterThan(15);
    for (const signature of signatures) expect(signature).toMatch(/^fixture-signature-\d{4}$/);
  });

  test('are described by the provenance page', () => {
    const page = readFileSync(join(root, 'fixtures', 'README.md'), 'utf8');
    expect(page).toBe(provenancePage(recordings));
  });
});

describe.each(named)('the session %s', (_name, session) => {
  const { text, entries, messages, facts } = session;

  test('is a legal log: head first, every entry accepted, no call left open', () => {
    const projection = createProjection();
    const views = entries.map((entry) => projection.append(entry));
    expect(entries[0]?.type).toBe('head');
    expect(views.at(-1)?.open).toBeUndefined();
    expect(views.at(-1)?.messages.length).toBeGreaterThan(60);
  });

  test('is a valid history at every complete point of the log', () => {
    const projection = createProjection();
    for (const entry of entries) {
      const { messages: view, open } = projection.append(entry);
      if (open === undefined)
        expect(checkHistory(view, anthropicProfile({ thinking: 'free' }))).toEqual([]);
    }
  });

  test('names its model on every reply and claims no billing', () => {
    const replies = messages.filter(({ role }) => role === 'assistant');
    const head = entries.flatMap((entry) => (entry.type === 'head' ? [entry.head] : []))[0];
    expect(new Set(replies.map(({ response }) => response?.model))).toEqual(new Set([head?.model]));
    expect(replies.every(({ response }) => response?.usage === undefined)).toBe(true);
    for (const { content, response } of replies) {
      const stopReason = content.some(isToolUse) ? 'tool_use' : 'end_turn';
      expect(response?.stopReason).toBe(stopReason);
    }
  });

  test('has at least 60 calls, some of them parallel, and failures among the results', () => {
    const parallel = messages.filter(({ content }) => content.filter(isToolUse).length > 1);
    expect(facts.toolCalls).toBeGreaterThanOrEqual(60);
    expect(parallel.length).toBeGreaterThan(5);
    expect(facts.failedResults).toBeGreaterThanOrEqual(2);
  });

  test('uses every tool but glob in all sessions', () => {
    const used = new Set(
      messages.flatMap(({ content }) => content.filter(isToolUse)).map((call) => call.name),
    );
    expect([...used]).toEqual(
      expect.arrayContaining(['read', 'grep', 'edit', 'write', 'shell', 'todo']),
    );
  });

  test('has the idle gaps of 6 and 70 minutes, and time never goes back', () => {
    expect(facts.gapsMinutes).toEqual([6, 70]);
    const times = entries.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
  });

  test('has a status question, a message inside a tool round, and a stopped call', () => {
    expect(saidBy('user', session).some((said) => /status|where are we/i.test(said))).toBe(true);
    const origins = messages.map(({ role, origin }) => origin?.kind ?? role);
    expect(origins).toContain('synthetic');
    const steered = origins.some(
      (kind, index) =>
        kind === 'user' && origins[index - 1] === 'tool' && origins[index + 1] === 'tool',
    );
    expect(steered).toBe(true);
  });

  test.each([
    ['path of a machine', /\/(?:work|root|home\/[a-z]+|tmp|usr)\/[a-z.]/], // hygiene: allow
    ['registry host', /registry\.[a-z]+[a-z.]*\.[a-z]{2,}/],
    ['key of a provider', /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,}/],
    ['private key', /PRIVATE KEY/],
    ['control character', /(?<!\\)(?:\\\\)*\\u00(?:0[0-8b-f]|1[0-9a-f])/],
    ['half surrogate', /(?<!\\)(?:\\\\)*\\ud[89a-f]/],
  ])('holds no %s', (_what, pattern) => {
    expect(pattern.exec(text)?.[0]).toBeUndefined();
  });
});

describe('what later layers are tested with', () => {
  test.each([
    ['round-trip-bug', 'Never touch dist/ or bin/, they are built at release time.'],
    ['round-trip-bug', 'Correction: 500 values per option set, seed 17'],
    ['argument-checks', 'Never touch lib/web, lib/llhttp, docs/ or types/.'],
    ['argument-checks', 'Nothing new per header in lib/core/request.js, that is our hot path.'],
    ['argument-checks', 'Call it check.present instead, everywhere.'],
    ['argument-files', 'Never touch package.json or typings/esm.d.mts'],
    ['argument-files', 'Correction: make the limit 12.'],
    ['billing-dates', 'Never change anything in src/ or package.json.'],
    ['billing-dates', 'Correction, not those five.'],
  ])('%s: the user says "%s"', (name, words) => {
    expect(saidBy('user', called(name)).filter((said) => said.includes(words))).toHaveLength(1);
  });

  test.each([
    ['round-trip-bug', ['quartz-17', 'heron-4', 'marble-9']],
    ['argument-checks', ['basalt-3', 'basalt-4']],
    ['argument-files', ['fern-2', 'slate-6', 'amber-3']],
    ['billing-dates', ['cedar-1', 'cedar-2', 'cedar-3', 'cedar-4', 'cedar-5']],
  ])('%s asks for several things by name', (name, words) => {
    const said = saidBy('user', called(name)).join('\n');
    for (const word of words) expect(said).toContain(word);
  });

  test('the last value stands in the end, and the superseded one does not', () => {
    const { messages } = called('argument-files');
    const written = messages
      .flatMap(({ content }) => content.filter(isToolUse))
      .map((call) => JSON.stringify(call.input));
    expect(written.some((input) => input.includes('const MAX_DEPTH = 12;'))).toBe(true);
    const last = saidBy('assistant', called('argument-files')).slice(-5).join('\n');
    expect(last).toContain('12 levels');
    expect(last).not.toContain('8 levels');
  });

  test('edits refer to lines that were read long before', () => {
    for (const { name, messages } of sessions.filter((each) => each.name !== 'billing-dates')) {
      const far = messages.filter((message, index) =>
        message.content
          .filter(isToolUse)
          .some((call) => call.name === 'edit' && readEarlier(messages, index, call.input)),
      );
      expect(far.length, name).toBeGreaterThan(1);
    }
  });
});

test('every session reads a file again that it read long before', () => {
  for (const { name, messages } of sessions) {
    const reads = messages.flatMap(({ content }, index) =>
      content
        .filter(isToolUse)
        .filter((call) => call.name === 'read')
        .map((call) => ({ index, path: (call.input as { path: string }).path })),
    );
    const again = reads.filter(({ index, path }) =>
      reads.some((earlier) => earlier.path === path && index - earlier.index >= FAR_MESSAGES),
    );
    expect(again.length, name).toBeGreaterThan(0);
  }
});

const FAR_MESSAGES = 20;

/** Whether the last result that shows the text an edit replaces lies at least that many messages back. */
function readEarlier(messages: readonly Message[], index: number, input: unknown): boolean {
  const line = String((input as { old_string: string }).old_string)
    .split('\n')
    .find((each) => each.trim().length > 12);
  if (line === undefined) return false;
  const seen = messages
    .slice(0, index)
    .findLastIndex((message) =>
      JSON.stringify(message.content).includes(JSON.stringify(line).slice(1, -1)),
    );
  return seen >= 0 && index - seen >= FAR_MESSAGES;
}
