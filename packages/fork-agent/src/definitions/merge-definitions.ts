import { fingerprint, type Message } from '@varve/messages';
import { type AgentDefinition, SOURCES } from './definition.ts';

/**
 * One definition a name, sorted by name: of two the one with the stronger source (built-in < plugin < user < project <
 * command line < policy), of equal sources the later.
 */
export function mergeDefinitions(
  definitions: readonly AgentDefinition[],
): readonly AgentDefinition[] {
  const strength = ({ source }: AgentDefinition) => SOURCES.indexOf(source);
  const byName = new Map<string, AgentDefinition>();
  for (const each of definitions) {
    const known = byName.get(each.name);
    if (!known || strength(each) >= strength(known)) byName.set(each.name, each);
  }
  return [...byName.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

/**
 * The agents there are as a message, not as part of a tool's description: agents come and go, and the tool definitions
 * before every cached prefix stay the same bytes. The same list gives the same message.
 */
export function agentListMessage(definitions: readonly AgentDefinition[]): Message {
  const lines = mergeDefinitions(definitions).map(
    ({ name, description }) => `- ${name}: ${description.replaceAll(/\s+/g, ' ')}`,
  );
  const text = lines.length > 0 ? `${LIST}\n${lines.join('\n')}` : NO_AGENTS;
  const id = `agents-${fingerprint(text).slice(0, 16)}`;
  return { id, role: 'user', content: [{ type: 'text', text }], origin: { kind: 'reminder' } };
}

const LIST =
  'Kinds of agents that can be started now. They know nothing of this conversation. Earlier lists no longer hold.';
const NO_AGENTS = 'No kinds of agents can be started now. Earlier lists no longer hold.';
