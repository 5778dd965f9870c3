// Agents that are defined by a file: who they are, how they are told, and one at work.
export { createAgent } from './agent.ts';
export { builtInAgents } from './definitions/built-in.ts';
export type { AgentDefinition } from './definitions/definition.ts';
export { agentListMessage, mergeDefinitions } from './definitions/merge-definitions.ts';
export { parseAgentDefinition, parseAgentSettings } from './definitions/parse-definition.ts';
export { onlyTools, toolsOf } from './definitions/tools-of.ts';
