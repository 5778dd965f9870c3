import { extractiveSummary } from '@varve/emulator';
import { parseAgentDefinition, parseAgentSettings } from '@varve/fork-agent/definitions';
import {
  checkSummary,
  createLedger,
  type Ledger,
  ledgerNotes,
  quotedWords,
  renderLedger,
} from '@varve/ledger';
import {
  anthropicProfile,
  checkHistory,
  fingerprint,
  type Message,
  parseEntry,
  repairHistory,
  serializeEntry,
  stableStringify,
} from '@varve/messages';
import {
  fromAISDK,
  fromAnthropic,
  fromOpenAIChat,
  fromOpenAIResponses,
  toAISDK,
  toAnthropic,
  toOpenAIChat,
  toOpenAIResponses,
} from '@varve/messages/convert';
import { soundReply } from '@varve/messages/fit';
import {
  isSummary,
  openRequests,
  splitInjected,
  stoppedSection,
  withoutStoppedSection,
} from '@varve/messages/persons';
import { safeFileName, storedHandle } from '@varve/messages/stored';
import { cutMiddle, cutText } from '@varve/messages/text';
import {
  callSubject,
  patchedFiles,
  plainPath,
  readCall,
  shellCommand,
} from '@varve/messages/tools';
import { explainClearing, microcompact } from '@varve/microcompact';
import { findOverflow, toModelError } from '@varve/models/errors';
import { renderPrefix } from '@varve/prompt-cache/server';
import { redact, redactJson } from '@varve/redact';
import { compactFromNotes } from '@varve/session-memory';
import { DEFAULT_TEMPLATE, parseTemplate } from '@varve/session-memory/template';
import { createEstimator } from '@varve/tokens';
import { loadExactCounter } from '@varve/tokens/exact';
import { createToolStorage, memoryStore, offloadMessages } from '@varve/tool-storage';
import { handlesIn } from '@varve/tool-storage/retention';
import { readEntries } from '@varve/transcript';
import { importSession } from '@varve/transcript/import';
import { acceptSummary } from '../../packages/compact/src/full/accept-summary.ts';
import { checkNotes, isEmptyNotes } from '../../packages/session-memory/src/check-notes.ts';
import { limitNotes, measureNotes } from '../../packages/session-memory/src/limit-notes.ts';
import { mendNotes } from '../../packages/session-memory/src/mend-notes.ts';
import type { BenchOptions, BenchRow } from './bench-row.ts';
import { HOSTILE_TEXTS, SECRET_TEXTS } from './hostile-texts.ts';
import {
  exponentOf,
  growthRow,
  MOST_EXPONENT,
  millisecondsUntil,
  millisecondsWorked,
} from './timing.ts';

/**
 * In UTF-16 units. Notes of a smaller one are within their bound, so that nothing is cut; and one secret has at most 32,768, so
 * that what is behind it in a smaller one is not read.
 */
const SIZES = [65_536, 131_072, 262_144, 524_288, 1_048_576];
/** Tokens of a summary: every text is larger, and work that begins beyond it is no growth. */
const SMALL = 4_000;
/** Larger sizes are left out of a function that took so long. */
const MOST_MS = 1_500;
/** Below it a time is that of the collector and of fresh memory; a square of 256 Ki units takes seconds. */
const LEAST_MS = 12;
/** A first look, at three doublings, is not enough above it. */
const SUSPECT = 1.15;
const LOOKS = 3;
/** Through fewer points no line is drawn, but for the first look. */
const LEAST_SIZES = 3;
const MORE_ROUNDS = 3;

/** Of so many texts one is read beside the other benchmarks. */
const SHARE = 8;

type Work = (text: string) => unknown;

/**
 * Nothing takes more than about as long as its text: each function of the packages that reads one, on each text that is made to
 * be hard on patterns and loops, in several sizes; a row is a function and the text it did worst on. Beside the other benchmarks
 * each function reads one text in eight, and all of them where this program is named (`pnpm bench text-scaling`).
 * `VARVE_TEXT_FUNCTION='redact;importSession'` chooses functions; one alone is shown with every text.
 */
export async function run({ isNamed }: BenchOptions): Promise<BenchRow[]> {
  const named = process.env.VARVE_TEXT_FUNCTION?.split(';');
  const only = named?.length === 1 ? named[0] : undefined;
  const rows: BenchRow[] = [];
  for (const [at, [name, work]] of Object.entries(await functions()).entries()) {
    if (named !== undefined && !named.includes(name)) continue;
    const texts = Object.entries(textsFor(name));
    const found: Growth[] = [];
    const chosen = isNamed ? texts : texts.filter((_, index) => (index + at) % SHARE === 0);
    for (const [kind, make] of chosen) {
      const growth = await growthOf(work, kind, make);
      found.push(growth);
      if (only !== undefined) rows.push(toRow(name, growth, { texts: 1 }));
    }
    const worst = found.reduce((one, other) => (other.exponent > one.exponent ? other : one));
    const floor = worst.exponent > MOST_EXPONENT ? await floorOf(textsFor(name)[worst.kind]) : 0;
    process.stderr.write(
      `  ${name}: ${worst.exponent.toFixed(2)} on ${worst.kind}${beside(floor)}\n`,
    );
    if (only === undefined) rows.push(toRow(name, worst, { floor, texts: chosen.length }));
  }
  return rows;
}

const textsFor = (name: string): typeof HOSTILE_TEXTS =>
  name.startsWith('redact') ? { ...HOSTILE_TEXTS, ...SECRET_TEXTS } : HOSTILE_TEXTS;

interface Growth {
  readonly kind: string;
  /** Milliseconds of each size that was tried. */
  readonly times: readonly number[];
  readonly exponent: number;
}

async function growthOf(work: Work, kind: string, make: (size: number) => string): Promise<Growth> {
  const [small, , , large] = SIZES as [number, number, number, number];
  const sizes = [small, large];
  const [short, long] = [make(small), make(large)];
  let first = await bothOf(work, short, long);
  // one look may meet the compiler or the collector
  for (let look = 1; look < LOOKS && slopeOf(first, sizes) > SUSPECT; look++) {
    const again = await bothOf(work, short, long);
    first = [Math.min(first[0], again[0]), Math.min(first[1], again[1])];
  }
  const exponent = slopeOf(first, sizes);
  if (first[1] < LEAST_MS) return { kind, times: first, exponent: 0 };
  if (exponent < SUSPECT) return { kind, times: first, exponent };
  const found = await leastTimes(work, make);
  // too slow for a table is no reason to pass
  if (found.times.length < LEAST_SIZES) return { kind, times: first, exponent };
  return { kind, ...found };
}

async function leastTimes(work: Work, make: (size: number) => string) {
  let times = await timesOf(work, make);
  for (let round = 0; round < MORE_ROUNDS && slopeOf(times) > MOST_EXPONENT; round++) {
    const again = await timesOf(work, make);
    times = times.map((time, at) => Math.min(time, again[at] ?? time));
  }
  return { times, exponent: slopeOf(times) };
}

type Both = readonly [number, number];

/** The short one is looked at twice: it costs little, and what is slow the first time hides a slope. */
async function bothOf(work: Work, short: string, long: string): Promise<Both> {
  return [await leastOf(() => work(short)), await millisecondsUntil(() => work(long))];
}

/**
 * How the least work on a text grows: parsed as JSON, and its words put into a set. Of brackets in brackets and of words that
 * all differ both grow faster than the text, since memory does.
 */
async function floorOf(make: (size: number) => string = () => ''): Promise<number> {
  const works: readonly Work[] = [
    (text) => attempt(() => JSON.parse(text)),
    (text) => new Set(text.match(/\S+/g)),
  ];
  const slopes: number[] = [];
  for (const work of works) slopes.push(slopeOf(await timesOf(work, make)));
  return Math.max(...slopes);
}

const beside = (floor: number): string =>
  floor > 0 ? `; JSON.parse or a set of its words: ${floor.toFixed(2)}` : '';

/** Of two: the machine has other things to do. */
async function leastOf(work: () => unknown): Promise<number> {
  return Math.min(await millisecondsUntil(work), await millisecondsUntil(work));
}

async function timesOf(work: Work, make: (size: number) => string): Promise<number[]> {
  const times: number[] = [];
  for (const size of SIZES) {
    const text = make(size);
    globalThis.gc?.();
    times.push(await millisecondsWorked(() => work(text)));
    if ((times.at(-1) ?? 0) > MOST_MS) break;
  }
  return times;
}

/** 0 where too few sizes were tried. */
function slopeOf(times: readonly number[], sizes: readonly number[] = SIZES): number {
  const points = times.map((time, at) => ({ size: sizes[at] as number, time }));
  return points.length < Math.min(sizes.length, LEAST_SIZES) ? 0 : exponentOf(points);
}

const toRow = (
  name: string,
  { kind, times, exponent }: Growth,
  { texts, floor = 0 }: { readonly texts: number; readonly floor?: number },
): BenchRow =>
  growthRow(`TEXT ${name}`, {
    what: `exponent of its time from ${SIZES[0]} to ${times.length === 2 ? SIZES[3] : SIZES[times.length - 1]} units, worst of ${texts} texts: ${kind}${beside(floor)}`,
    times,
    exponent,
    floor,
  });

const sizeOf = (text: string): number => Math.ceil(text.length / 4);
const messageSize = (message: Message): number => sizeOf(JSON.stringify(message));

const said = (text: string, id = 'u'): Message => ({
  id,
  role: 'user',
  content: [{ type: 'text', text }],
});

const called = (input: Readonly<Record<string, unknown>>, name = 'Bash', id = 'c'): Message => ({
  id: `${id}-call`,
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input: input as never }],
});

const answered = (content: string, id = 'c'): Message => ({
  id: `${id}-result`,
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
});

const ran = (command: string, output: string): Message[] => [
  said('Run it.'),
  called({ command }),
  answered(output),
  { id: 'a', role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
];

/** Calls of one id in one message, and their results. */
function sameIds(count: number, text: string): Message[] {
  const id = text.slice(0, 48);
  const calls = Array.from({ length: count }, () => ({
    ...{ type: 'tool_use', id, name: 'Bash', input: {} },
  }));
  const results = calls.map(() => ({ type: 'tool_result', tool_use_id: id, content: 'ok' }));
  return [
    said('Run them.'),
    { id: 'c', role: 'assistant', content: calls },
    { id: 'r', role: 'user', content: results },
  ];
}

/** An earlier summary and a request whose work was interrupted, of one text. */
const stopped = (text: string): Message[] => [
  { ...said(text, 's'), origin: { kind: 'summary' } },
  said(text),
  called({ command: text }),
  answered(text),
  said('[Request interrupted by user]', 'i'),
];

function fed(messages: readonly Message[]): Ledger {
  const ledger = createLedger();
  for (const message of messages) ledger.add(message);
  return ledger;
}

const bytesOf = (text: string): Uint8Array[] => [new TextEncoder().encode(text)];

const image = (text: string) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: text },
});

/** Text inside JSON inside text, as MCP servers answer with images. */
const imageInText = (text: string): string => JSON.stringify([image(text), { type: 'text', text }]);

const inEveryField = (text: string) => ({
  file_path: text,
  command: text,
  old_string: text,
  new_string: text,
  nested: [{ password: text }, image(text)],
});

async function functions(): Promise<Readonly<Record<string, Work>>> {
  const estimator = createEstimator({ family: 'claude-new' });
  const exact = await loadExactCounter({ encoding: 'o200k_base' });
  const profile = anthropicProfile({ thinking: 'prefix-bound' });
  const parsed = parseTemplate(DEFAULT_TEMPLATE);
  const limits = { template: parsed, sizeOf };
  const short = fed(ran('npm test', 'Tests: 1 failed, 2 passed, 3 total'));
  return {
    redact,
    redactJson: (text) => redactJson(inEveryField(text)),
    'redactJson of JSON in text': (text) => redactJson({ content: imageInText(text) }),
    cutText: (text) => cutText(text, text.length >> 1),
    cutMiddle: (text) =>
      cutMiddle(text, { headUnits: 99, tailUnits: text.length >> 1, marker: '…' }),
    fingerprint,
    isWellFormed: (text) => text.isWellFormed(),
    toWellFormed: (text) => text.toWellFormed(),
    splitInjected,
    stableStringify: (text) => stableStringify(inEveryField(text)),
    serializeEntry: (text) => serializeEntry(entryOf(said(text))),
    parseEntry: (text) => attempt(() => parseEntry(text)),
    'parseEntry of a message': (text) => parseEntry(serializeEntry(entryOf(said(text)))),
    safeFileName: (text) => safeFileName(text, 'none'),
    storedHandle: (text) =>
      storedHandle({ tool_use_id: 'c', content: `<persisted-output>\n${text}` }),
    openRequests: (text) => openRequests([said(text), said(`<system-reminder>${text}`, 'v')]),
    stoppedSection: (text) =>
      stoppedSection([...stopped(text), said(text, 'v')], stopped(text).length, { clean: redact }),
    withoutStoppedSection,
    repairHistory: (text) => repairHistory(ran(text, text)),
    'repairHistory of equal ids': (text) => repairHistory(sameIds(text.length / 64, text)),
    'soundReply of equal ids': (text) =>
      soundReply(sameIds(text.length / 64, text)[1]?.content ?? [], [profile]),
    checkHistory: (text) => checkHistory(ran(text, text), profile),
    soundReply: (text) => soundReply([{ type: 'text', text }], [profile]),
    toAnthropic: (text) => toAnthropic(ran(text, imageInText(text))),
    toOpenAIChat: (text) => toOpenAIChat(ran(text, imageInText(text))),
    toOpenAIResponses: (text) => toOpenAIResponses(ran(text, imageInText(text))),
    toAISDK: (text) => toAISDK(ran(text, imageInText(text))),
    fromAnthropic: (text) => fromAnthropic([{ role: 'user', content: text }] as never),
    fromOpenAIChat: (text) =>
      fromOpenAIChat([
        { role: 'user', content: text },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'a', arguments: text } }],
        },
        { role: 'tool', tool_call_id: 'c', content: text },
      ] as never),
    fromOpenAIResponses: (text) =>
      fromOpenAIResponses([
        { role: 'user', content: text },
        { type: 'function_call', call_id: 'c', name: 'a', arguments: text },
        { type: 'function_call_output', call_id: 'c', output: text },
      ] as never),
    fromAISDK: (text) => fromAISDK([{ role: 'user', content: text }] as never),
    commandUse: (text) => shellCommand(text).use,
    commandKey: (text) => shellCommand(text).key,
    changedFolder: (text) => shellCommand(text).folder,
    onlyLooks: (text) => shellCommand(text).onlyLooks,
    shellFiles: (text) => shellCommand(text).files,
    patchedFiles: (text) => patchedFiles(`*** Begin Patch\n${text}`),
    plainPath,
    'readCall and callSubject': (text) => {
      for (const name of ['Bash', 'Edit', 'apply_patch', 'str_replace_editor', 'WebFetch'])
        callSubject(readCall({ id: 'c', name, input: inEveryField(text) }));
    },
    'readEntries of a line': async (text) => {
      for await (const _ of readEntries(bytesOf(text), { damage: 'report' }));
    },
    'readEntries of entries': async (text) => {
      const line = serializeEntry(entryOf(said(text)));
      for await (const _ of readEntries(bytesOf(`${line}${line}\n${line}`)));
    },
    importSession: (text) => rejected(() => importSession(bytesOf(text), { name: 'a' })),
    'importSession of Claude Code': (text) =>
      rejected(() =>
        importSession(
          bytesOf(
            `${JSON.stringify({ type: 'user', uuid: 'u', parentUuid: null, sessionId: 's', timestamp: '2026-01-31T12:00:00.000Z', message: { role: 'user', content: text } })}\n`,
          ),
          { name: 'a', format: 'claude-code' },
        ),
      ),
    'estimator.text': (text) => estimator.text(text),
    'estimator.message': (text) =>
      ran(text, imageInText(text)).map((one) => estimator.message(one)),
    'crude estimator': (text) => createEstimator({ family: 'crude' }).text(text),
    'exact counter': (text) => exact.count(text),
    renderPrefix: (text) =>
      renderPrefix({
        head: { id: 'h', model: 'm', system: [], tools: [], params: {} },
        messages: ran(text, text),
      } as never),
    handlesIn,
    'tool storage, query': (text) => offload(text, text.slice(99, 120)),
    'tool storage, JSON': (text) => offload(imageInText(text)),
    offloadMessages: (text) =>
      offloadMessages(ran('cat a', text), {
        store: memoryStore(),
        sessionId: 's',
        threshold: 1_000,
      }),
    'tool storage, read': async (text) => {
      const storage = createToolStorage({
        store: memoryStore(),
        sessionId: 's',
        threshold: 1_000,
      });
      const { messages } = await storage.offloadMessages(ran('cat a', text));
      const handle = handlesIn(JSON.stringify(messages))[0];
      if (handle) await storage.read(handle);
    },
    microcompact: (text) => microcompact(ran(text, imageInText(text))),
    explainClearing: (text) => explainClearing(ran(text, imageInText(text))),
    'ledger, words of a person': (text) => fed([said(text)]),
    'ledger, answer': (text) =>
      fed([said('Do it.'), { id: 'a', role: 'assistant', content: [{ type: 'text', text }] }]),
    'ledger, output': (text) => fed(ran('npm test', text)),
    'ledger, command': (text) => fed(ran(text, 'done')),
    'ledger, edit': (text) => fed([called(inEveryField(text), 'Edit'), answered(text)]),
    'ledger, to-do list': (text) =>
      fed([called({ todos: [{ content: text, status: 'pending' }] }, 'TodoWrite'), answered(text)]),
    renderLedger: (text) =>
      renderLedger(fed([said(text), ...ran(text, text)]), {
        budgetTokens: 9_000,
        have: text,
        sizeOf,
      }),
    ledgerNotes: (text) =>
      ledgerNotes(fed([said(text), ...ran(text, text)]), {
        sections: parsed.sections as never,
        sizeOf,
      }),
    quotedWords,
    'checkSummary of a text': (text) =>
      checkSummary(text, { ledger: short, budgetTokens: SMALL, sizeOf }),
    'checkSummary against a text': (text) =>
      checkSummary(text, {
        ledger: fed([said(text), ...ran(text, text)]),
        budgetTokens: SMALL,
        sizeOf,
      }),
    acceptSummary: (text) =>
      acceptSummary(summarised(text), { ...ACCEPTING, replaced: () => ['Fix it.', text] }),
    'acceptSummary beside an earlier one': (text) =>
      acceptSummary(summarised(`<summary>\n## Goal\n${text}\n</summary>`), {
        ...ACCEPTING,
        earlier: text,
      }),
    'acceptSummary of something else': (text) =>
      acceptSummary(summarised(`<summary>\n## Goal\n${otherWords(text)}\n</summary>`), {
        ...ACCEPTING,
        replaced: () => [text],
      }),
    isSummary: (text) => isSummary(said(text)),
    extractiveSummary: (text) =>
      attempt(() => (extractiveSummary() as never as Work)({ messages: [said(text)] } as never)),
    parseTemplate: (text) => attempt(() => parseTemplate(text)),
    mendNotes: (text) => mendNotes(text, parsed),
    checkNotes: (text) => checkNotes(text, text, parsed),
    isEmptyNotes: (text) => isEmptyNotes(text, parsed),
    limitNotes: (text) => limitNotes(mendNotes(text, parsed), limits),
    measureNotes: (text) => measureNotes(mendNotes(text, parsed), limits),
    compactFromNotes: (text) =>
      compactFromNotes(ran(text.repeat(4), text), {
        notes: text,
        template: parsed,
        cursorIndex: 1,
        thresholdTokens: 9e9,
        sizeOf: messageSize,
        textSize: sizeOf,
        thinking: 'free',
      }),
    parseAgentDefinition: (text) => parseAgentDefinition(`---\nname: a\n${text}\n---\n${text}`),
    parseAgentSettings: (text) => parseAgentSettings(text),
    findOverflow,
    toModelError: (text) => toModelError(Object.assign(new Error(text), { status: 400 })),
  };
}

const offload = (text: string, query?: string) =>
  createToolStorage({ store: memoryStore(), sessionId: 's', threshold: 1_000 }).offload({
    toolUseId: 'c',
    toolName: 'bash',
    content: text,
    ...(query !== undefined && { query }),
  });

const entryOf = (message: Message) =>
  ({ id: 'e', at: '2026-01-31T12:00:00.000Z', type: 'message', message }) as const;

/** Words that all differ and stand in none of the texts, one for each eight units of a text. */
const otherWords = (text: string): string =>
  Array.from({ length: text.length >> 3 }, (_, at) => `ж${at.toString(36)}`).join(' ');

const ACCEPTING = { replacedTokens: 9e9, maxTokens: 9e9, minSavings: 0, sizeOf };

const summarised = (text: string) => ({
  content: [{ type: 'text', text }] as const,
  stopReason: 'end_turn' as const,
});

/** A refusal is an answer too. */
function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError && /call stack/.test(error.message)) throw error;
    return error;
  }
}

const rejected = (work: () => Promise<unknown>): Promise<unknown> =>
  work().catch((error: unknown) => error);
