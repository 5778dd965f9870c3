import {
  type Head,
  type JsonObject,
  type Message,
  stableStringify,
  type ThinkingRule,
} from '@varve/messages';
import { bindsPrefix } from '@varve/messages/thinking';
import type { CachePolicy } from '@varve/prompt-cache';

/** Fields of the head a fork is asked to have in place of its parent's. */
export interface HeadOverride {
  readonly model?: string | undefined;
  readonly system?: Head['system'] | undefined;
  readonly tools?: Head['tools'] | undefined;
  /** Whole, thinking configuration and betas included. */
  readonly params?: JsonObject | undefined;
}

/** One thing in which a fork would differ from its parent, and the first part of the prefix that is lost by it. */
export interface PrefixDifference {
  readonly part: 'model' | 'tools' | 'system' | 'params';
  /** Of `params`: the field, e.g. `thinking`. */
  readonly param?: string;
  /** `nothing`: the cache is keyed without it. A field no policy names counts as losing everything. */
  readonly loses: Exclude<CachePolicy['invalidators']['images'], 'none'> | 'nothing';
}

/** The parent's head, by reference where nothing differs, so that not even the order of keys can. */
export function overrideHead(parent: Head, override: HeadOverride): Head {
  const { model, system, tools, params } = override;
  const given = {
    ...(model !== undefined && { model }),
    ...(system && { system }),
    ...(tools && { tools }),
    ...(params && { params }),
  };
  const parts = Object.keys(given) as (keyof typeof given)[];
  if (parts.every((part) => isSame(given[part], parent[part]))) return parent;
  return { ...parent, ...given, id: `${parent.id}:fork` };
}

/** Everything in which two heads differ, as far as requests carry it. */
export function headDifferences(
  parent: Head,
  head: Head,
  policy: CachePolicy,
): readonly PrefixDifference[] {
  if (parent === head) return [];
  const found: PrefixDifference[] = [];
  if (parent.model !== head.model) found.push({ part: 'model', loses: 'tools' });
  if (!isSame(parent.tools, head.tools)) found.push({ part: 'tools', loses: 'tools' });
  if (!isSame(parent.system, head.system)) found.push({ part: 'system', loses: 'system' });
  const names = new Set([...Object.keys(parent.params), ...Object.keys(head.params)]);
  for (const param of [...names].sort()) {
    if (isSameParam(parent.params[param], head.params[param])) continue;
    found.push({ part: 'params', param, loses: paramLoss(param, policy) });
  }
  return found;
}

/** A change of what thinking is bound to makes the provider refuse the thinking, whatever it costs. */
export function breaksThinking(
  differences: readonly PrefixDifference[],
  messages: readonly Message[],
  rule: ThinkingRule,
): boolean {
  const isBoundTo = ({ part }: PrefixDifference) => part === 'tools' || part === 'system';
  return differences.some(isBoundTo) && messages.some((message) => bindsPrefix(message, rule));
}

/** Sampling settings and limits, which no provider keys its cache by. */
const FREE = new Set([
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'stop',
  'metadata',
  'user',
]);

function paramLoss(param: string, policy: CachePolicy): PrefixDifference['loses'] {
  if (FREE.has(param)) return 'nothing';
  const rule = policy.invalidators.params.find(({ path }) => path[0] === param);
  return rule?.loses ?? 'tools';
}

/** Keys in another order are other bytes in tools and blocks; parameters are written in an order of their own. */
const isSame = (left: unknown, right: unknown): boolean =>
  left === right || JSON.stringify(left) === JSON.stringify(right);

const isSameParam = (left: unknown, right: unknown): boolean =>
  isSame(left, right) ||
  (left !== undefined && right !== undefined && stableStringify(left) === stableStringify(right));
