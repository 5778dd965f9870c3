import { describe, expect, test } from 'vitest';
import * as blocks from '../src/blocks.ts';
import * as convert from '../src/convert.ts';
import * as fit from '../src/fit.ts';
import * as foreign from '../src/foreign.ts';
import * as entry from '../src/index.ts';
import * as log from '../src/log.ts';
import * as persons from '../src/persons.ts';
import * as stamps from '../src/stamps.ts';
import * as stored from '../src/stored.ts';
import * as testing from '../src/testing.ts';
import * as text from '../src/text.ts';
import * as thinking from '../src/thinking.ts';
import * as tools from '../src/tools.ts';

describe('the public surface', () => {
  test('of the entry is this list', () => {
    expect(Object.keys(entry).sort()).toEqual([
      'MessagesError',
      'anthropicProfile',
      'apiRounds',
      'checkHistory',
      'checkRequest',
      'closeRound',
      'createProjection',
      'fingerprint',
      'isText',
      'isThinking',
      'isToolResult',
      'isToolUse',
      'legalCuts',
      'openaiChatProfile',
      'openaiResponsesProfile',
      'parseEntry',
      'project',
      'promptTokens',
      'repairHistory',
      'serializeEntry',
      'stableStringify',
      'toolResults',
      'toolUses',
    ]);
  });

  test('of ./log, ./stamps, ./blocks and ./text is this list', () => {
    expect(Object.keys(log).sort()).toEqual([
      'broughtMessages',
      'editReceipt',
      'logOf',
      'partsSpan',
      'writtenForm',
    ]);
    expect(Object.keys(stamps).sort()).toEqual([
      'createRequestStamp',
      'createSharedStart',
      'headFingerprint',
      'prefixFingerprint',
      'stampHolds',
    ]);
    expect(Object.keys(blocks).sort()).toEqual([
      'blocksOf',
      'canCarryMarker',
      'isMedia',
      'isThought',
      'readPlain',
    ]);
    expect(Object.keys(text).sort()).toEqual(['cutMiddle', 'cutText']);
  });

  test('of ./convert is this list', () => {
    expect(Object.keys(convert).sort()).toEqual([
      'createAISDKConverter',
      'createAnthropicConverter',
      'createOpenAIChatConverter',
      'createOpenAIResponsesConverter',
      'fromAISDK',
      'fromAnthropic',
      'fromOpenAIChat',
      'fromOpenAIResponses',
      'toAISDK',
      'toAnthropic',
      'toOpenAIChat',
      'toOpenAIResponses',
      'usageFromOpenAIChat',
      'usageFromOpenAIResponses',
    ]);
  });

  test('of ./foreign is this list', () => {
    expect(Object.keys(foreign).sort()).toEqual([
      'checkMessages',
      'describeForeign',
      'refuseForeign',
    ]);
  });

  test('of ./fit is this list', () => {
    expect(Object.keys(fit).sort()).toEqual([
      'IMAGE_TYPES',
      'NO_OUTPUT',
      'createHistoryFit',
      'isPaused',
      'isProviderStopReason',
      'mediaFault',
      'soundReply',
      'syntheticResult',
      'withObjectInput',
    ]);
  });

  test('of ./persons is this list', () => {
    expect(Object.keys(persons).sort()).toEqual([
      'NOTES_OPENING',
      'SUMMARY_OPENING',
      'callStop',
      'injectedTexts',
      'isPerson',
      'isSummary',
      'isSynthetic',
      'openRequests',
      'personBlocks',
      'splitInjected',
      'stoppedSection',
      'withoutStoppedSection',
    ]);
  });

  test('of ./stored is this list', () => {
    expect(Object.keys(stored).sort()).toEqual([
      'STORED_TAG',
      'safeFileName',
      'storedHandle',
      'storedHandleOf',
    ]);
  });

  test('of ./thinking is this list', () => {
    expect(Object.keys(thinking).sort()).toEqual([
      'LEAST_THINKING_TOKENS',
      'bindsPrefix',
      'isAtUserTurn',
      'isThinkingOn',
      'openTurnStart',
      'paramFaults',
      'thinkingBlocks',
      'thinkingDrops',
      'withLegalEdits',
      'withoutThinkingAt',
    ]);
  });

  test('of ./tools is this list', () => {
    expect(Object.keys(tools).sort()).toEqual([
      'TOOL_KINDS',
      'bareName',
      'callSubject',
      'checkToolNames',
      'commandIn',
      'editorKind',
      'inputTexts',
      'isForeignTool',
      'mayChange',
      'patchedFiles',
      'pathsIn',
      'plainPath',
      'readCall',
      'replacementsIn',
      'shellCommand',
      'stringIn',
      'toolKind',
      'toolLabel',
      'toolNames',
    ]);
  });

  test('of ./testing is this list', () => {
    expect(Object.keys(testing).sort()).toEqual([
      'damagedLog',
      'hostileJson',
      'hostileText',
      'messageHistory',
      'validLog',
    ]);
  });

  test('has these error codes', () => {
    const codes = {
      'already-undone': true,
      'broken-pairing': true,
      'crossing-span': true,
      'duplicate-call': true,
      'duplicate-entry': true,
      'duplicate-message': true,
      'duplicate-replacement': true,
      'duplicate-result': true,
      'empty-content': true,
      'empty-id': true,
      'empty-text': true,
      'first-not-user': true,
      'foreign-messages': true,
      'incomplete-round': true,
      'invalid-entry': true,
      'invalid-json': true,
      'misplaced-block': true,
      'no-head': true,
      'not-an-edit': true,
      'not-serializable': true,
      'opaque-block': true,
      'orphan-result': true,
      'reversed-span': true,
      'round-open': true,
      'split-group': true,
      'trailing-thinking': true,
      'unknown-block': true,
      'unknown-entry': true,
      'unknown-message': true,
    } satisfies Record<entry.MessagesError['code'], true>;
    const error = new entry.MessagesError('no-head', 'There is none.', { cause: 'why' });
    expect(Object.keys(codes)).toContain(error.code);
    expect(error).toMatchObject({ name: 'MessagesError', message: 'There is none.', cause: 'why' });
    expect(entry.MessagesError.is(error)).toBe(true);
    expect(
      [new Error('x'), null, 'no-head', { code: 'no-head' }].some(entry.MessagesError.is),
    ).toBe(false);
  });
});
