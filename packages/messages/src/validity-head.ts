import { isRecord } from '@varve/guards';
import { isBlank } from './like.ts';
import type { ProviderProfile } from './profiles.ts';
import { paramFaults } from './thinking-params.ts';
import { hasOwnSchema, isNamed, lacksSchema } from './tool-names.ts';
import type { Head, Json, JsonObject, Tool } from './types.ts';
import type { Report } from './violation.ts';
import { hasHalfSurrogate } from './well-formed.ts';

export interface HeadContext {
  readonly profile: ProviderProfile;
  readonly report: Report;
  /** Tokens. */
  readonly maxOutputTokens: number;
  /** Of live server-side edits. */
  readonly server?: JsonObject | undefined;
}

type HeadLike = Pick<Head, 'system' | 'tools' | 'params'> & { readonly model?: string };

export function checkHead(head: HeadLike, context: HeadContext): void {
  for (const [blockIndex, block] of head.system.entries()) {
    if (isBlank(block.text)) context.report('empty-system-text', { blockIndex });
    if (hasHalfSurrogate(block)) context.report('half-surrogate', { blockIndex });
  }
  checkTools(head.tools, context);
  checkThinkingConfig(head.params.thinking, context);
  const { model = '' } = head;
  for (const { code } of paramFaults(head.params, { model, server: context.server })) {
    context.report(code);
  }
  const choice = head.params.tool_choice;
  const forced = isRecord(choice) && FORCED.includes(choice.type);
  if (forced && !context.profile.forcedToolChoice) context.report('tool-choice');
}

const FORCED: readonly unknown[] = ['any', 'tool'];

function checkTools(tools: readonly Tool[], { report, profile }: HeadContext): void {
  const names = new Set<string>();
  for (const [blockIndex, tool] of tools.entries()) {
    const { name } = tool;
    const isBare = profile.toolSchemas === 'required' && lacksSchema(tool);
    if (!isNamed(tool) || !hasOwnSchema(tool) || isBare) report('malformed-tool', { blockIndex });
    else if (name !== undefined && names.has(name)) report('duplicate-tool', { blockIndex });
    else if (name !== undefined) names.add(name);
    if (hasHalfSurrogate(tool)) report('half-surrogate', { blockIndex });
  }
}

function checkThinkingConfig(thinking: Json | undefined, context: HeadContext): void {
  if (!isRecord(thinking)) return;
  const { profile, report, maxOutputTokens } = context;
  const { type, budget_tokens: budget } = thinking;
  if (profile.thinkingTypes && !profile.thinkingTypes.some((known) => known === type)) {
    report('thinking-config');
  }
  if (typeof budget === 'number' && budget >= maxOutputTokens) report('thinking-budget');
}
