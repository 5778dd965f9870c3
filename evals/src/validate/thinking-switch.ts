import type { ImportedSession } from '@varve/transcript/import';
import type { ProviderRules } from './provider-rules.ts';
import type { RecordedRequest, RecordedSince } from './recorded-request.ts';

/** Counts how often thinking was switched in a way that loses the cached messages. */
export interface ThinkingSwitch {
  /** The count as of this request. */
  next(request: RecordedRequest): number;
}

/**
 * On Claude models up to 4.5, switching thinking on loses the messages (13 of 16 recorded times), switching it off seldom
 * does (9 of 24), and the models from 4.6 on do not mind. Agents that log no configuration switch it on by a word in the
 * prompt, for that turn; there a second such turn in a row loses them as well (5 of 5), with another budget or without.
 */
export function createThinkingSwitch(
  requests: readonly RecordedRequest[],
  { format, rules }: { readonly format: ImportedSession['format']; readonly rules: ProviderRules },
): ThinkingSwitch {
  const isLogged = requests.some(({ since }) => loggedState(since) !== undefined);
  const byWord = format === 'claude-code' && !isLogged;
  const applies = rules.policy.provider === 'anthropic' && isUpTo45(requests[0]?.model ?? '');
  let state: State | undefined;
  let count = 0;
  return {
    next({ since }) {
      if (!applies) return count;
      const wanted = byWord && since.isUserTurn ? wordState(since) : loggedState(since);
      const isOnAgain = byWord && since.isUserTurn && state === 'on';
      if (wanted === 'on' && (state === 'off' || isOnAgain)) count += 1;
      state = wanted ?? state;
      return count;
    },
  };
}

type State = 'on' | 'off';

function wordState({ userText }: RecordedSince): State {
  return /\bthink\b|ultrathink|megathink/i.test(userText) ? 'on' : 'off';
}

function loggedState({ signals }: RecordedSince): State | undefined {
  const config = signals.findLast((signal) => signal.kind === 'thinking-config');
  if (config?.kind !== 'thinking-config') return undefined;
  const { level, disabled, maxThinkingTokens } = config;
  const isOff = disabled === true || level === 'none' || level === 'off' || maxThinkingTokens === 0;
  return isOff ? 'off' : 'on';
}

/** Ids carry the version with dashes or dots, before or after the family: `claude-sonnet-4-5-…`, `claude-opus-4.1`. */
function isUpTo45(model: string): boolean {
  const version = /(?:^|-)([34])(?:[-.](\d))?(?=-|\.|$)/.exec(model);
  return version !== null && (version[1] === '3' || Number(version[2] ?? 0) <= 5);
}
