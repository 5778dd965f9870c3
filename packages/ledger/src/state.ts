import {
  isText,
  isToolResult,
  isToolUse,
  type Message,
  type ToolResultBlock,
} from '@varve/messages';
import { injectedTexts, isSynthetic } from '@varve/messages/persons';
import { inputTexts, readCall, type ToolCall, type ToolKind } from '@varve/messages/tools';
import { createApproachFacts } from './approach-facts.ts';
import { createApprovals } from './approvals.ts';
import { createBackgroundFacts } from './background-facts.ts';
import { createChoiceFacts } from './choice-facts.ts';
import { createCommandFacts } from './command-facts.ts';
import { createEditFacts } from './edit-facts.ts';
import { createEffectFacts } from './effect-facts.ts';
import { createErrorFacts } from './error-facts.ts';
import type { Extractor } from './extractor.ts';
import type { Fact, Place, Superseded } from './fact.ts';
import { createFailureFacts } from './failure-facts.ts';
import { createFileFacts } from './file-facts.ts';
import type { Approval } from './ledger.ts';
import { createLiteralFacts } from './literal-facts.ts';
import { outcomeOf } from './outcome.ts';
import { mediaOnly, personWords, textOf } from './person-words.ts';
import { createRuleFacts } from './rule-facts.ts';
import { createSaidFacts } from './said-facts.ts';
import { createSkillFacts } from './skill-facts.ts';
import { createStandingFacts } from './standing-facts.ts';
import { createTestFacts } from './test-facts.ts';
import { createTodoFacts } from './todo-facts.ts';
import { createUserFacts } from './user-facts.ts';
import { createVocabulary } from './vocabulary.ts';

/** The fold of a ledger over messages. */
export interface LedgerState {
  add(message: Message): void;
  /** Takes in names that a text shows, and nothing else of it. */
  know(text: string): void;
  facts(): Fact[];
  superseded(): Superseded[];
  words(): string[];
  approvals(): readonly Approval[];
  /** Texts of results that say the person refused the call. */
  refusals(): readonly string[];
  mentions(name: string): boolean;
}

export function createLedgerState(kindOf?: (name: string) => ToolKind | undefined): LedgerState {
  const user = createUserFacts();
  const files = createFileFacts();
  const extractors = createExtractors(user, files);
  const vocabulary = createVocabulary();
  const waiting = new Map<string, ToolCall>();
  const refusals: string[] = [];
  const approvals = createApprovals();
  let position = -1;

  /** Calls that got no result so far; once the conversation goes on, it is not known what came of them. */
  const unanswered = new Map<string, { readonly call: ToolCall; readonly place: Place }>();
  const goOn = (): void => {
    for (const { call, place } of unanswered.values()) {
      const done = { call, outcome: { status: 'unknown' }, text: '' } as const;
      for (const extractor of extractors) extractor.done?.(done, place);
    }
    unanswered.clear();
  };

  const call = (read: ToolCall, place: Place): void => {
    waiting.set(read.id, read);
    unanswered.set(read.id, { call: read, place });
    vocabulary.add(`${read.name} ${read.name.replaceAll('__', ' ')}`);
  };
  const spoke = (text: string, place: Place): void => {
    if (text.trim() === '' || NOTHING.test(text)) return;
    for (const extractor of extractors) extractor.spoke?.(text, place);
  };
  const result = (block: ToolResultBlock, place: Place): void => {
    const made = waiting.get(block.tool_use_id);
    if (made === undefined) return;
    waiting.delete(block.tool_use_id);
    unanswered.delete(block.tool_use_id);
    const text = textOf(block);
    const outcome = outcomeOf(text, block.is_error);
    if (block.is_error === true && (outcome.status === 'refused' || outcome.status === 'stopped'))
      refusals.push(text.slice(0, MAX_REFUSAL));
    const media = mediaOnly(block, text);
    const done = { call: made, outcome, text, ...(media > 0 && { media }) };
    for (const extractor of extractors) extractor.done?.(done, place);
  };
  return {
    add(message) {
      const place = { messageId: message.id, position: ++position };
      vocabulary.add(message.id);
      const words = personWords(message);
      approvals.add(message, words);
      const isOwn = message.role === 'assistant' && !isSynthetic(message);
      if (message.role === 'assistant' || words.length > 0) goOn();
      for (const block of message.content) {
        if (isOwn && isText(block)) spoke(block.text, place);
        if (isToolUse(block)) call(readCall(block, { kindOf }), place);
        else if (isToolResult(block)) result(block, place);
        vocabulary.add(isToolUse(block) ? inputTexts(block.input).join('\n') : textOf(block));
      }
      for (const said of words) {
        for (const extractor of extractors) extractor.said?.(said, place);
      }
      for (const words of injectedTexts(message)) {
        for (const extractor of extractors) extractor.reminded?.(words, place);
      }
    },
    know: vocabulary.add,
    facts: () => extractors.flatMap((extractor) => extractor.facts()),
    superseded: () => extractors.flatMap((extractor) => extractor.superseded?.() ?? []),
    words: () => user.facts().map(({ value }) => value),
    approvals: approvals.all,
    refusals: () => refusals,
    // a path that was put together from a folder and a name stood nowhere as one
    mentions: (name) => vocabulary.has(name) || files.paths.find(name) !== undefined,
  };
}

/** What agents have a model say that nobody asked. */
const NOTHING = /^\s*(?:No response requested\.?|\(no content\)|\.{1,3})\s*$/i;

/** What a person writes when refusing a call is short. */
const MAX_REFUSAL = 2_000;

function createExtractors(
  user: Extractor,
  files: ReturnType<typeof createFileFacts>,
): readonly Extractor[] {
  return [
    createRuleFacts(),
    user,
    createStandingFacts(),
    createSaidFacts(),
    createChoiceFacts(),
    createBackgroundFacts(),
    createEffectFacts(),
    createTodoFacts(),
    createTestFacts(),
    files,
    createEditFacts(files.paths),
    createFailureFacts(),
    createErrorFacts(),
    createApproachFacts(),
    createSkillFacts(),
    createCommandFacts(),
    createLiteralFacts(),
  ];
}
