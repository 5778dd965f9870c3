/** One broken rule: what, where, and what to do about it. */
export interface Violation {
  readonly code: ViolationCode;
  /** Left out where the rule concerns the request as a whole. */
  readonly messageIndex?: number;
  /** Position in the message's content, or in `head.system` and `head.tools` where there is no message. */
  readonly blockIndex?: number;
  /** Fixed words for each code: it never quotes the history. */
  readonly text: string;
}

export type ViolationCode = keyof typeof TEXTS;

const TEXTS = {
  'malformed-message': 'The content is neither text nor a list of blocks; drop the message.',
  'malformed-block': 'The block lacks a type or a field its type needs; drop the block.',
  'unknown-role': 'The role is not user, assistant or system; give the message one of these.',
  'role-refused':
    'The provider takes no system messages; move the text to the head or to a user message.',
  'system-placement':
    'A system message stands where none may; put it after a user turn and before an assistant turn.',
  'first-not-user': 'The first message is not a user message; put one before it.',
  'too-many-messages': 'There are more messages than the provider takes; compact the history.',
  'empty-content': 'The message has no content; drop it.',
  'empty-text': 'The text is empty or white space; drop the block.',
  'unknown-block':
    'The provider knows no block of this type in a user message; write one that it knows, or drop it.',
  'half-surrogate': 'A string holds half a surrogate pair; pass it through toWellFormed.',
  'block-not-allowed': 'A block of this type may not stand here; move or drop it.',
  'malformed-call': 'The input of the call is not an object; drop the call or parse its input.',
  'foreign-block':
    'The block is one of another library, a tool output of the AI SDK or a call of OpenAI; convert it, or drop it.',
  'malformed-media':
    'The source of the image or document is none that the provider takes; give it one, or drop the block.',
  'empty-id': 'The id that pairs a call with its result is empty; give both the same id.',
  'call-id':
    'The id of a call has characters or a length that the provider refuses; give the call and its result the same other id.',
  'call-name':
    'The name of a called tool has characters or a length that the provider refuses; rename it.',
  'duplicate-id': 'Two calls of one message share an id; give each its own.',
  'missing-result': 'The call has no result right after it; add one, or repair the history.',
  'open-round': 'The last calls still wait for results; add them, or close the round.',
  'orphan-result':
    'The result answers no call of the message before it; drop it, or keep its call.',
  'duplicate-result': 'The call already has a result; drop this one.',
  'result-after-content': 'Content stands before the result; put results first.',
  'empty-error-result': 'A failed result holds no text; say that there was no output.',
  'error-result-media': 'A failed result holds something else than text; drop what is not text.',
  'unsigned-thinking': 'The thinking has no signature; drop the whole block.',
  'trailing-thinking': 'Nothing follows the thinking in its turn; drop the whole block.',
  'stale-thinking':
    'What stood before the thinking has changed since it was written; drop it and all thinking after it.',
  'no-messages': 'The request has no messages; add a user message.',
  'last-not-user': 'The last message is an assistant message; add a user message or results.',
  'max-output-tokens':
    'maxOutputTokens is not a positive integer; set the output limit of the model or less.',
  'request-too-large':
    'The request has more bytes than the provider takes; move media and long results out of it.',
  'too-many-media': 'There are more images and documents than the provider takes; drop the oldest.',
  'too-many-markers':
    'There are more cache markers, `cache_control` of blocks and tools among them, than the provider takes; drop the surplus.',
  'marker-target':
    'The cache marker stands on nothing, or on a block that cannot carry one; move it.',
  'duplicate-marker': 'Two cache markers stand in the same place; drop one.',
  'marker-order': 'A cache marker outlives one before it; put longer lifetimes first.',
  'thinking-config': 'The model takes no thinking configuration of this type; choose another.',
  'thinking-budget':
    'The thinking budget is missing, below 1,024 tokens, or leaves no room for output; set it, or raise maxOutputTokens above it.',
  'thinking-sampling':
    'Beside thinking the provider takes no sampling of its own; leave temperature, top_p and top_k out.',
  'context-edits':
    'Thinking is cleared where there is none, or not by the first edit; put clear_thinking first, or leave it out.',
  'tool-choice': 'The model refuses a forced tool call; let it choose.',
  'empty-system-text': 'A system block is empty or white space; drop it.',
  'malformed-tool':
    'A tool has no name of 1 to 128 letters, digits, _ and -, or its schema is no object in input_schema; give it both or drop it.',
  'duplicate-tool': 'Two tools share a name; drop or rename one.',
} as const;

export interface Place {
  readonly messageIndex?: number;
  readonly blockIndex?: number;
}

export type Report = (code: ViolationCode, place?: Place) => void;

/** Collects violations in any order and hands them out in the order of their places. */
export function createReport(): { report: Report; violations(): readonly Violation[] } {
  const found: Violation[] = [];
  return {
    report: (code, place = {}) => void found.push({ code, ...place, text: TEXTS[code] }),
    violations: () =>
      found.sort(
        (a, b) =>
          (a.messageIndex ?? -1) - (b.messageIndex ?? -1) ||
          (a.blockIndex ?? -1) - (b.blockIndex ?? -1),
      ),
  };
}
