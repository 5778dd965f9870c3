import type { Message, Request } from '@varve/messages';
import { EvalsError } from '../error.ts';
import { deepFreeze } from '../session/freeze.ts';
import type { Strategy, StrategyContext, StrategyRun } from '../strategy.ts';

/**
 * Runs a strategy so that whatever it does wrong is a `strategy-failed` that names it. Its requests are copied and frozen:
 * it cannot change afterwards what was sent.
 */
export function createGuardedRun(strategy: Strategy, context: StrategyContext): StrategyRun {
  const guard = <Value>(doing: string, act: () => Value): Value => {
    try {
      return act();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const text = `The strategy \`${strategy.name}\` failed in ${doing}: ${reason}. What it is given is frozen; it has to copy what it changes.`;
      throw new EvalsError('strategy-failed', text, { cause });
    }
  };
  const run = guard('create()', () => strategy.create(context));
  return {
    add: (message) => guard('add()', () => run.add(message)),
    request: () => guard('request()', () => snapshot(run.request())),
  };
}

function snapshot(request: Request): Request {
  const { head, messages, markers, maxOutputTokens, server } = (request ?? {}) as Partial<Request>;
  if (!isObject(head) || !Array.isArray(head.system) || !Array.isArray(head.tools)) {
    throw new TypeError('it returned no request with a head');
  }
  if (!Array.isArray(messages) || !messages.every(isMessage)) {
    throw new TypeError('it returned no request with a list of messages');
  }
  return deepFreeze({
    head,
    messages: [...messages],
    markers: Array.isArray(markers) ? [...markers] : [],
    maxOutputTokens: maxOutputTokens as number,
    ...(server !== undefined && { server }),
  });
}

const isMessage = (value: unknown): value is Message =>
  isObject(value) && Array.isArray((value as { readonly content?: unknown }).content);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
