import {
  isText,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
  toolResults,
} from '@varve/messages';
import { callsOf, kindOf } from './calls.ts';
import { createCommandFacts } from './command-facts.ts';
import { addEffectFacts, createLiteralFacts } from './effect-facts.ts';
import type { Fact } from './fact.ts';
import { createFactTable, type FactTable, type Place } from './fact-table.ts';
import { createFileFacts } from './file-facts.ts';
import { outcomeOf } from './outcome.ts';
import { createSaidFacts, type Returns } from './said-facts.ts';
import { addUserFacts } from './user-facts.ts';

/** Reads a session message by message; what strategies keep is measured against it, so no strategy may import it. */
export interface FactExtractor {
  add(message: Message): void;
  /** What is true after the messages so far. */
  facts(): readonly Fact[];
}

export interface FactExtractorOptions {
  /** What the session comes back to later, which makes what the assistant said a fact. @default nothing was said */
  readonly returns?: Returns | undefined;
}

export function createFactExtractor({ returns }: FactExtractorOptions = {}): FactExtractor {
  const table = createFactTable();
  const results = createResultReader(table);
  const literals = createLiteralFacts(table);
  const said = createSaidFacts();
  const waiting = new Map<string, ToolUseBlock>();
  let index = 0;
  return {
    add(message) {
      const place = { messageId: message.id, index: index++ };
      addUserFacts(table, message, place.index);
      if (returns) said.add(message, place.index);
      for (const call of callsOf(message)) waiting.set(call.id, call);
      for (const result of toolResults(message)) {
        const call = waiting.get(result.tool_use_id);
        waiting.delete(result.tool_use_id);
        if (call) results(call, result, place);
      }
      for (const block of message.content) if (isText(block)) literals(block.text, place);
    },
    facts: () => [...table.facts(), ...(returns ? said.facts(index, returns) : [])],
  };
}

/** A call counts once it has been answered: an edit that failed changed nothing. */
function createResultReader(table: FactTable) {
  const files = createFileFacts(table);
  const commands = createCommandFacts(table);
  return (call: ToolUseBlock, result: ToolResultBlock, place: Place): void => {
    const kind = kindOf(call);
    const outcome = outcomeOf(result);
    if (kind.kind === 'command') {
      commands(kind.command, outcome, place);
      addEffectFacts(table, { command: kind.command, outcome, place });
      if (!outcome.failed)
        for (const path of removedBy(kind.command)) files.change({ path, op: 'deleted' }, place);
    }
    if (outcome.failed) return;
    if (kind.kind === 'read') files.read(kind.path, place);
    if (kind.kind === 'change') for (const change of kind.changes) files.change(change, place);
    if (kind.kind === 'todos') putTodos(table, kind.todos, place);
    if (kind.kind === 'question') putAnswer(table, { ...kind, text: outcome.text }, place);
  };
}

function putTodos(
  table: FactTable,
  todos: Extract<ReturnType<typeof kindOf>, { kind: 'todos' }>['todos'],
  place: Place,
): void {
  const texts = new Set(todos.map(({ text }) => text));
  for (const { type, key } of table.facts())
    if (type === 'todo' && !texts.has(key)) table.drop(type, key);
  for (const { text, status } of todos)
    table.put({ type: 'todo', key: text, value: { kind: 'todo', name: status } }, place);
}

function putAnswer(
  table: FactTable,
  {
    questions,
    options,
    text,
  }: { questions: readonly string[]; options: readonly string[]; text: string },
  place: Place,
): void {
  const answers = [...text.matchAll(/"([^"\n]{2,200})"\s*[=:]\s*"([^"\n]{1,200})"/g)];
  for (const [, question, answer] of answers) {
    if (question === undefined || answer === undefined || !questions.includes(question)) continue;
    const others = options.filter((each) => each !== answer);
    table.put(
      { type: 'choice', key: question, value: { kind: 'answer', name: answer, others } },
      place,
    );
  }
}

function removedBy(command: string): readonly string[] {
  const words =
    command
      .match(/(?:^|&&|;)\s*(?:git )?rm\s+((?:-\w+\s+)*)([^;&|\n]+)/)?.[2]
      ?.trim()
      .split(/\s+/) ?? [];
  return words.filter((word) => /^[\w./-]+\.\w+$/.test(word));
}
