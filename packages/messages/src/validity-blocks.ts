import { type Fields, isRecord } from '@varve/guards';
import { idFault } from './call-ids.ts';
import { isObjectInput } from './call-input.ts';
import { isEmptyText, isSilentFailure } from './failed-result.ts';
import { isForeignBlock } from './foreign-messages.ts';
import { isCallLike } from './guards.ts';
import { type BlockLike, field, isBlank } from './like.ts';
import { mediaFault } from './media-check.ts';
import type { ProviderProfile } from './profiles.ts';
import { isToolName } from './tool-names.ts';
import type { ViolationCode } from './violation.ts';
import { unwritable } from './well-formed.ts';

export interface BlockContext {
  readonly profile: ProviderProfile;
  readonly report: (code: ViolationCode) => void;
  readonly role: string;
}

/** The rules one block has to keep, whatever stands around its message. */
export function checkBlock(block: BlockLike, context: BlockContext): void {
  if (!isRecord(block) || !isComplete(block)) {
    context.report('malformed-block');
    return;
  }
  if (isForeignBlock(block)) context.report('foreign-block');
  if (mediaFault(block, context.profile.mediaTypes)) context.report('malformed-media');
  if (!isAllowed(block.type, context.role)) context.report('block-not-allowed');
  const { half, bigInt } = unwritable(block);
  if (half) context.report('half-surrogate');
  if (bigInt) context.report('malformed-block');
  if (block.type === 'text') checkText(block, context);
  if (block.type === 'thinking') checkThinking(block, context);
  if (isCallLike(block)) checkCall(block, context);
  if (block.type === 'tool_result') checkResult(block, context);
  const fault = context.profile.callIds === 'plain' ? idFault(block) : undefined;
  if (fault) context.report(fault);
}

const STRINGS: Fields = {
  text: ['text'],
  thinking: ['thinking'],
  redacted_thinking: ['data'],
  tool_use: ['id', 'name'],
  tool_result: ['tool_use_id'],
};

/** The fields that must be strings for a block of its type to be read at all. */
export function isComplete(block: Fields): boolean {
  return hasStrings(block) && (block.type !== 'tool_result' || isResultContent(block.content));
}

/** A result inside a result is never allowed, so nobody has to look into it. */
function isResultContent(content: unknown): boolean {
  if (content === undefined || typeof content === 'string') return true;
  return Array.isArray(content) && content.every((inner) => isRecord(inner) && hasStrings(inner));
}

function hasStrings(block: Fields): boolean {
  const type = block.type;
  if (typeof type !== 'string') return false;
  const names = (Object.hasOwn(STRINGS, type) ? STRINGS[type] : []) as readonly string[];
  return names.every((name) => typeof block[name] === 'string');
}

const ROLE_OF = new Map([
  ['thinking', 'assistant'],
  ['redacted_thinking', 'assistant'],
  ['tool_use', 'assistant'],
  ['tool_result', 'user'],
  ['image', 'user'],
  ['document', 'user'],
]);

/** Block types without a name here may stand anywhere. */
export function isAllowed(type: string, role: string): boolean {
  return (ROLE_OF.get(type) ?? role) === role;
}

const NOT_IN_RESULTS: readonly string[] = [
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
];

export const isAllowedInResult = (type: string): boolean => !NOT_IN_RESULTS.includes(type);

function checkText(block: BlockLike, { profile, report }: BlockContext): void {
  if (profile.blankText === 'refused' && isBlank(field(block, 'text') as string)) {
    report('empty-text');
  }
}

function checkThinking(block: BlockLike, { profile, report }: BlockContext): void {
  if (profile.unsignedThinking === 'refused' && !isSigned(block)) report('unsigned-thinking');
}

export function isSigned(block: BlockLike): boolean {
  const signature = field(block, 'signature');
  return typeof signature === 'string' && signature !== '';
}

function checkCall(block: BlockLike, { profile, report }: BlockContext): void {
  if (block.type === 'tool_use') {
    if (field(block, 'id') === '') report('empty-id');
    const name = field(block, 'name');
    if (name === '') report('malformed-block');
    else if (profile.callIds === 'plain' && !isToolName(name)) report('call-name');
  }
  if (profile.callInput === 'object' && !isObjectInput(field(block, 'input')))
    report('malformed-call');
}

function checkResult(block: BlockLike, { profile, report }: BlockContext): void {
  if (field(block, 'tool_use_id') === '') report('empty-id');
  const content = field(block, 'content');
  const inner = Array.isArray(content) ? (content as readonly BlockLike[]) : [];
  const refusesMedia = profile.errorResultMedia === 'refused' && field(block, 'is_error') === true;
  const codes = new Set<ViolationCode>();
  for (const part of inner) {
    if (isForeignBlock(part)) codes.add('foreign-block');
    if (mediaFault(part, profile.mediaTypes)) codes.add('malformed-media');
    if (!isAllowedInResult(part.type)) codes.add('block-not-allowed');
    else if (refusesMedia && part.type !== 'text') codes.add('error-result-media');
    if (profile.blankText === 'refused' && isEmptyText(part)) codes.add('empty-text');
  }
  if (profile.blankText === 'refused' && isSilentFailure(block)) codes.add('empty-error-result');
  for (const code of codes) report(code);
}
