import type { HookDecision } from '../hooks/hooks.ts';
import type { ToolCall } from '../tools/tool.ts';

export const PERMISSION_MODES = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'bypassPermissions',
] as const;
/** What may run without asking; `plan` only reads, and `dontAsk` refuses what it would have to ask for. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** What a person is asked before a call runs. */
export interface Question {
  readonly call: ToolCall;
  /**
   * Rules that a person may allow for the session or for always, the narrowest first, e.g. `Bash(git diff:*)` and `Bash(git:*)`.
   * Of a line with several commands those of the first that needs it: the others are asked next. Empty where no rule is wise.
   */
  readonly rules: readonly string[];
  /** Why it is asked, where that is not plain. */
  readonly reason?: string | undefined;
  /** What the file holds that would be written anew; undefined where there is none yet. */
  readonly before?: string | undefined;
  /** The agent that wants it, where it is not the conversation itself. */
  readonly agent?: string | undefined;
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

export type Decision =
  | { readonly kind: 'allowed'; readonly by: AllowedBy }
  | { readonly kind: 'refused'; readonly reason: string; readonly by: RefusedBy };

/** Who let a call run; `rule`: a rule of the settings, or it is of a kind that nobody needs to be asked about. */
export type AllowedBy = 'rule' | 'hook' | 'mode' | 'person';

/** Who did not let a call run; `nobody`: it needed a permission, and nobody could be asked for it. */
export type RefusedBy = 'rule' | 'hook' | 'mode' | 'person' | 'nobody';

/** Whether a call may run. */
export interface Permissions {
  readonly mode: PermissionMode;
  /** Holds for calls from now on. */
  setMode(mode: PermissionMode): void;
  /** Why a rule forbids the call, whatever a hook or a person says. */
  denied(call: ToolCall): Promise<string | undefined>;
  /** Whether the call changes nothing, so that it may run beside others. */
  reads(call: ToolCall): Promise<boolean>;
  /** Whether a rule for its host allows an address of the web. */
  names(address: string): boolean;
  decide(call: ToolCall, options: DecideOptions): Promise<Decision>;
}

export interface DecideOptions {
  /** What a hook said before the call. */
  readonly hook: HookDecision;
  readonly signal: AbortSignal;
  /** Answers in place of the person, where it does. @default nothing does */
  readonly askHooks?:
    | ((call: ToolCall, signal: AbortSignal) => Promise<Answer | undefined>)
    | undefined;
  /** Whose call it is. @default the conversation's */
  readonly agent?: string | undefined;
}
