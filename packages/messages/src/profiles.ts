import { checkOptions, integer, required } from '@varve/guards';
import { IMAGE_TYPES } from './media-check.ts';

/**
 * How a model binds thinking to the conversation it was written in: `free` does not, `latest-turn` wants the thinking
 * of the open tool loop back unmodified, `prefix-bound` refuses every thinking block whose earlier messages changed.
 */
export type ThinkingRule = 'free' | 'latest-turn' | 'prefix-bound';

/** What one provider accepts, as data. Make one with a factory below, or spell out another. */
export interface ProviderProfile {
  readonly name: string;
  /** The first message has to be a user message. */
  readonly startsWithUser: boolean;
  /** `after-user`: directly after a user turn, and before an assistant turn or last. */
  readonly systemMessages: 'refused' | 'after-user' | 'anywhere';
  /** Where results stand: all in the message after the calls, or in the run of user messages after them. */
  readonly results: 'next-message' | 'next-turn';
  /** Nothing may stand before the results. */
  readonly resultsFirst: boolean;
  /** Text without a character that is not white space, and failed results that hold no other. */
  readonly blankText: 'refused' | 'accepted';
  readonly callInput: 'object' | 'any';
  /**
   * Ids and names in calls, and ids in results: `plain` takes letters, digits, `_` and `-` only, at most 64 in an id and 128 in a
   * name.
   */
  readonly callIds: 'plain' | 'any';
  readonly thinking: ThinkingRule;
  /** Thinking without a signature. */
  readonly unsignedThinking: 'refused' | 'accepted';
  /** Thinking that no text and no call follows. */
  readonly trailingThinking: 'refused' | 'accepted';
  /** Images and documents in a tool result with `is_error`. */
  readonly errorResultMedia: 'refused' | 'accepted';
  /** A request may end with an assistant message, which the model continues. */
  readonly prefill: boolean;
  readonly maxMessages?: number;
  /** Images and documents in a request. */
  readonly maxMedia?: number;
  /** Media types of images and documents that may come in base64; all when left out. */
  readonly mediaTypes?: readonly string[];
  readonly maxRequestBytes?: number;
  /** Types of blocks that a user message may hold, beside what the provider's own tools answered; all when left out. */
  readonly userBlocks?: readonly string[];
  /** Tools of the caller need an `input_schema`. @default not */
  readonly toolSchemas?: 'required';
  /** Cache markers a request may carry; left out where the provider ignores surplus ones. */
  readonly maxMarkers?: number;
  /** A marker with a longer lifetime may not stand after one with a shorter. */
  readonly longMarkersFirst: boolean;
  /** Accepted values of `params.thinking.type`; all when left out. */
  readonly thinkingTypes?: readonly string[];
  /** `params.tool_choice` may force a call (`any`, `tool`). */
  readonly forcedToolChoice: boolean;
}

export interface AnthropicProfileOptions {
  readonly thinking: ThinkingRule;
  /** Models before 4.6 continue a last assistant message. @default false */
  readonly prefill?: boolean | undefined;
  /** System messages between turns: Opus 4.8 and 5, Sonnet 5.5, Fable and Mythos 5 and later. @default true */
  readonly systemMessages?: boolean | undefined;
  /** Images and pages in a request; 100 on models with a window of 200,000 tokens. @default 600 */
  readonly maxMedia?: number | undefined;
  /** Accepted values of `thinking.type`; all when left out. */
  readonly thinkingTypes?: readonly string[] | undefined;
  /** Refused by Opus 5.5, Sonnet 5.5, Fable and Mythos 5.1. @default true */
  readonly forcedToolChoice?: boolean | undefined;
}

const A_RULE = ['free', 'latest-turn', 'prefix-bound'] satisfies readonly ThinkingRule[];

/**
 * The rules of Anthropic's Messages API; what differs between its models are the options.
 *
 * @throws TypeError without the rule for thinking, which has no default
 */
export function anthropicProfile(options: AnthropicProfileOptions): ProviderProfile {
  checkOptions<AnthropicProfileOptions>(options, {
    thinking: required(A_RULE),
    maxMedia: integer(0),
  });
  const { thinking, prefill = false, systemMessages = true, forcedToolChoice = true } = options;
  const { maxMedia = ANTHROPIC_MAX_MEDIA, thinkingTypes } = options;
  return {
    name: 'anthropic',
    startsWithUser: true,
    systemMessages: systemMessages ? 'after-user' : 'refused',
    results: 'next-message',
    resultsFirst: true,
    blankText: 'refused',
    callInput: 'object',
    callIds: 'plain',
    thinking,
    unsignedThinking: 'refused',
    trailingThinking: 'refused',
    errorResultMedia: 'refused',
    prefill,
    maxMessages: ANTHROPIC_MAX_MESSAGES,
    maxMedia,
    mediaTypes: ANTHROPIC_MEDIA_TYPES,
    maxRequestBytes: ANTHROPIC_MAX_BYTES,
    userBlocks: ANTHROPIC_USER_BLOCKS,
    toolSchemas: 'required',
    maxMarkers: ANTHROPIC_MAX_MARKERS,
    longMarkersFirst: true,
    ...(thinkingTypes && { thinkingTypes }),
    forcedToolChoice,
  };
}

// platform.claude.com, "Errors", "Context windows" and "Prompt caching", read in September 2026
const ANTHROPIC_MAX_MESSAGES = 100_000;
const ANTHROPIC_MAX_MARKERS = 4;
const ANTHROPIC_MAX_MEDIA = 600;
const ANTHROPIC_MEDIA_TYPES = [...IMAGE_TYPES, 'application/pdf'];
// blocks of requests in @anthropic-ai/sdk 1.14.0, but those that only a model writes
const ANTHROPIC_USER_BLOCKS = [
  ...['text', 'image', 'document', 'search_result', 'tool_result', 'container_upload'],
  ...['tool_addition', 'tool_removal', 'tool_reference', 'browser_state', 'mcp_tool_listing'],
  ...['compaction', 'fallback'],
];
const ANTHROPIC_MAX_BYTES = 32 * 2 ** 20;

/** The rules of OpenAI's Chat Completions for a history that `toOpenAIChat` writes. */
export function openaiChatProfile(): ProviderProfile {
  return {
    name: 'openai-chat',
    startsWithUser: false,
    systemMessages: 'anywhere',
    results: 'next-turn',
    resultsFirst: true,
    blankText: 'accepted',
    callInput: 'any',
    callIds: 'any',
    thinking: 'free',
    unsignedThinking: 'accepted',
    trailingThinking: 'accepted',
    errorResultMedia: 'accepted',
    prefill: false,
    longMarkersFirst: false,
    forcedToolChoice: true,
  };
}

/** The rules of OpenAI's Responses for a history that `toOpenAIResponses` writes: results pair by id, reasoning needs what follows it. */
export function openaiResponsesProfile(): ProviderProfile {
  return {
    ...openaiChatProfile(),
    name: 'openai-responses',
    resultsFirst: false,
    trailingThinking: 'refused',
  };
}
