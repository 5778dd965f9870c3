// assembly.d.ts
import { type Group, type Logged, type Undoable } from './group.ts';
import type { Message, OpenRound } from './types.ts';
export interface Assembly<Owner extends Undoable> {
    /** Throws when the message may not come next; changes nothing. */
    check(message: Message): void;
    /** Takes a checked message and hands out what became complete with it, in the order of the view. */
    add(logged: Logged<Owner>): readonly Group<Owner>[];
    /** The round that waits for results. */
    open(): OpenRound | undefined;
}
/**
 * Puts messages together into groups: calls are matched with results within their own round, so an id may be used again
 * in a later one.
 */
export declare function createAssembly<Owner extends Undoable>(): Assembly<Owner>;

// blocks.d.ts
export { isMedia, isThought } from './guards.ts';
export { type BlockLike, blocksOf, type MessageLike } from './like.ts';
export { readPlain } from './plain-value.ts';
export { canCarryMarker } from './validity-markers.ts';

// call-input.d.ts
import type { Block } from './types.ts';
/** Whether a call's input is an object once it is written: a `Date`, or a class with `toJSON`, may be written as a text. */
export declare function isObjectInput(input: unknown): boolean;
/** A call whose input is no object, as a stream that was cut short or another provider leaves it, in a form that any provider takes. */
export declare function withObjectInput<B extends Block>(block: B): B;

// call-stop.d.ts
/**
 * Whether the text of a result, or of the words that close a call without one, says that a person ended the call: `refused`
 * before it ran, `stopped` once it was under way or was waited for. Undefined where it ended by itself, whatever became of
 * it. Of a text longer than 2,000 characters only sentences that no output begins with are read: a long one holds
 * something else that begins with such words.
 */
export declare function callStop(text: string): 'refused' | 'stopped' | undefined;

// check-history.d.ts
import { type MessageLike } from './like.ts';
import type { ProviderProfile } from './profiles.ts';
import { type Report, type Violation } from './violation.ts';
export interface CheckOptions {
    /**
     * The running fingerprint after `messageCount` messages: `(count) => prefixFingerprint(view, count)`. With it, a
     * `prefix-bound` profile compares the stamp of every message that carries thinking; without it, it cannot.
     */
    readonly fingerprintAt?: ((messageCount: number) => string | undefined) | undefined;
}
/**
 * Whether a history can be continued: every rule it breaks, in the order of the messages, none when it is valid. The
 * last message may be anybody's, but no call may wait for its result. One pass over the messages; NUL characters and
 * block types without a name here are accepted; never throws on JSON.
 */
export declare function checkHistory(messages: readonly MessageLike[], profile: ProviderProfile, options?: CheckOptions): readonly Violation[];
export declare function reportHistory(messages: readonly MessageLike[], profile: ProviderProfile, { report, fingerprintAt }: CheckOptions & {
    readonly report: Report;
}): void;
/** A server-side compaction may stand first although an assistant message holds it. */
export declare function mayStart(message: MessageLike): boolean;

// check-messages.d.ts
/**
 * Refuses what is no history at the door of a function that takes one: messages of another library, and those whose content
 * nothing could read, with the place of what is wrong. What may be left out of a block stays left out.
 * Costs a look at each block of a message that was not looked at before. The first `known` were checked in a call before.
 *
 * @throws MessagesError `foreign-messages`
 * @throws TypeError ``Expected `history[3].content[0].text` to be a text, got `undefined` ``
 */
export declare function checkMessages(messages: readonly unknown[], name?: string, known?: number): void;

// check-request.d.ts
import { type CheckOptions } from './check-history.ts';
import { type MessageLike } from './like.ts';
import type { ProviderProfile } from './profiles.ts';
import type { Head, JsonObject, Marker } from './types.ts';
import { type Violation } from './violation.ts';
/** The least a request has to be to be checked; `Request` fits. */
export interface RequestLike {
    readonly messages: readonly MessageLike[];
    /** Its model says whether it thinks without being told to. */
    readonly head?: Pick<Head, 'system' | 'tools' | 'params'> & {
        readonly model?: string;
    };
    readonly server?: JsonObject | undefined;
    readonly markers?: readonly Marker[];
    /** Tokens. */
    readonly maxOutputTokens: number;
}
/**
 * Whether a request would be accepted: all of `checkHistory`, and what only a request has to keep: somebody to answer
 * (the last message is the user's, or results), head, cache markers and the output limit. Every violation, in the
 * order of the messages, those of the request as a whole first.
 */
export declare function checkRequest(request: RequestLike, profile: ProviderProfile, options?: CheckOptions): readonly Violation[];

// close-round.d.ts
import type { Message, OpenRound } from './types.ts';
export interface CloseRoundOptions {
    /** Why no result came, e.g. `aborted`; it stands in the text the model reads. */
    readonly reason: string;
    /** When it was closed: ISO 8601, UTC. */
    readonly at: string;
}
/**
 * Error results for the calls of an open round that still wait, one message each, in the order of the calls. Append
 * them to the log and the round is complete. Same round, same bytes: ids derive from the assistant message and the call.
 */
export declare function closeRound(open: OpenRound, { reason, at }: CloseRoundOptions): Message[];

// convert.d.ts
export { createAISDKConverter, fromAISDK, toAISDK } from './convert/ai-sdk.ts';
export { createAnthropicConverter, fromAnthropic, toAnthropic } from './convert/anthropic.ts';
export type { AnthropicMessage } from './convert/anthropic-types.ts';
export type { Loss } from './convert/conversion.ts';
export { createOpenAIChatConverter, fromOpenAIChat, toOpenAIChat } from './convert/openai-chat.ts';
export { createOpenAIResponsesConverter, fromOpenAIResponses, toOpenAIResponses, } from './convert/openai-responses.ts';
export { usageFromOpenAIChat, usageFromOpenAIResponses } from './convert/usage.ts';

// convert/ai-sdk-types.d.ts
/** A message of the AI SDK: what `toAISDK` writes, assignable to `ModelMessage` of `ai` 7. */
export type AISDKMessage = {
    role: 'system';
    content: string;
} | {
    role: 'user';
    content: AISDKUserPart[];
} | {
    role: 'assistant';
    content: AISDKAssistantPart[];
} | {
    role: 'tool';
    content: AISDKResultPart[];
};
export interface AISDKTextPart {
    type: 'text';
    text: string;
}
export interface AISDKFilePart {
    type: 'file';
    mediaType: string;
    data: AISDKFileData;
    filename?: string;
}
type AISDKFileData = {
    type: 'data';
    data: string;
} | {
    type: 'url';
    url: URL;
} | {
    type: 'reference';
    reference: Record<string, string> & {
        type?: never;
    };
} | {
    type: 'text';
    text: string;
};
export type AISDKUserPart = AISDKTextPart | AISDKFilePart;
interface AISDKReasoningPart {
    type: 'reasoning';
    text: string;
    providerOptions: {
        anthropic: {
            signature: string;
        } | {
            redactedData: string;
        };
    };
}
interface AISDKCallPart {
    type: 'tool-call';
    toolCallId: string;
    toolName: string;
    input: unknown;
}
export type AISDKAssistantPart = AISDKTextPart | AISDKReasoningPart | AISDKCallPart;
export interface AISDKResultPart {
    type: 'tool-result';
    toolCallId: string;
    toolName: string;
    output: {
        type: 'text' | 'error-text';
        value: string;
    } | {
        type: 'content';
        value: (AISDKTextPart | AISDKFilePart)[];
    };
}
/** What `fromAISDK` reads: `ModelMessage` fits. */
export interface AISDKMessageLike {
    readonly role: string;
    readonly content?: unknown;
}
export {};

// convert/ai-sdk.d.ts
import type { MessageLike } from '../like.ts';
import type { AISDKMessage, AISDKMessageLike } from './ai-sdk-types.ts';
import { type Conversion, type PlainMessage } from './conversion.ts';
/** Both directions of one conversion; each remembers what it converted, by reference. */
export interface AISDKConverter {
    to(messages: readonly MessageLike[]): Conversion<AISDKMessage>;
    from(messages: readonly AISDKMessageLike[]): Conversion<PlainMessage>;
}
/** A converter for a history that grows: each call reads only the messages it has not seen. */
export declare function createAISDKConverter(): AISDKConverter;
/** Our messages as model messages of the AI SDK (`ai` 7). */
export declare const toAISDK: AISDKConverter['to'];
/** Model messages of the AI SDK (`ai` 7) as ours, without ids. */
export declare const fromAISDK: AISDKConverter['from'];

// convert/anthropic-types.d.ts
/** A message of Anthropic's Messages API: what `toAnthropic` writes, assignable to the SDK's `MessageParam`. */
export type AnthropicMessage = {
    role: 'user' | 'assistant';
    content: AnthropicBlock[];
} | {
    role: 'system';
    content: AnthropicTextBlock[];
};
interface AnthropicTextBlock {
    type: 'text';
    text: string;
}
/** The blocks with a name here; those without one travel as they are. */
export type AnthropicBlock = AnthropicTextBlock | AnthropicImageBlock | AnthropicDocumentBlock | {
    type: 'thinking';
    thinking: string;
    signature: string;
} | {
    type: 'redacted_thinking';
    data: string;
} | {
    type: 'tool_use';
    id: string;
    name: string;
    input: unknown;
} | {
    type: 'tool_result';
    tool_use_id: string;
    content?: string | (AnthropicTextBlock | AnthropicImageBlock | AnthropicDocumentBlock)[];
    is_error?: boolean;
};
interface AnthropicImageBlock {
    type: 'image';
    source: {
        type: 'base64';
        media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
        data: string;
    } | {
        type: 'url';
        url: string;
    } | {
        type: 'file';
        file_id: string;
    };
}
interface AnthropicDocumentBlock {
    type: 'document';
    source: {
        type: 'base64';
        media_type: 'application/pdf';
        data: string;
    } | {
        type: 'text';
        media_type: 'text/plain';
        data: string;
    } | {
        type: 'url';
        url: string;
    } | {
        type: 'file';
        file_id: string;
    };
    title?: string | null;
}
export {};

// convert/anthropic.d.ts
import { type MessageLike } from '../like.ts';
import type { AnthropicMessage } from './anthropic-types.ts';
import { type Conversion, type PlainMessage } from './conversion.ts';
/** Both directions of one conversion; each remembers what it converted, by reference. */
export interface AnthropicConverter {
    to(messages: readonly MessageLike[]): Conversion<AnthropicMessage>;
    from(messages: readonly MessageLike[]): Conversion<PlainMessage>;
}
/** A converter for a history that grows: each call reads only the messages it has not seen. */
export declare function createAnthropicConverter(): AnthropicConverter;
/** Our messages as Anthropic's API takes them: role and content alone, with ids it accepts. */
export declare const toAnthropic: AnthropicConverter['to'];
/** Anthropic's messages as ours, without ids: text content becomes a block. */
export declare const fromAnthropic: AnthropicConverter['from'];

// convert/conversion.d.ts
import type { MessageLike } from '../like.ts';
import type { Block, Role } from '../types.ts';
/**
 * What a conversion could not carry over:
 * - `block`: the other side has nothing like it
 * - `block-fields`: fields of a block that have no place there
 * - `block-order`: blocks stand in another order now
 * - `call-id`: an id the other side refuses, or has seen in an earlier turn, became another, the same for call and result
 * - `call-input`: an input that will read back as something else
 * - `media`: an image, document or recording became a text that names it
 * - `message`: nothing was left of it
 * - `message-boundary`: it will read back as one message with the one before it
 * - `message-fields`: fields of the message beside role and content
 * - `refusal`: a refusal became text
 * - `result-content`: no content at all became empty text
 * - `result-error`: the mark that a call failed
 * - `result-media`: an image or document in a result became a text that names it
 * - `thinking`: it belongs to the provider that wrote it
 */
export type LossKind = 'block' | 'block-fields' | 'block-order' | 'call-id' | 'call-input' | 'media' | 'message' | 'message-boundary' | 'message-fields' | 'refusal' | 'result-content' | 'result-error' | 'result-media' | 'thinking';
/** One thing that was not carried over, by its place in the messages that were given. */
export interface Loss {
    readonly kind: LossKind;
    readonly messageIndex: number;
    /** Position in the message's content (or parts); left out where the message itself is meant. */
    readonly blockIndex?: number;
}
export interface Conversion<T> {
    readonly messages: readonly T[];
    /** In the order of the messages. Empty: converting back gives the same roles and blocks (`is_error: false` aside). */
    readonly losses: readonly Loss[];
}
/** A message as the other formats know it: without id, origin and time, which the caller adds. */
export interface PlainMessage {
    readonly role: Role;
    readonly content: readonly Block[];
}
/** Reports a loss in a message of the group being converted, counted from its first. */
export type Lose = (kind: LossKind, blockIndex?: number, offset?: number) => void;
export interface ConvertContext<In> {
    readonly lose: Lose;
    /** The last message before the group that `isCaller` holds for. */
    readonly caller: In | undefined;
}
export interface ConvertStep<In, Out> {
    /** Where the group that starts at `start` ends, exclusive; groups are converted as one. */
    readonly groupEnd: (messages: readonly In[], start: number) => number;
    /** Whether what follows may depend on a message; left out where nothing does. */
    readonly isCaller?: (message: In) => boolean;
    /** Whether two messages in a row will read back as one. */
    readonly merges?: (message: In, previous: In) => boolean;
    readonly convert: (group: readonly In[], context: ConvertContext<In>) => readonly Out[];
}
/**
 * Runs a conversion group by group and remembers each by reference, so that a history that grew is read only where it
 * is new and yields the same objects for what it shares with the last one.
 */
export declare function createMemo<In extends object, Out>(step: ConvertStep<In, Out>): (messages: readonly In[]) => Conversion<Out>;
/** Converts every message by itself. */
export declare const oneByOne: (_messages: readonly unknown[], start: number) => number;
export declare const isAssistant: (message: MessageLike) => boolean;

// convert/openai-chat-types.d.ts
/** A message of OpenAI's Chat Completions: what `toOpenAIChat` writes, assignable to the SDK's own type. */
export type OpenAIChatMessage = OpenAIChatSystemMessage | OpenAIChatUserMessage | OpenAIChatAssistantMessage | OpenAIChatToolMessage;
interface OpenAIChatSystemMessage {
    role: 'system';
    content: string | OpenAIChatTextPart[];
}
interface OpenAIChatUserMessage {
    role: 'user';
    content: string | OpenAIChatPart[];
}
interface OpenAIChatAssistantMessage {
    role: 'assistant';
    content: string | OpenAIChatTextPart[] | null;
    tool_calls?: OpenAIChatCall[];
}
export interface OpenAIChatToolMessage {
    role: 'tool';
    tool_call_id: string;
    content: string | OpenAIChatTextPart[];
}
export interface OpenAIChatCall {
    id: string;
    type: 'function';
    function: {
        name: string;
        arguments: string;
    };
}
export interface OpenAIChatTextPart {
    type: 'text';
    text: string;
}
export type OpenAIChatPart = OpenAIChatTextPart | {
    type: 'image_url';
    image_url: {
        url: string;
    };
} | {
    type: 'file';
    file: {
        file_data?: string;
        filename?: string;
        file_id?: string;
    };
};
/** What `fromOpenAIChat` reads: the SDK's messages, and those of compatible servers. */
export interface OpenAIChatMessageLike {
    readonly role: string;
    readonly content?: unknown;
    readonly refusal?: unknown;
    readonly tool_calls?: unknown;
    readonly tool_call_id?: unknown;
}
export {};

// convert/openai-chat.d.ts
import type { MessageLike } from '../like.ts';
import { type Conversion, type PlainMessage } from './conversion.ts';
import type { OpenAIChatMessage, OpenAIChatMessageLike } from './openai-chat-types.ts';
/** Both directions of one conversion; each remembers what it converted, by reference. */
export interface OpenAIChatConverter {
    to(messages: readonly MessageLike[]): Conversion<OpenAIChatMessage>;
    from(messages: readonly OpenAIChatMessageLike[]): Conversion<PlainMessage>;
}
/** A converter for a history that grows: each call reads only the messages it has not seen. */
export declare function createOpenAIChatConverter(): OpenAIChatConverter;
/** Our messages as messages of OpenAI's Chat Completions. */
export declare const toOpenAIChat: OpenAIChatConverter['to'];
/** Messages of OpenAI's Chat Completions as ours, without ids. */
export declare const fromOpenAIChat: OpenAIChatConverter['from'];

// convert/openai-responses-types.d.ts
/** An input item of OpenAI's Responses: what `toOpenAIResponses` writes, assignable to the SDK's own type. */
export type OpenAIResponsesItem = OpenAIResponsesMessage | OpenAIResponsesCall | OpenAIResponsesOutput | OpenAIResponsesReasoning | OpenAIResponsesCompaction;
type OpenAIResponsesMessage = {
    role: 'user' | 'system' | 'assistant';
    content: string;
} | {
    role: 'user' | 'system';
    content: OpenAIResponsesPart[];
};
interface OpenAIResponsesCall {
    type: 'function_call';
    call_id: string;
    name: string;
    arguments: string;
}
interface OpenAIResponsesOutput {
    type: 'function_call_output';
    call_id: string;
    output: string | OpenAIResponsesPart[];
}
/** The model's own thinking; sent back unread. */
interface OpenAIResponsesReasoning {
    type: 'reasoning';
    id: string;
    summary: {
        type: 'summary_text';
        text: string;
    }[];
    encrypted_content?: string | null;
}
/** What a server-side compaction left; sent back unread. */
interface OpenAIResponsesCompaction {
    type: 'compaction';
    encrypted_content: string;
    id?: string | null;
}
export type OpenAIResponsesPart = {
    type: 'input_text';
    text: string;
} | {
    type: 'input_image';
    detail: 'auto';
    image_url: string;
} | {
    type: 'input_image';
    detail: 'auto';
    file_id: string;
} | {
    type: 'input_file';
    file_data: string;
    filename: string;
} | {
    type: 'input_file';
    file_url: string;
} | {
    type: 'input_file';
    file_id: string;
};
/** What `fromOpenAIResponses` reads: the SDK's input and output items. */
export interface OpenAIResponsesItemLike {
    readonly type?: string | null | undefined;
    readonly role?: unknown;
    readonly content?: unknown;
    readonly call_id?: unknown;
    readonly name?: unknown;
    readonly arguments?: unknown;
    readonly output?: unknown;
}
export {};

// convert/openai-responses.d.ts
import type { MessageLike } from '../like.ts';
import { type Conversion, type PlainMessage } from './conversion.ts';
import type { OpenAIResponsesItem, OpenAIResponsesItemLike } from './openai-responses-types.ts';
/** Both directions of one conversion; each remembers what it converted, by reference. */
export interface OpenAIResponsesConverter {
    to(messages: readonly MessageLike[]): Conversion<OpenAIResponsesItem>;
    from(items: readonly OpenAIResponsesItemLike[]): Conversion<PlainMessage>;
}
/** A converter for a history that grows: each call reads only the messages it has not seen. */
export declare function createOpenAIResponsesConverter(): OpenAIResponsesConverter;
/** Our messages as input items of OpenAI's Responses. */
export declare const toOpenAIResponses: OpenAIResponsesConverter['to'];
/** Items of OpenAI's Responses, input or output, as our messages, without ids. Reasoning travels as blocks of its own. */
export declare const fromOpenAIResponses: OpenAIResponsesConverter['from'];

// convert/usage.d.ts
import type { Usage } from '../types.ts';
/** What OpenAI's Chat Completions report; the SDK's `CompletionUsage` fits. */
export interface OpenAIChatUsage {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly prompt_tokens_details?: CachedTokens | null | undefined;
    readonly completion_tokens_details?: ReasoningTokens | null | undefined;
}
/** What OpenAI's Responses report; the SDK's `ResponseUsage` fits. */
export interface OpenAIResponsesUsage {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly input_tokens_details?: CachedTokens | null | undefined;
    readonly output_tokens_details?: ReasoningTokens | null | undefined;
}
interface CachedTokens {
    readonly cached_tokens?: number | null | undefined;
    readonly cache_write_tokens?: number | null | undefined;
}
interface ReasoningTokens {
    readonly reasoning_tokens?: number | null | undefined;
}
/** Usage of Chat Completions in our shape: OpenAI counts cached and written tokens as input, here they stand apart. */
export declare function usageFromOpenAIChat(usage: OpenAIChatUsage): Usage;
/** Usage of Responses in our shape: OpenAI counts cached and written tokens as input, here they stand apart. */
export declare function usageFromOpenAIResponses(usage: OpenAIResponsesUsage): Usage;
export {};

// cut-text.d.ts
/**
 * The first `maxUnits` UTF-16 units of a text, or the last ones with `from: 'end'`, one fewer where the cut would fall
 * inside a surrogate pair: cutting a well-formed text keeps it well-formed. Characters of several code points (a flag,
 * a family) may still be cut between them. The same string comes back when it is short enough.
 */
export declare function cutText(text: string, maxUnits: number, { from }?: CutTextOptions): string;
export interface CutTextOptions {
    /** Which end is kept. @default 'start' */
    readonly from?: 'start' | 'end' | undefined;
}
export interface CutMiddleOptions {
    /** UTF-16 units kept of the start. */
    readonly headUnits: number;
    /** UTF-16 units kept of the end. */
    readonly tailUnits: number;
    /** Stands for what was cut; `cutUnits` is how many UTF-16 units that were. */
    readonly marker: string | ((cutUnits: number) => string);
}
/** Head and tail of a text around a marker, cut like `cutText`; the same string when nothing would be cut. */
export declare function cutMiddle(text: string, options: CutMiddleOptions): string;

// edit-node.d.ts
import type { Group, Logged, Undoable } from './group.ts';
import type { Block, Edit, JsonObject } from './types.ts';
/** An edit of the log with everything it needs to be done and undone. */
export interface EditNode extends Undoable {
    /** Position among the edits of the log. */
    readonly order: number;
    readonly entryId: string;
    readonly edit: Edit;
    readonly span?: Span;
    readonly replacements: readonly Replacement[];
    /** Of an undo. */
    readonly target?: EditNode;
    readonly undoneBy: EditNode[];
}
/** Both ends are places of groups, inclusive. */
export interface Span {
    readonly from: number;
    readonly to: number;
    readonly with: readonly Group<EditNode>[];
    readonly after: readonly Group<EditNode>[];
}
export interface Replacement {
    readonly logged: Logged<EditNode>;
    readonly index: number;
    readonly block: Block | null;
}
/** The parameters of live server edits: a key of a later edit takes the place of the same key of an earlier one. */
export declare function mergeServer(edits: Iterable<EditNode>): JsonObject | undefined;
/**
 * The edits that change between live and undone when `undo` comes into force: its target, and if that is itself an undo
 * the target of that one, as far as it makes a difference.
 */
export declare function switchedBy(undo: EditNode): EditNode[];

// error.d.ts
import { VarveError } from '@varve/guards';
/** Why an entry, an edit or a line was refused; each is explained in the README. */
export type MessagesErrorCode = 'already-undone' | 'broken-pairing' | 'crossing-span' | 'duplicate-call' | 'duplicate-entry' | 'duplicate-message' | 'duplicate-replacement' | 'duplicate-result' | 'empty-content' | 'empty-id' | 'empty-text' | 'first-not-user' | 'foreign-messages' | 'incomplete-round' | 'invalid-entry' | 'invalid-json' | 'misplaced-block' | 'no-head' | 'not-an-edit' | 'not-serializable' | 'opaque-block' | 'orphan-result' | 'reversed-span' | 'round-open' | 'split-group' | 'trailing-thinking' | 'unknown-block' | 'unknown-entry' | 'unknown-message';
/** The one error this package throws. Nothing was changed when it is thrown. */
export declare class MessagesError extends VarveError<MessagesErrorCode> {
    get name(): 'MessagesError';
    /** Holds across copies of the package, where `instanceof` does not. */
    static is(value: unknown): value is MessagesError;
}

// failed-result.d.ts
import { type BlockLike } from './like.ts';
/** What a result of a failed tool says that said nothing: Anthropic refuses one without text. Same bytes each time. */
export declare const NO_OUTPUT = "[The tool failed without any text output.]";
/** A block of text that says nothing, white space included: providers refuse it, inside a result too. */
export declare const isEmptyText: (block: BlockLike) => boolean;
/** Whether a result is of a failed tool and its content says nothing. */
export declare function isSilentFailure(block: BlockLike): boolean;

// fingerprint.d.ts
/**
 * A synchronous 128-bit hash of a string as 32 hexadecimal digits. It tells equal prefixes from different ones; it is not
 * meant to withstand somebody who constructs collisions. Every UTF-16 unit counts, half surrogates included.
 *
 * With `seed`, the fingerprint of what stands before, it continues: the result depends on both. The algorithm is frozen,
 * because stamps in logs hold what it returned.
 *
 * @throws RangeError when `seed` is neither empty nor a fingerprint
 */
export declare function fingerprint(text: string, seed?: string): string;

// fit-history.d.ts
import type { ProviderProfile } from './profiles.ts';
import type { Message } from './types.ts';
/** How many blocks of a message went out otherwise than they came. */
export interface FitNews {
    readonly message: Message;
    readonly reason: 'call-ids' | 'failed-results' | 'media';
    readonly count: number;
}
/**
 * Writes a history so that a provider takes ids, names and results that another one made: `call_x|fc_y` becomes an id of
 * letters, digits, `_` and `-`, in the call and in its result; a failed tool that gave no output says so, blank text in a
 * result is left out, and in place of an image or a document that a provider does not take stands a text that says so. The
 * log keeps what came. Ids and names stay where any of the providers takes them: some want their own back.
 *
 * Same history and providers, same messages, whatever was asked in between: one that needs nothing is the same object, and so
 * is each message of it. Each message is read once for providers that want the same, and `onFit` hears of it then; what a
 * history has in common with the one before costs nothing.
 */
export declare function createHistoryFit(onFit?: (news: FitNews) => void): (messages: readonly Message[], profiles: readonly Pick<ProviderProfile, 'callIds' | 'blankText' | 'mediaTypes'>[]) => readonly Message[];

// fit.d.ts
export { withObjectInput } from './call-input.ts';
export { NO_OUTPUT } from './failed-result.ts';
export { createHistoryFit } from './fit-history.ts';
export { IMAGE_TYPES, mediaFault } from './media-check.ts';
export { isPaused, soundReply } from './sound-reply.ts';
export { isProviderStopReason } from './stop-reasons.ts';
export { syntheticResult } from './synthetic-result.ts';

// foreign-messages.d.ts
/**
 * Refuses messages of another library, so that none is silently emptied: AI SDK, OpenAI Chat Completions and Responses,
 * LangChain, Gemini, Bedrock Converse, ShareGPT, AutoGen, prompts of MCP; and those of no role that ours have. Costs a look at the keys and block types of each message; one that was looked at
 * before costs nothing. Those before `from` are known already.
 *
 * @throws MessagesError `foreign-messages`, which says what they are and which function converts them
 */
export declare function refuseForeign(messages: readonly unknown[], from?: number): void;
/**
 * What another library calls a message, a part of a message, or a model's response: the rest of a sentence that says what
 * it is and what converts it. Undefined for messages of ours and of Anthropic's API, and for anything unknown.
 */
export declare function describeForeign(value: unknown): string | undefined;
/** Whether a block is one that no provider takes in a message and that no converter leaves there. */
export declare const isForeignBlock: (block: object) => boolean;

// foreign.d.ts
export { checkMessages } from './check-messages.ts';
export { describeForeign, refuseForeign } from './foreign-messages.ts';

// group.d.ts
import type { Block, Message, ToolResultBlock, ViewMessage } from './types.ts';
/** Anything that counts only while it has not been undone. */
export interface Undoable {
    live: boolean;
}
/** A message of the log with everything that was put in place of its blocks, in log order. */
export interface Logged<Owner extends Undoable = Undoable> {
    readonly message: Message;
    /** The entry that brought it. */
    readonly entryId: string;
    /** The edit that brought it, if it is not an entry of its own. */
    readonly owner?: Owner | undefined;
    readonly replacements: {
        readonly by: Undoable;
        readonly index: number;
        block: Block | null;
    }[];
    /** Set once the message is in the view or could be: not while its round is open. */
    group?: Group<Owner>;
}
/** What stays together in the view: one message, or a round of calls with their results. */
export interface Group<Owner extends Undoable = Undoable> {
    /** In log order; more than one only in a round, whose first is the assistant message. */
    readonly members: readonly Logged<Owner>[];
    readonly callIds: readonly string[];
    readonly owner?: Owner | undefined;
    /** Position among all groups, in the order of the view; -1 in a message that stands for a span. */
    place: number;
    view: readonly ViewMessage[];
}
export declare function createGroup<Owner extends Undoable>(members: readonly Logged<Owner>[]): Group<Owner>;
/** The messages of a group after something of `logged` was replaced; the other message stays the same object. */
export declare function renderAgain({ members, callIds, view }: Group, logged: Logged): ViewMessage[];
export declare function renderMessage(logged: Logged): ViewMessage;
/** The blocks of a message after all live replacements; the logged list itself where there are none. */
export declare function currentContent({ message, replacements }: Logged): readonly Block[];
/** The results of `content` in the order of the calls, and every other block in its own order. */
export declare function splitResults(callIds: readonly string[], content: readonly Block[]): {
    readonly results: readonly ToolResultBlock[];
    readonly rest: readonly Block[];
};

// guards.d.ts
import type { Block, DocumentBlock, ImageBlock, RedactedThinkingBlock, TextBlock, ThinkingBlock, ToolResultBlock, ToolUseBlock, Usage } from './types.ts';
export declare const isText: (block: Block) => block is TextBlock;
export declare const isToolUse: (block: Block) => block is ToolUseBlock;
/** A call of any kind: one that the caller runs, and those that the provider runs itself or on an MCP server. All have an input. */
export declare const isCallLike: ({ type }: {
    readonly type: string;
}) => boolean;
export declare const isToolResult: (block: Block) => block is ToolResultBlock;
/** Thinking that carries a signature or is redacted: both are opaque and live or die whole. */
export declare const isThinking: (block: Block) => block is ThinkingBlock | RedactedThinkingBlock;
/** Thinking of any provider: Anthropic's two, and the reasoning items of OpenAI's Responses, which travel as a block of that type. */
export declare const isThought: ({ type }: {
    readonly type: string;
}) => boolean;
export declare const isMedia: (block: Block) => block is ImageBlock | DocumentBlock;
/** The tool calls of a message, in order. */
export declare function toolUses(message: {
    readonly content: readonly Block[];
}): ToolUseBlock[];
/** The tool results of a message, in order. */
export declare function toolResults(message: {
    readonly content: readonly Block[];
}): ToolResultBlock[];
/** The whole prompt of a response in tokens: read, written and plain. */
export declare function promptTokens(usage: Usage): number;

// index.d.ts
export { checkHistory } from './check-history.ts';
export { checkRequest } from './check-request.ts';
export { closeRound } from './close-round.ts';
export { MessagesError } from './error.ts';
export { fingerprint } from './fingerprint.ts';
export { isText, isThinking, isToolResult, isToolUse, promptTokens, toolResults, toolUses, } from './guards.ts';
export { legalCuts } from './legal-cuts.ts';
export type { Plan, PlanContext, Planner } from './planner.ts';
export { anthropicProfile, openaiChatProfile, openaiResponsesProfile, type ProviderProfile, type ThinkingRule, } from './profiles.ts';
export { createProjection, project } from './projection.ts';
export { repairHistory } from './repair.ts';
export { apiRounds } from './rounds.ts';
export { parseEntry, serializeEntry } from './serialize.ts';
export { stableStringify } from './stable-json.ts';
export type * from './types.ts';

// legal-cuts.d.ts
import { type MessageLike } from './like.ts';
/**
 * Where a history may be cut: indexes (ascending, 0 to the number of messages) such that every call has its results on
 * its own side and what is kept on the right starts with a user message or is empty. The last index is missing while
 * calls wait for results. Pairs are found by id, so results out of order and ids that later turns use again are fine.
 * O(messages and blocks); reads ids only. Thinking is another matter: a `prefix-bound` model refuses what was written
 * behind the left side.
 */
export declare function legalCuts(messages: readonly MessageLike[], { behindSummary }?: LegalCutsOptions): readonly number[];
export interface LegalCutsOptions {
    /**
     * A user message, such as a summary, comes to stand before what is kept: one may also cut before an assistant message
     * that starts a response. @default false
     */
    readonly behindSummary?: boolean | undefined;
}

// like.d.ts
/** The least a block has to be for the functions that work on anybody's messages. */
export interface BlockLike {
    readonly type: string;
}
/** The least a message has to be: `Message`, `ViewMessage` and the SDK's `MessageParam` all fit. */
export interface MessageLike {
    readonly role: string;
    readonly content: string | readonly BlockLike[];
}
/** Text content counts as one text block, or as none when empty; anything that is neither text nor a list as none. */
export declare function blocksOf(message: MessageLike): readonly BlockLike[];
/** A field of a block whose type is not known here. */
export declare function field(block: BlockLike, name: string): unknown;
/** No character that is not white space: providers refuse such a text block like an empty one. */
export declare const isBlank: (text: string) => boolean;
/** Like `blocksOf`, with a block of no type in place of what is no block. */
export declare function safeBlocksOf(message: MessageLike): readonly BlockLike[];
export declare const isThinkingLike: (block: unknown) => boolean;
export declare const hasThinking: (message: MessageLike) => boolean;
export declare function responseOf(message: MessageLike): Readonly<Record<string, unknown>>;

// log-index.d.ts
import type { LogState } from './log-state.ts';
import type { Entry, Message, View } from './types.ts';
/**
 * What a projection knows of its log beyond the view. Every answer is O(1), or O(length) for a chain of undos, but for
 * `took`, and speaks of the log as it is when it is asked.
 */
export interface LogIndex {
    /** A message of the log by its id, as it was logged; those that edits brought included. */
    logged(messageId: string): Message | undefined;
    /** Which entry brought a message, and how. */
    broughtBy(messageId: string): Bringer | undefined;
    /** Whether an entry is an edit in force: one that was undone is not, one whose undo was undone is again. */
    isLive(entryId: string): boolean;
    /**
     * The edit that is switched on or off by an undo: what it undoes, and where that is an undo itself, what that one undoes.
     * Any other edit is its own; undefined for an entry that is no edit.
     */
    undoes(entryId: string): string | undefined;
    /**
     * Ids of the messages between both ends of a `replace-span`, in the order of the view, shown or not: those that it takes
     * away while it is in force. None for any other entry. O(their number).
     */
    took(entryId: string): readonly string[];
    /** Whether an entry or a message has this id. */
    has(id: string): boolean;
}
export interface Bringer {
    readonly entryId: string;
    /** An entry of its own, or a part of an edit: in place of its span, or behind everything logged before it. */
    readonly as: 'message' | 'with' | 'then';
}
/**
 * What is known of the log behind a view that `createProjection` or `project` made. A view that was put together by hand, a
 * copy included, has none: nothing is known then.
 */
export declare function logOf(view: View): LogIndex;
/** The messages that an entry brings: its own, or those of an edit, what stands for its span first. */
export declare function broughtMessages(entry: Entry): readonly Message[];
/**
 * Whether a cut before a position of a view would part what one edit brought in place of a span: the log has no place
 * inside of that, so another span holds all of it or none.
 */
export declare function partsSpan(view: View, index: number): boolean;
export declare const remember: (view: View, index: LogIndex) => void;
export declare function indexOf({ logged, entries, groups }: LogState): LogIndex;

// log-state.d.ts
import { type Assembly } from './assembly.ts';
import type { EditNode } from './edit-node.ts';
import type { Group, Logged } from './group.ts';
import type { Head, JsonObject, ViewMessage } from './types.ts';
/** What a projection keeps between entries. It grows with the log; only an edit looks at all of it. */
export interface LogState {
    readonly logged: Map<string, Logged<EditNode>>;
    /** Every entry by its id; the edit where it is one. */
    readonly entries: Map<string, EditNode | undefined>;
    readonly edits: EditNode[];
    /** In the order of the view, hidden and undone ones included. */
    readonly groups: Group<EditNode>[];
    readonly assembly: Assembly<EditNode>;
    head?: Head;
    server?: JsonObject | undefined;
    messages: ViewMessage[];
    changedFrom: number;
}
export declare function createLogState(): LogState;
/** Gives complete groups their places behind everything before them. */
export declare function pushGroups(state: LogState, groups: readonly Group<EditNode>[]): void;

// log.d.ts
export { broughtMessages, logOf, partsSpan } from './log-index.ts';
export { type EditReceipt, editReceipt } from './receipt.ts';
export { writtenForm } from './written-form.ts';

// media-check.d.ts
import type { BlockLike } from './like.ts';
/** Images that every provider takes in base64 (platform.claude.com, "Vision"; OpenAI names the same four). */
export declare const IMAGE_TYPES: readonly string[];
/**
 * What is wrong with the source of an image or a document, so that a provider does not take it: the rest of a sentence that says what
 * it is and what to do. `mediaTypes` are those that may come in base64. Any may where they are left out: what is then found, no
 * provider takes.
 */
export declare function mediaFault(block: BlockLike, mediaTypes: readonly string[] | undefined): string | undefined;

// open-requests.d.ts
import { type MessageLike } from './like.ts';
/** What persons asked in a history and what became of it. All are positions of messages, ascending. */
export interface Requests {
    /** Asked and not answered to its end: a compaction keeps these messages as they are. */
    readonly open: readonly number[];
    /**
     * The same, said in a message that also holds tool results: it can only be kept with its round, or without its
     * results.
     */
    readonly beside: readonly number[];
    /** The person stopped it before it was answered: it is not worked on, and it must not be lost. */
    readonly stopped: readonly number[];
    /** Where the newest reply stands that ended its turn; -1 where there is none. */
    readonly lastAnswer: number;
}
/**
 * Which requests of persons are open, and which the person stopped. The one rule:
 *
 * - A request is closed by a reply that ends its turn. A step of a tool loop does not, nor does a reply that was cut,
 *   paused, aborted or failed or has not ended, that says no word (thinking, blank text, `(no content)`), or that no model wrote; by the words of
 *   other providers too (`finish_reason: 'length'`, `status: 'incomplete'`). Assistant messages in a row
 *   are one reply, but for one that failed behind an answer.
 * - A request is stopped when its work was aborted (a call that the person refused or aborted, an aborted reply, the mark
 *   of an interruption) and what comes next is a person or the end of the turn. Work that goes on by itself after an
 *   abort is not stopped, nor is what the person asks for again ("try again", "continue").
 * - Persons are as `isPerson` says, words beside tool results included.
 *
 * One pass over the messages, of a log that only grew over those that are new; of a text only its first words are read,
 * unless it begins as a machine's does.
 */
export declare function openRequests(messages: readonly MessageLike[]): Requests;

// persons.d.ts
export { callStop } from './call-stop.ts';
export { openRequests } from './open-requests.ts';
export { stoppedSection, withoutStoppedSection } from './stopped-section.ts';
export { injectedTexts, isPerson, isSummary, isSynthetic, NOTES_OPENING, personBlocks, SUMMARY_OPENING, splitInjected, } from './who-said.ts';

// plain-value.d.ts
/**
 * Shows `visit` every value inside a value, keys included, without recursion, until it returns true; says whether it did.
 * A large value is begun again, after `restart` was called, to find out whether it holds itself.
 *
 * @throws MessagesError `not-serializable` for a value that holds itself, one nested deeper than engines write, and a getter
 * that throws
 */
export declare function walk(root: unknown, visit: (value: unknown) => boolean, restart?: () => void): boolean;
/**
 * Runs what reads a value. Where that fails over a value that is no plain JSON, this says so: one that holds itself or a
 * BigInt, that is nested too deeply, or whose getter or `toJSON` throws. Costs nothing where it does not fail.
 *
 * @throws MessagesError `not-serializable`, else what `run` throws
 */
export declare function readPlain<T>(value: unknown, run: () => T): T;

// planner.d.ts
import type { ThinkingRule } from './profiles.ts';
import type { Edit, Entry, JsonObject, Message, View } from './types.ts';
/**
 * A layer of context management: it watches the log as it grows and proposes edits. `observe` keeps a small fold (fed at
 * once is fed stepwise); `plan` changes nothing. `Work` is what it needs a store or a model for.
 */
export interface Planner<Work = never> {
    /** Takes the next entry of the log and the view after it. */
    observe(entry: Entry, view: View): void;
    /** What to do before the next request. */
    plan(context: PlanContext): Plan<Work>;
    /**
     * Index of the first message of the view that the next edit of this layer can change; undefined where none can. A cache
     * marker that is parked before it keeps that edit from costing what stands in front.
     */
    frontier?(): number | undefined;
}
/** `work`: run it, then append its edits. Every plan says why, kebab-case. */
export type Plan<Work = never> = {
    readonly kind: 'none';
    readonly reason: string;
} | {
    readonly kind: 'edit';
    readonly edits: readonly Edit[];
    readonly reason: string;
    /** Goes into the entries of the edits: what was dropped, kept and freed. */
    readonly receipt?: JsonObject;
} | {
    readonly kind: 'work';
    readonly work: Work;
    readonly reason: string;
};
/** What is known when the next request is about to be sent. */
export interface PlanContext {
    /** Milliseconds since 1970. */
    readonly nowMs: number;
    /** A person has just spoken, so that no tool loop is under way (`isAtUserTurn`). */
    readonly atUserTurn: boolean;
    /** Size of the next request in tokens, system prompt and tools included. */
    readonly contextTokens: number;
    readonly limits: PlanLimits;
    /** Tokens of a message. */
    readonly sizeOf: (message: Message) => number;
    readonly cache: PlanCache;
    readonly prices: PlanPrices;
    /** How the model binds thinking to what stands before it. */
    readonly thinking: ThinkingRule;
}
/** Sizes in tokens. */
export interface PlanLimits {
    readonly windowTokens: number;
    /** The window less room for the reply. */
    readonly effectiveTokens: number;
    /** From here on the conversation is compacted. */
    readonly autocompactTokens: number;
}
export interface PlanCache {
    /** Whether the last request's prefix is still cached, as far as its lifetime says. */
    readonly warm: boolean;
    /** Message indices behind which the last request had a marker. */
    readonly markers: readonly number[];
}
/** What tokens cost, in one unit for all; only their ratios matter. */
export interface PlanPrices {
    /** A prompt token read from the cache. */
    readonly read: number;
    /** A prompt token written to the cache; where writing is free, the price of a plain one. */
    readonly write: number;
    readonly output: number;
}

// profiles.d.ts
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
/**
 * The rules of Anthropic's Messages API; what differs between its models are the options.
 *
 * @throws TypeError without the rule for thinking, which has no default
 */
export declare function anthropicProfile(options: AnthropicProfileOptions): ProviderProfile;
/** The rules of OpenAI's Chat Completions for a history that `toOpenAIChat` writes. */
export declare function openaiChatProfile(): ProviderProfile;
/** The rules of OpenAI's Responses for a history that `toOpenAIResponses` writes: results pair by id, reasoning needs what follows it. */
export declare function openaiResponsesProfile(): ProviderProfile;

// projection.d.ts
import type { Entry, View } from './types.ts';
/** Turns a growing log into what the next request carries. */
export interface Projection {
    /**
     * Takes the next entry and returns the view after it. An appended message costs the same however long the log is, a
     * copy of the list of pointers aside; an edit walks ids and reads the content of what it touches only. Never mutates
     * a view it returned.
     *
     * @throws MessagesError when the entry may not come next; the projection is then as it was.
     */
    append(entry: Entry): View;
}
/** A projection of an empty log. */
export declare function createProjection(): Projection;
/**
 * The view after all entries: the same as feeding them to `createProjection()` one by one.
 *
 * @throws MessagesError at the first entry that may not stand where it stands.
 */
export declare function project(entries: Iterable<Entry>): View;

// receipt.d.ts
import type { JsonObject } from './types.ts';
/** What every edit that takes messages or their content out of a conversation says of itself. It stands beside the edit in the log. */
export interface EditReceipt extends JsonObject {
    /** Kebab-case. */
    readonly reason: string;
    /** Tokens of the next request without the edit. */
    readonly tokensBefore: number;
    /** Tokens of the next request with it. */
    readonly tokensAfter: number;
    readonly droppedMessages: number;
    readonly keptMessages: number;
    /** Where the originals are, in the caller's words. */
    readonly originals?: string;
}
/** What a receipt is made of. Sizes in tokens of the next request. */
export interface EditFacts {
    readonly reason: string;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    /** How many messages are gone. */
    readonly dropped: number;
    /** How many stay. */
    readonly kept: number;
    readonly originals?: string | undefined;
}
/** The receipt of an edit. */
export declare function editReceipt(facts: EditFacts): EditReceipt;

// repair-draft.d.ts
import { type BlockLike, type MessageLike } from './like.ts';
import type { ProviderProfile } from './profiles.ts';
/** One thing a repair did. */
export interface Repair {
    readonly kind: RepairKind;
    /** Position in the history as it was given. */
    readonly messageIndex: number;
    /** Position in that message's content; left out where a whole message is meant. */
    readonly blockIndex?: number;
    /** How many half surrogates became U+FFFD. */
    readonly count?: number;
}
/**
 * - `added-placeholder`: a user message that says the beginning is missing, where the first has to be the user's
 * - `added-result`: a call without a result was closed with a synthetic one; the place is the call's
 * - `dropped-block`: it lacked what its type needs, or may not stand in a message of its role
 * - `dropped-call`: its input never arrived whole, and nothing came of it
 * - `dropped-empty-text`: text without a character that is not white space
 * - `dropped-message`: nothing was left in it, or its role is unknown
 * - `dropped-result`: it answered no call, or one that was answered already
 * - `dropped-thinking`: a block of thinking, always whole
 * - `filled-result`: a failed result without text says that there was no output
 * - `moved-result`: it now stands behind its call, in the order of the calls
 * - `moved-text`: a system message became a user message where the provider takes none
 * - `renamed-call`: an id that was empty, shared or refused by the provider became another, in the call and in its result
 * - `renamed-tool`: the name of a called tool, which the provider refuses, became another
 * - `replaced-half-surrogates`: `count` of them became U+FFFD
 * - `trimmed-result`: what no result may hold was dropped from its content
 * - `wrapped-input`: the input of an answered call was no object and is now `{ unparsed: … }`
 */
export type RepairKind = 'added-placeholder' | 'added-result' | 'dropped-block' | 'dropped-call' | 'dropped-empty-text' | 'dropped-message' | 'dropped-result' | 'dropped-thinking' | 'filled-result' | 'moved-result' | 'moved-text' | 'renamed-call' | 'renamed-tool' | 'replaced-half-surrogates' | 'trimmed-result' | 'wrapped-input';
/** A block on its way through the repair, with the place it came from. */
export interface Part {
    readonly block: BlockLike;
    readonly blockIndex: number;
    /** Made up by the repair. */
    readonly synthetic?: true;
}
/** A message on its way through the repair. */
export interface Draft<M extends MessageLike> {
    /** Missing on messages that the repair adds; `messageIndex` then names the message they belong to. */
    readonly original?: M;
    readonly messageIndex: number;
    readonly role: string;
    readonly parts: readonly Part[];
}
export interface RepairContext {
    readonly profile: ProviderProfile;
    readonly repaired: (kind: RepairKind, place: {
        readonly messageIndex: number;
        readonly blockIndex?: number;
        readonly count?: number;
    }) => void;
}
export declare function toDraft<M extends MessageLike>(original: M, messageIndex: number): Draft<M>;
/** The message of a draft: the original itself when nothing in it changed. */
export declare function toMessage<M extends MessageLike>(draft: Draft<M>, messages: readonly M[]): M;

// repair.d.ts
import { type CheckOptions } from './check-history.ts';
import type { MessageLike } from './like.ts';
import { type ProviderProfile } from './profiles.ts';
import { type Repair } from './repair-draft.ts';
export interface RepairOptions extends CheckOptions {
    /** @default Anthropic's rules, which are the strictest: what keeps them is valid everywhere. */
    readonly profile?: ProviderProfile | undefined;
}
export interface RepairResult<M> {
    readonly messages: readonly M[];
    /** Everything that was done, in the order of the history; empty exactly when `messages` is the array given. */
    readonly repairs: readonly Repair[];
}
/**
 * Makes a damaged history valid for a provider and says what it did. A valid history comes back as the same array,
 * and messages that need nothing as the same objects; a second repair does nothing. Real results are never made up,
 * and ids come from the history, never from chance. Thinking is left alone or dropped whole; with a `prefix-bound`
 * profile all thinking behind the first change goes. Only too many messages stay: that is for a compaction.
 */
export declare function repairHistory<M extends MessageLike>(messages: readonly M[], options?: RepairOptions): RepairResult<M>;

// rounds.d.ts
import type { MessageLike } from './like.ts';
/**
 * The messages of each API response, in order: an assistant message with the results and user messages up to the next
 * one. Assistant messages in a row are one response. Messages before the first response are a group of their own.
 * Concatenated, the groups are the history again; no message is read beyond its role.
 */
export declare function apiRounds<M extends MessageLike>(messages: readonly M[]): readonly (readonly M[])[];

// serialize.d.ts
import type { Entry } from './types.ts';
/**
 * An entry as one line of JSON without its line break, valid UTF-8 whatever it holds. Keys keep their order, because a
 * provider renders the input of a call in it; so a log that was written and read again sends the same bytes.
 *
 * @throws MessagesError `not-serializable` for what JSON cannot hold, or what is too long or too deep for the engine
 */
export declare function serializeEntry(entry: Entry): string;
/**
 * Reads a line that `serializeEntry` wrote, with or without its line break. What stands in the line beyond the fields
 * of an `Entry` is kept. The reverse of `serializeEntry`: same value, same order of keys.
 *
 * @throws MessagesError `invalid-json`, or `invalid-entry` with the place of the first wrong field in its message
 */
export declare function parseEntry(line: string): Entry;

// shared-start.d.ts
import type { MessageLike } from './like.ts';
/**
 * Remembers a history and says of the next one how many messages both begin with: the same objects, in the same places. Costs
 * a look at each of them, and nothing for the views of a log that only grew.
 *
 * @param first the history to begin with; none where it is left out
 */
export declare function createSharedStart<M extends MessageLike>(first?: readonly M[]): (messages: readonly M[]) => number;
/** Says of a list, which never changes, that it is the beginning of a growing list. */
export declare const beginsGrowingList: (list: readonly MessageLike[], growing: readonly MessageLike[]) => void;
/** The growing list that a list is the beginning of; undefined for a list of which nothing is known. */
export declare const growingListOf: (list: readonly MessageLike[]) => readonly MessageLike[] | undefined;

// sound-reply.d.ts
import { type MessageLike } from './like.ts';
import type { ProviderProfile } from './profiles.ts';
import type { Block } from './types.ts';
/**
 * What was made good in a reply, and in how many blocks: inputs of calls that were no objects; ids that were empty or not
 * unique; thinking that holds half a surrogate pair, which is signed as it is and which no provider takes, or that has no signature
 * at all; blocks that are none, a call without a name among them, which were left out.
 */
export interface ReplyRepair {
    readonly reason: 'blocks' | 'call-inputs' | 'call-ids' | 'half-thoughts';
    readonly count: number;
}
export interface SoundReply {
    /** The same list where nothing had to change; empty where nothing of the reply can be sent back. */
    readonly content: readonly Block[];
    readonly repairs: readonly ReplyRepair[];
}
/**
 * The blocks of a model's reply as a later request can carry them. Left out: what is no block of a reply, blank text, thinking without a signature where
 * every provider checks it, thinking with half a surrogate pair, and thinking at the end. Calls, those that the provider ran
 * included, get inputs that are objects, where a provider wants them, and the caller's ids of their own. Where thinking is bound to the exact conversation, what stands behind a changed block goes too.
 */
export declare function soundReply(content: readonly Block[], profiles: readonly ProviderProfile[]): SoundReply;
/**
 * Whether a reply was paused while the provider ran a tool: it goes back as the last message, and the model goes on with
 * it. By its stop reason, and without one by a call of the provider's at its end.
 */
export declare function isPaused(message: MessageLike): boolean;

// stable-json.d.ts
/**
 * JSON with object keys in code-unit order at every depth (`"10"` before `"9"`), so that equal values have equal bytes.
 * Everything else is as in `JSON.stringify`: `undefined`, functions and symbols are left out, and half surrogates are
 * escaped, so the output is valid UTF-8. One pass to see whether keys are in order, and one to write.
 *
 * @throws MessagesError `not-serializable` for a cycle, a BigInt, a depth or a length the engine cannot write
 */
export declare function stableStringify(value: unknown): string;
/** Turns what `JSON.stringify` throws into the package's own error. */
export declare function orRefuse(stringify: () => string): string;

// stamp.d.ts
import type { Head, RequestStamp, View, ViewMessage } from './types.ts';
type Prefix = Pick<View, 'head' | 'messages'>;
/**
 * The running fingerprint of head and messages after `messageCount` messages, as 32 hexadecimal digits; undefined when
 * the view is shorter. Each message is read once in its life; a view that grew costs only what is new.
 */
export declare function prefixFingerprint(view: Prefix, messageCount: number): string | undefined;
/**
 * Records which prefix a request carries: the whole view, as it stands now.
 *
 * @param startedAtMs when the request was sent, in milliseconds since 1970.
 * @throws MessagesError `no-head`
 */
export declare function createRequestStamp(view: View, startedAtMs: number): RequestStamp;
/** Whether the view still starts with exactly the bytes the stamped request carried, head included. */
export declare function stampHolds(view: Prefix, stamp: RequestStamp): boolean;
/** Model, system, tools and parameters of a head as one fingerprint; its id is not part of it. */
export declare function headFingerprint(head: Head): string;
/** Lets `after` use what is known of `before`, with which it has its first `sameCount` messages in common. */
export declare function shareRunning(before: readonly ViewMessage[], after: readonly ViewMessage[], sameCount: number): void;
export {};

// stamps.d.ts
export { createSharedStart } from './shared-start.ts';
export { createRequestStamp, headFingerprint, prefixFingerprint, stampHolds } from './stamp.ts';

// stop-reasons.d.ts
import type { StopReason } from './types.ts';
/** Every word there is: those of providers, and ours for a reply that has none. */
export declare const STOP_REASONS: readonly ["end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded", "compaction", "aborted", "error", "unknown"];
/** True for a stop reason of Anthropic's API, whose words are ours; `aborted`, `error` and `unknown` come from no provider. */
export declare const isProviderStopReason: (word: unknown) => word is StopReason;

// stopped-section.d.ts
import { type MessageLike } from './like.ts';
export interface StoppedSectionOptions {
    /** Applied to each text before it is cut, to take secrets out. @default none */
    readonly clean?: ((text: string) => string) | undefined;
}
/**
 * What the message that stands for `messages` before `end` says of requests there that the person stopped, so that none is
 * lost and none is taken up again; undefined where there are none. Each is quoted, with its last three calls and what came of
 * them, because they may have had effects. What earlier summaries among the messages say is carried over. At most 20
 * requests, the newest, and about 16,000 characters; of a request 2,000, and 300 once it is carried over.
 */
export declare function stoppedSection(messages: readonly MessageLike[], end: number, { clean }?: StoppedSectionOptions): string | undefined;
/** A summary's text without such sections. */
export declare function withoutStoppedSection(text: string): string;

// stored-result.d.ts
import type { ToolResultBlock } from './types.ts';
/** The tag around what stands in place of a stored result, and the beginning of that of a gap in it. */
export declare const STORED_TAG = "persisted-output";
/** How a stored result is written: text as it was, a JSON value, or bytes. */
export type StoredExtension = 'txt' | 'json' | 'bin';
/** The handle of a stored result. It depends on the call's id and the content, and on nothing else. */
export declare function storedHandleOf(toolUseId: string, hash: string, extension: StoredExtension): string;
/** An id as a part of a file's name, at most 64 characters; different ids may get the same. */
export declare function safeFileName(id: string, empty: string): string;
/**
 * The handle under which a result is stored whole, from the envelope that stands in its place; undefined for a result that
 * stands there whole, whatever it looks like.
 */
export declare function storedHandle(block: Pick<ToolResultBlock, 'tool_use_id' | 'content'>): string | undefined;

// stored.d.ts
export { STORED_TAG, safeFileName, storedHandle, storedHandleOf } from './stored-result.ts';

// synthetic-result.d.ts
import type { ToolResultBlock } from './types.ts';
/** The result a call is closed with when nobody knows what came of it. Same call, same bytes. */
export declare function syntheticResult(toolUseId: string): ToolResultBlock;

// testing.d.ts
export { damagedLog } from './testing/damaged-log.ts';
export { hostileJson, hostileText } from './testing/hostile.ts';
export { messageHistory, validLog } from './testing/valid-log.ts';

// testing/damaged-log.d.ts
import * as fc from 'fast-check';
import type { Entry } from '../types.ts';
/** One thing that went wrong with a log on its way. */
export type DamageKind = keyof typeof DAMAGES;
export interface DamagedLog {
    readonly entries: readonly Entry[];
    /** What was done to a valid log, in this order; may be without effect on a short one. */
    readonly damages: readonly DamageKind[];
}
/** A valid log after one to three damages: entries lost, doubled, swapped or cut off, blocks emptied, ids wrong. */
export declare function damagedLog(): fc.Arbitrary<DamagedLog>;
declare const DAMAGES: {
    'lost-entry': (entries: readonly Entry[], index: number) => Entry[];
    'lost-tail': (entries: readonly Entry[], index: number) => Entry[];
    'lost-start': (entries: readonly Entry[], index: number) => Entry[];
    'doubled-entry': (entries: readonly Entry[], index: number) => Entry[];
    'swapped-entries': (entries: readonly Entry[], index: number) => Entry[];
    'emptied-message': (entries: readonly Entry[], index: number) => readonly Entry[];
    'emptied-text': (entries: readonly Entry[], index: number) => readonly Entry[];
    'wrong-call-id': (entries: readonly Entry[], index: number) => readonly Entry[];
    'empty-id': (entries: readonly Entry[], index: number) => readonly Entry[];
    'half-surrogate': (entries: readonly Entry[], index: number) => readonly Entry[];
};
export {};

// testing/hostile.d.ts
import * as fc from 'fast-check';
/** Text a provider accepts: well-formed, never blank, often nasty. */
export declare function hostileText(): fc.Arbitrary<string>;
/** Any JSON value with keys that pollute prototypes or sort oddly, and with half surrogates in texts and keys. */
export declare function hostileJson(): fc.Arbitrary<null | object | string | number | boolean>;

// testing/valid-log.d.ts
import * as fc from 'fast-check';
import type { Entry, Message } from '../types.ts';
/**
 * Logs that every projection of every prefix turns into a valid history for each provider: rounds with parallel calls,
 * ids used again, results out of order, steering, given-up calls, nested spans, cleared blocks, undos of undos, server
 * edits, changed heads, media, thinking, nasty text. Most hold 30 entries or more; one in five holds system messages,
 * and no spans, which could move a system message to where no provider takes it. A log shrinks from its end. Laws of
 * the same seed that draw it first get the same logs, which are written once.
 */
export declare function validLog(): fc.Arbitrary<readonly Entry[]>;
/** The messages of a valid log as one array without ids of sources: a plain history that no call waits in. */
export declare function messageHistory(): fc.Arbitrary<readonly Message[]>;

// text.d.ts
export { cutMiddle, cutText } from './cut-text.ts';

// thinking-drops.d.ts
import { type MessageLike } from './like.ts';
import type { ThinkingRule } from './profiles.ts';
import type { BlockReplacement, Message, ViewMessage } from './types.ts';
export interface ThinkingDropOptions {
    readonly rule: ThinkingRule;
    /**
     * Position of the first message before which, or in which, something is no longer what was sent: 0 where a message comes
     * to stand in front of all. @default nothing changed but what stamps say
     */
    readonly changedFrom?: number | undefined;
    /**
     * The running fingerprint of the next request after so many messages: `(count) => prefixFingerprint(view, count)`. With
     * it thinking is compared with the stamp of the request that its reply answered.
     */
    readonly fingerprintAt?: ((messageCount: number) => string | undefined) | undefined;
    /**
     * Whether the next request goes to the model that a response names. With it the thinking of a reply without a stamp counts
     * as changed where another model wrote it. @default a reply without a stamp is believed
     */
    readonly isSameModel?: ((model: string) => boolean) | undefined;
    /** A person's message is to follow, so that no turn is open. @default false */
    readonly turnIsOver?: boolean | undefined;
    /**
     * What a `latest-turn` model gets of closed turns behind a change. It takes their thinking or its absence: a compaction
     * drops what no longer serves, a smaller edit keeps it. @default 'drop'
     */
    readonly closedTurns?: 'drop' | 'keep' | undefined;
    /**
     * No message may go, as in an edit of a log. Where one holds nothing but thinking that would have to go, a `latest-turn`
     * model gets all of it back, and on a `prefix-bound` model the answer is `bound`. @default false
     */
    readonly messagesStay?: boolean | undefined;
}
/** Which messages lose their thinking and which keep it, by position, ascending. */
export interface ThinkingDrops {
    /**
     * `bound`: some of it may neither be sent nor dropped now, so nothing before it may change. A request beside the
     * conversation, as one for a summary is, goes without all of `drop`.
     */
    readonly kind: 'legal' | 'bound';
    readonly drop: readonly number[];
    /** Those of `drop` that make it `bound`: nothing before the last of them may change. */
    readonly bound: readonly number[];
    /** Those of the open turn, which the model wants back with the results as they are; none on a `free` model. */
    readonly keep: readonly number[];
}
/**
 * The thinking that has to go before a request is sent, by the model's rule:
 *
 * - `free`: none.
 * - `latest-turn`: that of closed turns behind a change; the open turn's goes back unmodified.
 * - `prefix-bound`: all from the first message on whose prefix changed, and all behind that, since the provider refuses a
 *   gap. Where some of it belongs to an open turn, which needs it, the answer is `bound`.
 *
 * One pass over the messages; reads roles, origins and block types.
 */
export declare function thinkingDrops(messages: readonly MessageLike[], options: ThinkingDropOptions): ThinkingDrops;
/**
 * Where the turn starts whose tool loop is open: behind the last that a person said before its newest calls. The number of
 * messages where no loop is open: the newest reply calls nothing, or a person said something since (`isAtUserTurn`).
 * Providers join messages of one role that follow each other, so it is the same however they are parted.
 */
export declare function openTurnStart(messages: readonly MessageLike[]): number;
/**
 * Whether a person said something since the newest reply, beside results of its calls too, whatever the agent put in: the
 * next request starts a turn and goes on with none.
 */
export declare function isAtUserTurn(messages: readonly MessageLike[]): boolean;
/** A message without its thinking: undefined where it holds nothing else, the same object where it holds none. */
export declare function withoutThinking<M extends MessageLike>(message: M): M | undefined;
/** Messages without the thinking of those at `positions`; one that holds nothing else goes. The same list where none does. */
export declare function withoutThinkingAt<M extends MessageLike>(messages: readonly M[], positions: readonly number[]): readonly M[];
/**
 * What an edit replaces so that messages of a view lose their thinking: blocks as they were logged, found by `logged`.
 * Undefined where one of the messages holds nothing else, because none may be empty.
 */
export declare function thinkingBlocks(messages: readonly ViewMessage[], positions: readonly number[], logged: (messageId: string) => Message | undefined): readonly BlockReplacement[] | undefined;
/** Whether a change before a message would have the provider refuse what thinking it holds. */
export declare const bindsPrefix: (message: MessageLike, rule: ThinkingRule) => boolean;

// thinking-params.d.ts
import type { JsonObject } from './types.ts';
/** The least thinking budget that Anthropic's API takes, in tokens (platform.claude.com, "Extended thinking"). */
export declare const LEAST_THINKING_TOKENS = 1024;
/** Whether parameters have a model think; without a setting only those do that cannot be told not to. */
export declare function isThinkingOn({ thinking }: JsonObject, model: string): boolean;
/**
 * Parameters whose `context_management` the provider takes: thinking is cleared where there is any, and first. The same object
 * where nothing has to change.
 */
export declare function withLegalEdits(params: JsonObject, { isThinking }: {
    readonly isThinking: boolean;
}): JsonObject;
/** What is wrong with parameters by Anthropic's rules: each names the parameter, says what it has to be, and what it is. */
export interface ParamFault {
    readonly code: 'thinking-budget' | 'thinking-sampling' | 'context-edits';
    readonly param: string;
    readonly what: string;
    readonly value: unknown;
}
/**
 * What a provider refuses of the parameters of a head, and of those of server-side edits, which take the place of the same ones of
 * the head.
 */
export declare function paramFaults(params: JsonObject, { model, server }: {
    readonly model: string;
    readonly server?: JsonObject | undefined;
}): readonly ParamFault[];

// thinking.d.ts
export { bindsPrefix, isAtUserTurn, openTurnStart, thinkingBlocks, thinkingDrops, withoutThinkingAt, } from './thinking-drops.ts';
export { isThinkingOn, LEAST_THINKING_TOKENS, paramFaults, withLegalEdits, } from './thinking-params.ts';

// tool-names.d.ts
import type { Tool } from './types.ts';
/**
 * Refuses tools that no provider takes: two of one name, one without a name or with characters that none may have, and one
 * whose schema stands in a field of another library or that JSON cannot write. `option` is what the caller named the list.
 *
 * @throws TypeError
 */
export declare function checkToolNames(tools: readonly Tool[], option?: string): void;
/** By the rule of Anthropic's API; OpenAI's takes 64 of the same characters. */
export declare const isToolName: (name: unknown) => boolean;
/** Whether a tool has a name that a provider takes, or needs none. */
export declare const isNamed: (tool: Tool) => boolean;
/** What tells a tool from others: its name, or the type and server of one that has none. */
export declare function toolLabel({ name, type, mcp_server_name: server, server_label: label, }: Tool): string;
/**
 * Whether the schema of a tool's input stands in `input_schema`, as an object. A tool without any is let pass, and so is one
 * with a type of its own: the provider defines it, or another API than Anthropic's.
 */
export declare function hasOwnSchema(tool: Tool): boolean;
/** Whether it is a tool of the caller that says nothing of its input. */
export declare const lacksSchema: ({ type, input_schema: schema }: Tool) => boolean;

// tools.d.ts
export { checkToolNames, toolLabel } from './tool-names.ts';
export { callSubject, inputTexts } from './tools/call-subject.ts';
export { editorKind, replacementsIn } from './tools/editing.ts';
export { type Input, stringIn } from './tools/input.ts';
export { mayChange } from './tools/may-change.ts';
export { bareName, isForeignTool, TOOL_KINDS, type ToolKind, toolKind, toolNames, } from './tools/names.ts';
export { patchedFiles } from './tools/patch.ts';
export { pathsIn, plainPath } from './tools/paths.ts';
export { readCall, type ToolCall } from './tools/read-call.ts';
export { commandIn } from './tools/shell.ts';
export { shellCommand } from './tools/shell-command.ts';

// tools/call-subject.d.ts
import type { ToolCall } from './read-call.ts';
/**
 * What a call is about in the words of its input and never as JSON: its command on one line, its files, else what it is
 * called by (a title, an address, a prompt). Empty where nothing of that stands in it.
 */
export declare function callSubject(call: ToolCall): string;
/**
 * All texts of an input, however deep they stand in it, without the names of its fields. Objects nested deeper than 100 are
 * left out.
 */
export declare function inputTexts(input: unknown): readonly string[];

// tools/editing.d.ts
import type { Input } from './input.ts';
/** One replacement of text that an edit asks for. */
export interface TextReplacement {
    readonly oldText: string;
    /** Empty where the old text is to go. */
    readonly newText: string;
    /** Every place where the old text stands, not the only one. */
    readonly all: boolean;
}
/**
 * The replacements that the input of an edit tool asks for, alone or as a list (`edits`), in the words of the tools in use;
 * undefined where it is no edit, or one of its list is none.
 */
export declare function replacementsIn(input: Input): readonly TextReplacement[] | undefined;
/** What a call of an editor with commands (`str_replace_based_edit_tool` and its like) does; undefined for other calls. */
export declare function editorKind({ path, command }: Input): 'edit' | 'write' | 'read' | undefined;

// tools/input.d.ts
/** The input of a call as a record. */
export type Input = Readonly<Record<string, unknown>>;
/** The first of some fields that holds a text. */
export declare function stringIn(input: Input, fields: readonly string[]): string | undefined;

// tools/looks.d.ts
/** What a shell command is about: it prints files, searches or lists, only shows something else, or runs something. */
export type CommandUse = 'read' | 'search' | 'look' | 'run';
/** What a command is about, by its first program; a change of folder in front of it aside. */
export declare function commandUse(command: string): CommandUse;
/**
 * Whether a command only looks: each of its programs does, nothing is written to a file, and nothing is substituted that
 * could run. What is not known to be harmless counts as not.
 */
export declare function onlyLooks(command: string): boolean;

// tools/may-change.d.ts
import type { ToolCall } from './read-call.ts';
/** Whether a call may change something, in the working folder or outside of it. */
export declare function mayChange(call: ToolCall): boolean;

// tools/names.d.ts
/** What a tool does, by the name that well-known coding agents give it. */
export type ToolKind = 'shell'
/** Output of, or input to, a command that runs. */
 | 'shell-output' | 'stop' | 'monitor' | 'read' | 'edit' | 'write' | 'search' | 'list' | 'web' | 'todo' | 'task-create' | 'task-update'
/** Puts a question to the person. */
 | 'ask'
/** Puts a plan to the person for approval. */
 | 'plan' | 'agent' | 'skill';
/** All kinds. */
export declare const TOOL_KINDS: readonly ToolKind[];
/** Names of the tools of a kind as agents write them most: `read_file` stands for `ReadFile` and `readFile` too. */
export declare const toolNames: (kind: ToolKind) => readonly string[];
/**
 * A name as names are compared: case and the joints between its words aside. `read_file`, `ReadFile`, `read-file` are one;
 * a dot, slash or colon is no joint but the end of a namespace.
 */
export declare const bareName: (name: string) => string;
/**
 * Whether a name says that something else than the agent brought the tool: an MCP server (`mcp__x__y`), or any other
 * namespace (`x.ask_user`, `x/ask_user`, `x__ask_user`). Such a tool may call itself anything.
 */
export declare const isForeignTool: (name: string) => boolean;
/** The kind of a tool by its name; undefined where the name is not known, or is one that another server gave. */
export declare function toolKind(name: string): ToolKind | undefined;

// tools/patch.d.ts
/** What a patch does to one file. */
export interface PatchedFile {
    readonly path: string;
    readonly change: 'created' | 'edited' | 'deleted' | 'moved';
    /** Where it went; only of a moved one. */
    readonly to?: string;
}
/** Files of a `*** Begin Patch` envelope or of a unified diff; none where the text is neither. */
export declare function patchedFiles(text: string): PatchedFile[];

// tools/paths.d.ts
import { type Input } from './input.ts';
/** Paths that a call names, in the order of its input and as they stand there. */
export declare function pathsIn(input: Input): readonly string[];
/** One spelling of a path: `./src//a.ts` and `src\a.ts` are `src/a.ts`, `a/../b` is `b`. */
export declare function plainPath(path: string): string;

// tools/read-call.d.ts
import type { ToolUseBlock } from '../types.ts';
import { type Input } from './input.ts';
import { type ToolKind } from './names.ts';
import { type PatchedFile } from './patch.ts';
/** What a tool call is, whatever the agent calls its tools. */
export type ToolCall = {
    readonly id: string;
    readonly name: string;
    readonly input: Input;
} & ({
    readonly kind: 'shell';
    readonly command: string;
    readonly folder: string | undefined;
} | {
    readonly kind: 'patch';
    readonly files: readonly PatchedFile[];
} | {
    readonly kind: 'edit' | 'write';
    readonly path: string | undefined;
} | {
    readonly kind: 'read';
    readonly paths: readonly string[];
} | {
    readonly kind: Exclude<ToolKind, 'shell' | 'edit' | 'write' | 'read'> | 'other';
});
export interface ReadCallOptions {
    /** What a tool is by its name. @default toolKind */
    readonly kindOf?: ((name: string) => ToolKind | undefined) | undefined;
}
/**
 * Classifies a call by the shape of its input first and by its tool's name where the shape leaves it open. What changes files
 * or runs a command counts by its shape, whoever brought the tool. What speaks for the person (`ask`, `plan`) or keeps the
 * agent's own state (`todo`, tasks, skills) counts by its name alone: a shape can be had by any server's tool.
 */
export declare function readCall({ id, name, input: given }: Pick<ToolUseBlock, 'id' | 'name' | 'input'>, { kindOf }?: ReadCallOptions): ToolCall;

// tools/shell-command.d.ts
import { type CommandUse } from './looks.ts';
import { type ShellFiles } from './shell-files.ts';
/** What can be told of a shell command without running it. Each field is worked out when it is asked for. */
export interface ShellCommand {
    /** What it is known by: one line, without the change of folder in front of it, its first characters only. */
    readonly key: string;
    /** The folder that it changes to before it does anything. */
    readonly folder: string | undefined;
    /** What it is about, by its first program; a change of folder in front of it aside. */
    readonly use: CommandUse;
    /**
     * Whether it only looks: each of its programs does, nothing is written to a file, and nothing is substituted that could run.
     * What is not known to be harmless counts as not.
     */
    readonly onlyLooks: boolean;
    /** What its well-known programs do to files, and which ones they print. */
    readonly files: ShellFiles;
}
/**
 * Reads a shell command, as `readCall` and `commandIn` give it. Reads 4,000 characters at most. Several look at one call after
 * the other, so each field is worked out once for the command that was read last.
 */
export declare function shellCommand(text: string): ShellCommand;

// tools/shell-files.d.ts
import type { PatchedFile } from './patch.ts';
/** What a shell command does to files, and which ones it prints. */
export interface ShellFiles {
    readonly changes: readonly PatchedFile[];
    readonly reads: readonly string[];
}
/** Reads a command for well-known programs that change or print files. */
export declare function shellFiles(command: string): ShellFiles;

// tools/shell.d.ts
/** One simple command of a shell line. */
export interface SimpleCommand {
    readonly words: readonly string[];
    /** Files that its output goes to. */
    readonly writes: readonly string[];
}
/**
 * The command that a tool input carries, in its fields or in those of its `action` (the local shell of OpenAI). A list of
 * words stands as one would type it, with what a shell would take apart in quotation marks; of a list that runs a shell its
 * script, and of a list of command lines (`commands`) one a line.
 */
export declare function commandIn(input: Readonly<Record<string, unknown>>): string | undefined;
/** UTF-16 units that are read of a command line: behind them stands content. */
export declare const MAX_READ = 4000;
/** A command without the change of folder in front of it, on one line: what it is known by. Its first characters only. */
export declare function commandKey(command: string): string;
/** The folder that a command changes to before it does anything. */
export declare function changedFolder(command: string): string | undefined;
/** The simple commands of a shell line. Quoting and here-documents are understood, substitution and loops are not. */
export declare function simpleCommands(line: string): SimpleCommand[];
/** How `sed` is called. */
export interface SedCall {
    /** It edits its files: `-i`, `-ni.bak`, `--in-place=.bak`. */
    readonly isInPlace: boolean;
    /** It prints only what its script says: `-n`, `-ne`. */
    readonly isQuiet: boolean;
    readonly files: readonly string[];
}
/** Reads the words behind `sed`. What follows `e`, `f`, `i` and `l` in a word is their value. */
export declare function readSed(words: readonly string[]): SedCall;

// types.d.ts
/** Anything that survives `JSON.parse(JSON.stringify(value))`. */
export type Json = null | boolean | number | string | readonly Json[] | {
    readonly [key: string]: Json | undefined;
};
export type JsonObject = {
    readonly [key: string]: Json | undefined;
};
export interface TextBlock {
    readonly type: 'text';
    readonly text: string;
    readonly [field: string]: unknown;
}
export interface ThinkingBlock {
    readonly type: 'thinking';
    readonly thinking: string;
    /** Opaque: kept byte for byte or dropped with the whole block. */
    readonly signature: string;
    readonly [field: string]: unknown;
}
export interface RedactedThinkingBlock {
    readonly type: 'redacted_thinking';
    readonly data: string;
    readonly [field: string]: unknown;
}
export interface ToolUseBlock {
    readonly type: 'tool_use';
    /** Unique within its assistant message; some providers use an id again in a later one. */
    readonly id: string;
    readonly name: string;
    readonly input: unknown;
    readonly [field: string]: unknown;
}
export interface ToolResultBlock {
    readonly type: 'tool_result';
    readonly tool_use_id: string;
    readonly content?: string | readonly Block[];
    readonly is_error?: boolean;
    readonly [field: string]: unknown;
}
export interface ImageBlock {
    readonly type: 'image';
    readonly source: unknown;
    readonly [field: string]: unknown;
}
export interface DocumentBlock {
    readonly type: 'document';
    readonly source: unknown;
    readonly [field: string]: unknown;
}
/** A block type this version has no name for. Ask with guards (`isToolUse(block)`), never with an exhaustive switch. */
export interface OtherBlock {
    readonly type: string;
    readonly [field: string]: unknown;
}
export type Block = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock | ToolResultBlock | ImageBlock | DocumentBlock | OtherBlock;
export type Role = 'user' | 'assistant' | 'system';
/** Where a message came from, where that is not the person or the model. */
export interface Origin {
    /**
     * `tool`: a tool result; `reminder`: injected by the agent; `command`: a slash command; `summary`: written by a
     * compaction; `synthetic`: made up to close a call or to stand for a failed reply; `re-read`: inserted by a replay.
     */
    readonly kind: 'tool' | 'reminder' | 'command' | 'summary' | 'synthetic' | 're-read';
    readonly [field: string]: Json | undefined;
}
export type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'pause_turn' | 'refusal' | 'model_context_window_exceeded' | 'compaction' | 'aborted' | 'error' | 'unknown';
/**
 * Billed tokens of one response, in the shape of Anthropic's API: the prompt is
 * `input_tokens + cache_creation_input_tokens + cache_read_input_tokens`.
 */
export interface Usage {
    /** Prompt tokens neither read from nor written to the cache. */
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_creation_input_tokens?: number | null;
    readonly cache_read_input_tokens?: number | null;
    /** The split of `cache_creation_input_tokens` by lifetime, where the provider gives it. */
    readonly cache_creation?: {
        readonly ephemeral_5m_input_tokens?: number;
        readonly ephemeral_1h_input_tokens?: number;
    } | null;
    readonly output_tokens_details?: {
        readonly thinking_tokens?: number;
    } | null;
    readonly [field: string]: unknown;
}
/** Which prefix produced a reply: an anchor, a thinking block and a cached prefix hold exactly while it does. */
export interface RequestStamp {
    readonly headId: string;
    /** How many view messages the request carried. */
    readonly messageCount: number;
    /** Running fingerprint of the view after `messageCount` messages. */
    readonly fingerprint: string;
    readonly startedAtMs: number;
}
export interface MessageResponse {
    readonly id: string;
    readonly model: string;
    readonly stopReason: StopReason;
    readonly usage?: Usage;
    readonly request?: RequestStamp;
}
export interface Message {
    /** Unique in its log. */
    readonly id: string;
    readonly role: Role;
    readonly content: readonly Block[];
    readonly origin?: Origin;
    /** ISO 8601, UTC. */
    readonly createdAt?: string;
    /** On assistant messages that a model wrote. */
    readonly response?: MessageResponse;
}
export interface Tool {
    /** Left out only of tools that the provider defines, such as `{ type: 'mcp_toolset', mcp_server_name }`. */
    readonly name?: string | undefined;
    readonly description?: string;
    readonly input_schema?: unknown;
    readonly [field: string]: unknown;
}
/** What stands in front of the messages of a request. Everything in it is part of the cached prefix. */
export interface Head {
    readonly id: string;
    readonly model: string;
    readonly system: readonly TextBlock[];
    readonly tools: readonly Tool[];
    /** Thinking configuration, betas, effort and whatever else the prefix depends on. */
    readonly params: JsonObject;
}
/** A block in place of a logged one; `null` drops it (only blocks that pair with nothing). */
export interface BlockReplacement {
    readonly messageId: string;
    /** Position in the logged message's `content`. */
    readonly index: number;
    readonly block: Block | null;
}
export type Edit = {
    readonly kind: 'replace-content';
    readonly blocks: readonly BlockReplacement[];
} | {
    readonly kind: 'replace-span';
    /** First and last logged message of the span, both inclusive. */
    readonly fromId: string;
    readonly toId: string;
    /** Stands in place of the span. */
    readonly with: readonly Message[];
    /** Stands where the edit stands in the log: after everything logged before it. */
    readonly then: readonly Message[];
} | {
    readonly kind: 'server';
    readonly params: JsonObject;
} | {
    readonly kind: 'undo';
    readonly entryId: string;
};
export type EntryBody = {
    readonly type: 'head';
    readonly head: Head;
} | {
    readonly type: 'message';
    readonly message: Message;
} | {
    readonly type: 'edit';
    /** The layer that made it, e.g. `microcompact`. */
    readonly by: string;
    /** Kebab-case. */
    readonly reason: string;
    readonly receipt?: JsonObject;
    readonly edit: Edit;
} | {
    readonly type: 'note';
    readonly by: string;
    readonly data: Json;
};
/** One line of the log. `at` is ISO 8601, UTC. */
export type Entry = {
    readonly id: string;
    readonly at: string;
} & EntryBody;
/** A message of the view; `sources` are the ids of the logged messages it was made of. */
export type ViewMessage = Message & {
    readonly sources: readonly string[];
};
/** An assistant message whose tool calls still wait for results. */
export interface OpenRound {
    readonly assistant: ViewMessage;
    /** Results that have arrived, in the order of the calls. */
    readonly results: readonly ToolResultBlock[];
    /** Ids of the calls without a result, in the order of the calls. */
    readonly waiting: readonly string[];
    /** What else stands in the messages that brought results; it follows the results in their message. */
    readonly rest: readonly Block[];
    /** User messages that arrived meanwhile; they follow the results once the round is closed. */
    readonly queued: readonly ViewMessage[];
}
/** What the next request carries. */
export interface View {
    readonly head?: Head;
    readonly messages: readonly ViewMessage[];
    readonly open?: OpenRound;
    /** Parameters of live server-side edits (`context_management`), merged in log order. */
    readonly server?: JsonObject;
    /**
     * Index of the first message whose bytes the last entry changed. A message that was only appended changes nothing, so
     * this is then the number of messages before it.
     */
    readonly changedFrom: number;
}
/**
 * Where a cache breakpoint stands: after a tool or a system block, the last where none is named, or after a block of a
 * message.
 */
export type Marker = {
    readonly ttl?: '5m' | '1h';
} & ({
    readonly at: 'tools';
    readonly blockIndex?: number;
} | {
    readonly at: 'system';
    readonly blockIndex?: number;
} | {
    readonly at: 'message';
    readonly messageIndex: number;
    readonly blockIndex: number;
});
/** A request before an adapter writes it in a provider's words. Markers are not part of the prefix. */
export interface Request {
    readonly head: Head;
    readonly messages: readonly Message[];
    readonly markers: readonly Marker[];
    readonly server?: JsonObject;
    readonly maxOutputTokens: number;
}

// validity-markers.d.ts
import type { RequestLike } from './check-request.ts';
import { type BlockLike } from './like.ts';
import type { ProviderProfile } from './profiles.ts';
import type { Report } from './violation.ts';
/** Markers may be listed in any order; the rules apply in the order in which a request is rendered. */
export declare function checkMarkers(request: RequestLike, profile: ProviderProfile, report: Report): void;
/** Whether a cache marker may stand on a block: on any but thinking and blank text. */
export declare function canCarryMarker(block: BlockLike | undefined): boolean;

// violation.d.ts
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
declare const TEXTS: {
    readonly 'malformed-message': 'The content is neither text nor a list of blocks; drop the message.';
    readonly 'malformed-block': 'The block lacks a type or a field its type needs; drop the block.';
    readonly 'unknown-role': 'The role is not user, assistant or system; give the message one of these.';
    readonly 'role-refused': 'The provider takes no system messages; move the text to the head or to a user message.';
    readonly 'system-placement': 'A system message stands where none may; put it after a user turn and before an assistant turn.';
    readonly 'first-not-user': 'The first message is not a user message; put one before it.';
    readonly 'too-many-messages': 'There are more messages than the provider takes; compact the history.';
    readonly 'empty-content': 'The message has no content; drop it.';
    readonly 'empty-text': 'The text is empty or white space; drop the block.';
    readonly 'unknown-block': 'The provider knows no block of this type in a user message; write one that it knows, or drop it.';
    readonly 'half-surrogate': 'A string holds half a surrogate pair; pass it through toWellFormed.';
    readonly 'block-not-allowed': 'A block of this type may not stand here; move or drop it.';
    readonly 'malformed-call': 'The input of the call is not an object; drop the call or parse its input.';
    readonly 'foreign-block': 'The block is one of another library, a tool output of the AI SDK or a call of OpenAI; convert it, or drop it.';
    readonly 'malformed-media': 'The source of the image or document is none that the provider takes; give it one, or drop the block.';
    readonly 'empty-id': 'The id that pairs a call with its result is empty; give both the same id.';
    readonly 'call-id': 'The id of a call has characters or a length that the provider refuses; give the call and its result the same other id.';
    readonly 'call-name': 'The name of a called tool has characters or a length that the provider refuses; rename it.';
    readonly 'duplicate-id': 'Two calls of one message share an id; give each its own.';
    readonly 'missing-result': 'The call has no result right after it; add one, or repair the history.';
    readonly 'open-round': 'The last calls still wait for results; add them, or close the round.';
    readonly 'orphan-result': 'The result answers no call of the message before it; drop it, or keep its call.';
    readonly 'duplicate-result': 'The call already has a result; drop this one.';
    readonly 'result-after-content': 'Content stands before the result; put results first.';
    readonly 'empty-error-result': 'A failed result holds no text; say that there was no output.';
    readonly 'error-result-media': 'A failed result holds something else than text; drop what is not text.';
    readonly 'unsigned-thinking': 'The thinking has no signature; drop the whole block.';
    readonly 'trailing-thinking': 'Nothing follows the thinking in its turn; drop the whole block.';
    readonly 'stale-thinking': 'What stood before the thinking has changed since it was written; drop it and all thinking after it.';
    readonly 'no-messages': 'The request has no messages; add a user message.';
    readonly 'last-not-user': 'The last message is an assistant message; add a user message or results.';
    readonly 'max-output-tokens': 'maxOutputTokens is not a positive integer; set the output limit of the model or less.';
    readonly 'request-too-large': 'The request has more bytes than the provider takes; move media and long results out of it.';
    readonly 'too-many-media': 'There are more images and documents than the provider takes; drop the oldest.';
    readonly 'too-many-markers': 'There are more cache markers, `cache_control` of blocks and tools among them, than the provider takes; drop the surplus.';
    readonly 'marker-target': 'The cache marker stands on nothing, or on a block that cannot carry one; move it.';
    readonly 'duplicate-marker': 'Two cache markers stand in the same place; drop one.';
    readonly 'marker-order': 'A cache marker outlives one before it; put longer lifetimes first.';
    readonly 'thinking-config': 'The model takes no thinking configuration of this type; choose another.';
    readonly 'thinking-budget': 'The thinking budget is missing, below 1,024 tokens, or leaves no room for output; set it, or raise maxOutputTokens above it.';
    readonly 'thinking-sampling': 'Beside thinking the provider takes no sampling of its own; leave temperature, top_p and top_k out.';
    readonly 'context-edits': 'Thinking is cleared where there is none, or not by the first edit; put clear_thinking first, or leave it out.';
    readonly 'tool-choice': 'The model refuses a forced tool call; let it choose.';
    readonly 'empty-system-text': 'A system block is empty or white space; drop it.';
    readonly 'malformed-tool': 'A tool has no name of 1 to 128 letters, digits, _ and -, or its schema is no object in input_schema; give it both or drop it.';
    readonly 'duplicate-tool': 'Two tools share a name; drop or rename one.';
};
export interface Place {
    readonly messageIndex?: number;
    readonly blockIndex?: number;
}
export type Report = (code: ViolationCode, place?: Place) => void;
/** Collects violations in any order and hands them out in the order of their places. */
export declare function createReport(): {
    report: Report;
    violations(): readonly Violation[];
};
export {};

// who-said.d.ts
import { type BlockLike, type MessageLike } from './like.ts';
/**
 * Whether a person said a message: one of the user role without tool results, whose origin is no machine's and that
 * holds something of a person's own. Text that is nothing but what an agent put in (reminders, notices, the output of its
 * own commands, the mark of an interruption, a summary) is no person's, even where the message names no origin. Words
 * that stand beside tool results are found by `openRequests`.
 */
export declare function isPerson(message: MessageLike): boolean;
/** The blocks of a message that a person wrote or attached, by the rules of `isPerson`; those beside tool results included. */
export declare function personBlocks(message: MessageLike): readonly BlockLike[];
/** What an agent put into a conversation in the user's role: reminders, and its parts of a person's message, tags included. */
export declare function injectedTexts(message: MessageLike): readonly string[];
/** Whether a message names an origin that is neither a person nor a command that a person typed. */
export declare function isMachineOrigin(message: MessageLike): boolean;
/** A summary that a compaction wrote: by its origin, or by its first words where it has none. */
export declare function isSummary(message: MessageLike): boolean;
/**
 * Made up to close a round or to stand for a reply that failed: by its origin, by the model that Claude Code names for such
 * a reply, or because the message says that it is an error. No model wrote it.
 */
export declare function isSynthetic(message: MessageLike): boolean;
/** A block of a user message that a person may have written or attached. */
export declare function isPersonBlock(block: BlockLike): boolean;
/** The mark that an agent leaves in a user message where the person interrupted it. */
export declare function isInterruption(block: BlockLike): boolean;
/** What ours says before a summary, in words that `isSummary` knows where a message has no origin. */
export declare const SUMMARY_OPENING = "The conversation up to this point was replaced by a summary of it.";
/** What ours says before session notes that stand for a conversation. */
export declare const NOTES_OPENING = "The earlier part of this conversation has made way for the notes below, which were taken while it went on.";
/** Text of a user message, taken apart. */
export interface SplitText {
    /** What is left without the agent's parts. */
    readonly own: string;
    /** What the agent put in, with its tags, in order. */
    readonly injected: readonly string[];
}
/**
 * Separates what an agent put into a text of the user role (reminders, notices, output of hooks and of its own commands)
 * from the rest: blocks in tags that agents are known to use, wherever they stand, and at the beginning blocks in any tag
 * whose name has a `-` or `_`, unless it says that a person's words stand there (`<user_query>`). Linear in the text: each
 * character is read once, whatever the text repeats.
 */
export declare function splitInjected(text: string): SplitText;

// written-form.d.ts
import type { Entry } from './types.ts';
/**
 * An entry as a reader of the log gets it: what JSON cannot hold is gone or refused, later changes to the caller's objects
 * do not reach it, and half surrogates, which no provider takes, are U+FFFD. It is written and read again only where it is
 * not plain JSON already.
 *
 * @throws MessagesError `not-serializable`, `invalid-entry`
 */
export declare function writtenForm<E extends Entry>(entry: E): E;
