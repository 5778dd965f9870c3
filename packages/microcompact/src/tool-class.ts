import { bareName, isForeignTool, type ToolKind, toolKind, toolNames } from '@varve/messages/tools';

/** What a tool does, as far as clearing cares. `edit` and `write` change a file; `other` is never cleared. */
export type ToolClass = 'read' | 'shell' | 'search' | 'list' | 'web' | 'edit' | 'write' | 'other';

/** Kinds whose results can be had again by running them again. */
const CLASSES: ReadonlyMap<ToolKind, ToolClass> = new Map<ToolKind, ToolClass>([
  ['read', 'read'],
  ['shell', 'shell'],
  ['shell-output', 'shell'],
  ['search', 'search'],
  ['list', 'list'],
  ['web', 'web'],
  ['edit', 'edit'],
  ['write', 'write'],
]);

/**
 * Tools whose results can be had again by running them again, by the names well-known coding agents give them: read,
 * shell, search, list, web, edit and write.
 */
const USUAL_TOOLS: readonly string[] = [...CLASSES.keys()].flatMap(toolNames);

/** Says which tools may be cleared, and of which class they are. */
export interface ToolRules {
  classOf(name: string): ToolClass;
  /** Never true of a tool that an MCP server brought (`mcp__server__tool`). */
  isCompactable(name: string): boolean;
}

/** Names of tools whose results may be cleared, or what is made of the usual ones. */
export type CompactableTools =
  | readonly string[]
  | ((usual: readonly string[]) => readonly string[]);

/** Rules for a set of tool names; memoises per name. */
export function createToolRules(tools: CompactableTools = USUAL_TOOLS): ToolRules {
  const names = typeof tools === 'function' ? tools(USUAL_TOOLS) : tools;
  const allowed = new Set(names.map(bareName));
  const known = new Map<string, { readonly kind: ToolClass; readonly compactable: boolean }>();
  const look = (name: string) => {
    let found = known.get(name);
    if (!found) {
      const own = toolKind(name);
      const kind = (own && CLASSES.get(own)) ?? 'other';
      found = { kind, compactable: !isMcp(name) && isAllowed(name) };
      known.set(name, found);
    }
    return found;
  };
  /** A tool in a namespace of the host counts without it. */
  const isAllowed = (name: string): boolean =>
    allowed.has(bareName(name)) ||
    (!isForeignTool(name) && allowed.has(bareName(name.slice(name.lastIndexOf('.') + 1))));
  return {
    classOf: (name) => look(name).kind,
    isCompactable: (name) => look(name).compactable,
  };
}

const isMcp = (name: string): boolean => /^mcp(__|\.|:|\/)/i.test(name);
