import type { Tool } from '@varve/messages';
import { toolLabel } from '@varve/messages/tools';
import type { ToolGate } from '../types.ts';
import type { AgentDefinition } from './definition.ts';

/** Which of the tools an agent has, in the order given. `*` in `tools` is all of them. */
export function toolsOf(definition: AgentDefinition, offered: readonly Tool[]): readonly Tool[] {
  const chosen = offered.filter((tool) => hasTool(definition, toolLabel(tool)));
  return chosen.length === offered.length ? offered : chosen;
}

function hasTool({ tools, disallowedTools = [] }: AgentDefinition, name: string): boolean {
  const isListed = tools === undefined || tools.includes('*') || tools.includes(name);
  return isListed && !disallowedTools.includes(name);
}

/** A gate that lets only these tools pass: for forks, whose tool list has to stay their parent's. */
export function onlyTools<State = undefined>(names: readonly string[]): ToolGate<State> {
  const allowed = new Set(names);
  const reason = `only these tools are allowed here: ${[...allowed].join(', ') || 'none'}`;
  return ({ name }) => ({ allow: allowed.has(name), reason });
}

/** A gate by a definition, before one of the caller's own. */
export function gateOf<State>(
  definition: AgentDefinition,
  next: ToolGate<State> | undefined,
): ToolGate<State> {
  return (call, context) => {
    if (!hasTool(definition, call.name))
      return { allow: false, reason: 'this agent lacks the tool' };
    return next ? next(call, context) : true;
  };
}
