import type { ContextOptions } from '@varve/context';
import type { Hooks } from './hooks.ts';

type Given = NonNullable<ContextOptions['compaction']>;
type Summarize = Extract<Given['summarize'], (...given: never[]) => unknown>;
type Compaction = Given & { readonly summarize: Summarize };

/** Above the longest hook that people have, so that each ends by its own limit. */
const HOOK_TIMEOUT_MS = 3_600_000;

/** Has hooks take part in a compaction: one that blocks it keeps the summary from being asked for, in an automatic one too. */
export function hookedCompaction(
  { summarize, ...compaction }: Compaction,
  hooks: () => Hooks,
): Compaction {
  let blocked: string | undefined;
  const name = 'settings';
  return {
    ...compaction,
    hookTimeoutMs: HOOK_TIMEOUT_MS,
    hooks: {
      before: [
        {
          name,
          async run({ trigger, instructions }, { signal }) {
            const fields = { trigger, custom_instructions: instructions ?? '' };
            blocked = await hooks().tell('PreCompact', trigger, fields, signal);
            return undefined;
          },
        },
      ],
      sessionStart: [
        {
          name,
          async run(_start, { signal }) {
            await hooks().tell('SessionStart', 'compact', { source: 'compact' }, signal);
            return undefined; // what it says comes with the next reminders
          },
        },
      ],
      after: [
        {
          name,
          async run({ trigger, outcome, tokensBefore, tokensAfter }, { signal }) {
            const fields = {
              trigger,
              outcome,
              tokens_before: tokensBefore,
              tokens_after: tokensAfter,
            };
            await hooks().tell('PostCompact', trigger, fields, signal);
            return undefined;
          },
        },
      ],
    },
    async summarize(...given) {
      if (blocked !== undefined) throw new Error(`A hook blocked the compaction: ${blocked}`);
      return summarize(...given);
    },
  };
}
