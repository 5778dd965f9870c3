import type { HookDecision } from '../hooks/hooks.ts';
import type { ToolCall } from '../tools/tool.ts';

export const PERMISSION_MODES = ['default', 'acceptEdits', 'bypassPermissions'] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** What a person is asked before a call runs. */
export interface Question {
  readonly call: ToolCall;
  /** Rules that a person may allow for the session or for always, the narrowest first, e.g. `Bash(git diff:*)` and `Bash(git:*)`. */
  readonly rules: readonly string[];
  /** Why it is asked, where that is not plain. */
  readonly reason?: string | undefined;
}

/** What a person says to it. */
export type Answer =
  | { readonly kind: 'once' }
  /** For this session, or for always: written to the local settings. */
  | { readonly kind: 'session' | 'always'; readonly rule: string }
  /** With what the model is told. */
  | { readonly kind: 'no'; readonly reason: string };

/** Asks a person. Rejects with the reason of an abort. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** Whether a call may run. */
export interface Permissions {
  readonly mode: PermissionMode;
  /** Holds for calls from now on. */
  setMode(mode: PermissionMode): void;
  /** Why a rule forbids the call, whatever a hook or a person says. */
  denied(call: ToolCall): string | undefined;
  decide(
    call: ToolCall,
    options: { readonly hook: HookDecision; readonly signal: AbortSignal },
  ): Promise<{ readonly kind: 'allowed' } | { readonly kind: 'refused'; readonly reason: string }>;
}

export interface PermissionsOptions {
  readonly mode: PermissionMode;
  /** @default nobody can be asked: what needs permission is refused */
  readonly ask?: Ask | undefined;
}

/**
 * What only reads may run, edits of files with `acceptEdits`, everything with `bypassPermissions`; a person is asked about the
 * rest, where there is one.
 */
export function createPermissions(options: PermissionsOptions): Permissions {
  let { mode } = options;
  const allowed = new Set<string>();
  return {
    get mode() {
      return mode;
    },
    setMode(next) {
      mode = next;
    },
    denied: () => undefined,
    async decide(call, { signal }) {
      const { reads, risk } = call;
      if (mode === 'bypassPermissions' || (reads && risk === undefined)) return ALLOWED;
      if (mode === 'acceptEdits' && risk === 'edits') return ALLOWED;
      if (options.ask === undefined) return { kind: 'refused', reason: unasked(call) };
      const rules = rulesOf(call);
      if (rules.some((rule) => allowed.has(rule))) return ALLOWED;
      const answer = await options.ask({ call, rules }, signal);
      if (answer.kind === 'no') return { kind: 'refused', reason: answer.reason };
      if (answer.kind !== 'once') allowed.add(answer.rule);
      return ALLOWED;
    },
  };
}

const ALLOWED = { kind: 'allowed' } as const;

/** Of a command that command alone, of any other tool all of its calls. */
function rulesOf({ name, input }: ToolCall): string[] {
  const { command } = input as { readonly command?: unknown };
  return [typeof command === 'string' ? `${name}(${command})` : name];
}

function unasked({ name, risk }: ToolCall): string {
  const modes = risk === 'edits' ? 'acceptEdits or bypassPermissions' : 'bypassPermissions';
  return `${name} needs permission, and nobody can be asked here; it is allowed with --permission-mode ${modes}.`;
}
