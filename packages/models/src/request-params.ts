import { type Head, type JsonObject, stableStringify } from '@varve/messages';
import type { Loss } from '@varve/messages/convert';

/** What a writer makes of a request. */
export interface WrittenRequest<Body> {
  /** Messages come last, so that the bytes of a history that grew start with those of the history before. */
  readonly body: Body;
  /** What the provider's format cannot hold of these messages. */
  readonly losses: readonly Loss[];
}

/** Parameters with keys in code-unit order at every depth, so that equal ones have equal bytes; each object is read once. */
export function createParamsReader(): (params: JsonObject | undefined) => JsonObject {
  const known = new WeakMap<JsonObject, JsonObject>();
  return (params) => {
    if (params === undefined) return {};
    const found = known.get(params) ?? (JSON.parse(stableStringify(params)) as JsonObject);
    known.set(params, found);
    return found;
  };
}

/** Remembers what was made of each head. */
export function rememberHead<Written>(write: (head: Head) => Written): (head: Head) => Written {
  const known = new WeakMap<Head, Written>();
  return (head) => {
    const found = known.get(head) ?? write(head);
    known.set(head, found);
    return found;
  };
}
