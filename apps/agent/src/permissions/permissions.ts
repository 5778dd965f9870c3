import type { HookDecision } from '../hooks/hooks.ts';
import type { ToolCall } from '../tools/tool.ts';

export const PERMISSION_MODES = ['default', 'acceptEdits', 'bypassPermissions'] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** Whether a call may run. */
export interface Permissions {
  /** Why a rule forbids the call, whatever a hook or a person says. */
  denied(call: ToolCall): string | undefined;
  decide(
    call: ToolCall,
    options: { readonly hook: HookDecision; readonly signal: AbortSignal },
  ): Promise<{ readonly kind: 'allowed' } | { readonly kind: 'refused'; readonly reason: string }>;
}

/**
 * Permissions where no person can be asked: what only reads may run, edits of files with `acceptEdits`, everything with
 * `bypassPermissions`.
 */
export function unattendedPermissions(mode: PermissionMode): Permissions {
  return {
    denied: () => undefined,
    async decide({ name, reads, risk }) {
      if (mode === 'bypassPermissions' || (reads && risk === undefined)) return { kind: 'allowed' };
      if (mode === 'acceptEdits' && risk === 'edits') return { kind: 'allowed' };
      const modes = risk === 'edits' ? 'acceptEdits or bypassPermissions' : 'bypassPermissions';
      const reason = `${name} needs permission, and nobody can be asked here; it is allowed with --permission-mode ${modes}.`;
      return { kind: 'refused', reason };
    },
  };
}
