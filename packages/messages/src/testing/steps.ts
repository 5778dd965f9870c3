import { closeRound } from '../close-round.ts';
import { toolUses } from '../guards.ts';
import type { Block, Json, OpenRound, ToolUseBlock } from '../types.ts';
import type { Digits } from './digits.ts';
import { tryContentEdit, trySpan, tryUndo } from './edit-steps.ts';
import type { LogWriter } from './log-writer.ts';

/** Something that happens in a session, written as one or more entries. */
export type StepKind = keyof typeof STEPS;

export const STEPS = {
  turn: writeTurn,
  round: writeRound,
  clear: tryContentEdit,
  span: trySpan,
  undo: tryUndo,
  server: writeServer,
  head: writeHead,
  note: writeNote,
  system: writeSystem,
};

function writeTurn(writer: LogWriter, digits: Digits): void {
  writer.say('user', userContent(writer, digits));
  if (digits.once(4))
    writer.say('user', [textBlock(writer, digits)], { origin: { kind: 'reminder' } });
  writer.say('assistant', [...thinking(digits), textBlock(writer, digits)]);
}

function writeRound(writer: LogWriter, digits: Digits): void {
  if (writer.view().messages.length === 0) writer.say('user', [textBlock(writer, digits)]);
  const prose = digits.once(2) ? [textBlock(writer, digits)] : [];
  writer.say('assistant', [...thinking(digits), ...prose, ...calls(writer, digits)]);
  const gaveUp = digits.once(5);
  while (true) {
    const open = writer.view().open;
    if (!open) return;
    if (digits.once(4)) writer.say('user', [textBlock(writer, digits)]);
    if (digits.once(6)) tryAnyEdit(writer, digits);
    if (gaveUp && open.results.length > 0) close(writer, open);
    else answerSome(writer, open, digits);
  }
}

function tryAnyEdit(writer: LogWriter, digits: Digits): void {
  const edits = [tryContentEdit, trySpan, tryUndo] as const;
  (edits[digits.below(edits.length)] as (typeof edits)[number])(writer, digits);
}

function close(writer: LogWriter, open: OpenRound): void {
  const options = { reason: 'aborted', at: '2026-01-31T12:00:00Z' };
  for (const message of closeRound(open, options)) writer.put({ type: 'message', message });
}

/** One waiting call in any order, or all of them in one message, with or without text beside the results. */
function answerSome(writer: LogWriter, open: OpenRound, digits: Digits): void {
  const first = digits.below(open.waiting.length);
  const answered = digits.once(4) ? open.waiting : [open.waiting[first] as string];
  const byId = new Map(toolUses(open.assistant).map((call) => [call.id, call]));
  const results = answered.map((id) => result(byId.get(id) as ToolUseBlock, writer, digits));
  const beside = digits.once(5) ? [textBlock(writer, digits)] : [];
  const content = digits.once(2) ? [...results, ...beside] : [...beside, ...results];
  writer.say('user', content, { origin: { kind: 'tool' } });
}

/** Ids count within a round, so every later round uses them again; one call has an id of its own now and then. */
function calls(writer: LogWriter, digits: Digits): Block[] {
  const count = 1 + digits.below(4);
  return Array.from({ length: count }, (_, index) => ({
    type: 'tool_use',
    id: digits.once(6) ? `call-${writer.entries.length}-${index}` : `call-${index}`,
    name: digits.once(2) ? 'read' : 'shell',
    input: JSON.parse(`{"10":1,"9":{"b":2,"a":1},"__proto__":{"x":${digits.below(3)}}}`),
  }));
}

function result({ id }: ToolUseBlock, writer: LogWriter, digits: Digits): Block {
  const base = { type: 'tool_result', tool_use_id: id };
  const text = writer.text(digits.below(4));
  if (digits.once(6)) return { ...base, content: text, is_error: true };
  if (digits.once(6)) return base;
  return { ...base, content: digits.once(3) ? [{ type: 'text', text }, image(digits)] : text };
}

function userContent(writer: LogWriter, digits: Digits): Block[] {
  return digits.once(5) ? [image(digits), textBlock(writer, digits)] : [textBlock(writer, digits)];
}

function textBlock(writer: LogWriter, digits: Digits): Block {
  return { type: 'text', text: writer.text(digits.below(4)) };
}

function image(digits: Digits): Block {
  const data = digits.once(2) ? 'aGk=' : 'aG8=';
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
}

function thinking(digits: Digits): Block[] {
  if (!digits.once(3)) return [];
  const plain: Block = { type: 'thinking', thinking: 'hm', signature: 'c2ln' };
  return digits.once(4) ? [plain, { type: 'redacted_thinking', data: 'b3BhcXVl' }] : [plain];
}

function writeServer(writer: LogWriter, digits: Digits): void {
  const key = digits.once(2) ? 'context_management' : '__proto__';
  const params: { [key: string]: Json } = JSON.parse(`{"${key}":{"keep":${digits.below(9)}}}`);
  writer.tryEdit({ kind: 'server', params });
}

function writeHead(writer: LogWriter, digits: Digits): void {
  const system = [{ type: 'text', text: writer.text(digits.below(4)) } as const];
  const params = { thinking: { type: 'enabled', budget_tokens: 1_024 + digits.below(3) } };
  const model = digits.once(3) ? 'model-b' : 'model-a';
  const head = {
    id: `h${writer.entries.length}`,
    model,
    system,
    tools: [{ name: 'read', input_schema: { type: 'object' } }],
    params,
  };
  writer.put({ type: 'head', head });
}

function writeNote(writer: LogWriter, digits: Digits): void {
  writer.put({ type: 'note', by: 'test', data: ['half \uD83D', writer.text(digits.below(4))] });
}

/** Directly after a user turn and before an assistant turn: the one place where every provider that takes it has it. */
function writeSystem(writer: LogWriter, digits: Digits): void {
  writer.say('user', userContent(writer, digits));
  writer.say('system', [textBlock(writer, digits)]);
  writer.say('assistant', [textBlock(writer, digits)]);
}
