import { codeOf } from '@varve/guards';
import { z } from 'zod';

/** When a hook may run. */
export const HOOK_EVENTS = [
  ...(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest'] as const),
  ...(['PermissionDenied', 'UserPromptSubmit', 'SessionStart', 'SessionEnd', 'Stop'] as const),
  ...(['StopFailure', 'SubagentStart', 'SubagentStop', 'PreCompact', 'PostCompact'] as const),
  ...(['InstructionsLoaded', 'ConfigChange', 'CwdChanged', 'FileChanged', 'Notification'] as const),
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export const isHookEvent = (name: string): name is HookEvent =>
  (HOOK_EVENTS as readonly string[]).includes(name);

/** Why a turn ended with a failed request, in the words that matchers of StopFailure have. */
export function failureKind(error: unknown): string {
  return FAILURES[codeOf(error) ?? ''] ?? 'unknown';
}

const FAILURES: Readonly<Record<string, string>> = {
  auth: 'authentication_failed',
  billing: 'billing_error',
  'rate-limited': 'rate_limit',
  ...{ 'invalid-request': 'invalid_request', 'not-found': 'invalid_request' },
  ...{ 'prompt-too-long': 'invalid_request', 'request-too-large': 'invalid_request' },
  ...{ 'media-too-large': 'invalid_request', 'media-unreadable': 'invalid_request' },
  ...{ 'server-error': 'server_error', overloaded: 'server_error', timeout: 'server_error' },
  ...{ connection: 'server_error', 'stream-broken': 'server_error' },
};

/** A program of the user for an event. */
export interface CommandHook {
  readonly event: HookEvent;
  /** Of a tool, a source, a trigger: what the event has. Empty fits all. */
  readonly matcher: string;
  readonly command: string;
  readonly timeoutMs: number;
  /** Nothing waits for it, and it decides nothing. */
  readonly isAsync: boolean;
}

const SECOND_MS = 1_000;
const DEFAULT_TIMEOUT_S = 600;

const commandSchema = z.looseObject({
  type: z.literal('command'),
  command: z.string().min(1),
  timeout: z.number().positive().optional(),
  async: z.boolean().optional(),
});
const groupSchema = z.looseObject({
  matcher: z.string().optional(),
  hooks: z.array(z.unknown()),
});

/** Reads the `hooks` of a settings file. What cannot be read is named, and the rest holds. */
export function readHooks(value: unknown): {
  readonly hooks: readonly CommandHook[];
  readonly problems: readonly string[];
} {
  const hooks: CommandHook[] = [];
  const problems: string[] = [];
  const events = z.record(z.string(), z.array(z.unknown())).safeParse(value);
  if (!events.success) return { hooks, problems: ['hooks: it is to be an object of lists'] };
  for (const [event, groups] of Object.entries(events.data)) {
    if (!isHookEvent(event)) {
      problems.push(`hooks.${event}: there is no such event`);
      continue;
    }
    for (const [index, group] of groups.entries()) {
      const at = `hooks.${event}[${index}]`;
      const read = groupSchema.safeParse(group);
      if (!read.success) {
        problems.push(`${at}: it is to have a matcher and a list of hooks`);
        continue;
      }
      const { matcher = '', hooks: entries } = read.data;
      if (!isMatcher(matcher)) problems.push(`${at}.matcher: it is no regular expression`);
      for (const entry of entries) {
        const hook = commandSchema.safeParse(entry);
        if (!hook.success) {
          problems.push(`${at}: only hooks of type command with a command are run`);
          continue;
        }
        const { command, timeout = DEFAULT_TIMEOUT_S, async: isAsync = false } = hook.data;
        hooks.push({ event, matcher, command, timeoutMs: timeout * SECOND_MS, isAsync });
      }
    }
  }
  return { hooks, problems };
}

function isMatcher(matcher: string): boolean {
  try {
    return new RegExp(matcher === '*' ? '' : matcher) !== undefined;
  } catch {
    return false;
  }
}

/** What a hook may print as JSON. Fields that are not known are left alone. */
export const hookOutputSchema = z.looseObject({
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  systemMessage: z.string().optional(),
  decision: z.enum(['approve', 'allow', 'block', 'deny', 'ask']).optional(),
  reason: z.string().optional(),
  hookSpecificOutput: z
    .looseObject({
      permissionDecision: z.enum(['allow', 'deny', 'ask']).optional(),
      permissionDecisionReason: z.string().optional(),
      updatedInput: z.record(z.string(), z.unknown()).optional(),
      additionalContext: z.string().optional(),
      decision: z
        .looseObject({ behavior: z.enum(['allow', 'deny']), message: z.string().optional() })
        .optional(),
    })
    .optional(),
});
export type HookOutput = z.infer<typeof hookOutputSchema>;
