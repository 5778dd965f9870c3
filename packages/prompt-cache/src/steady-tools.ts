import type { Tool } from '@varve/messages';
import { toolLabel } from '@varve/messages/tools';
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
  const byName = new Map(offered.map((tool) => [toolLabel(tool), tool]));
  const knownNames = new Set(known.map(toolLabel));
  const added = [...byName.values()]
    .filter((tool) => !knownNames.has(toolLabel(tool)))
    .sort(byToolLabel);
  const isChanged = (tool: Tool) => {
    const offer = byName.get(toolLabel(tool));
    return offer !== undefined && renderPart(offer) !== renderPart(tool);
  };
  return {
    tools: added.length === 0 ? known : [...known, ...added],
    missing: known.map(toolLabel).filter((name) => !byName.has(name)),
    changed: known.filter(isChanged).map(toolLabel),
    added: added.map(toolLabel),
  };
}

function byToolLabel(one: Tool, other: Tool): number {
  const [left, right] = [toolLabel(one), toolLabel(other)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
