import type { Tool } from '@varve/messages';
import { renderPart } from './render.ts';

export interface SteadyTools {
  /** What to send: everything known, in its first order and by its first reference, then what is new. */
  readonly tools: readonly Tool[];
  /** Names that are known and were not offered: calls to them answer that the tool is unavailable. */
  readonly missing: readonly string[];
  /** Names whose definition is another now; the known one stays until the caller starts a new prefix. */
  readonly changed: readonly string[];
  /** Names that were not known. They stand at the end of the tools and still lose what comes after. */
  readonly added: readonly string[];
}

/**
 * Keeps the tools of a session byte for byte while their servers come and go: order of offers and of JSON keys do not
 * matter, a tool that vanishes keeps its definition. Returns `known` itself where nothing is new.
 */
export function steadyTools(known: readonly Tool[], offered: readonly Tool[]): SteadyTools {
  const byName = new Map(offered.map((tool) => [tool.name, tool]));
  const knownNames = new Set(known.map(({ name }) => name));
  const added = [...byName.values()].filter(({ name }) => !knownNames.has(name)).sort(byToolName);
  const isChanged = (tool: Tool) => {
    const offer = byName.get(tool.name);
    return offer !== undefined && renderPart(offer) !== renderPart(tool);
  };
  return {
    tools: added.length === 0 ? known : [...known, ...added],
    missing: known.filter(({ name }) => !byName.has(name)).map(({ name }) => name),
    changed: known.filter(isChanged).map(({ name }) => name),
    added: added.map(({ name }) => name),
  };
}

function byToolName(left: Tool, right: Tool): number {
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
}
