import type { JsonObject } from '@varve/messages';

/** Where a definition came from, weakest first: of two with one name the later source wins. */
export type DefinitionSource =
  | 'built-in'
  | 'plugin'
  | 'user'
  | 'project'
  | 'command-line'
  | 'policy';

export const SOURCES: readonly DefinitionSource[] = [
  'built-in',
  'plugin',
  'user',
  'project',
  'command-line',
  'policy',
];

/** A kind of agent. What this package does not act on (from `effort` on) is read, checked and handed to the host. */
export interface AgentDefinition {
  /** Lower case, digits and dashes. */
  readonly name: string;
  /** When to choose it; the model decides by this alone. */
  readonly description: string;
  /** Its system prompt. */
  readonly prompt: string;
  readonly source: DefinitionSource;
  /** Names of its tools; all when left out. */
  readonly tools?: readonly string[];
  /** Taken away from `tools`, or from all. */
  readonly disallowedTools?: readonly string[];
  /** Left out: the parent's. */
  readonly model?: string;
  readonly maxTurns?: number;
  /** Stands before the directive in its first message. */
  readonly initialPrompt?: string;
  readonly effort?: string;
  readonly memory?: string;
  readonly color?: string;
  readonly background?: boolean;
  readonly isolation?: string;
  readonly permissionMode?: string;
  readonly skills?: readonly string[];
  readonly mcpServers?: JsonObject;
  readonly hooks?: JsonObject;
}

/** A field that was not taken, and why; or, without a field, what is wrong with the whole. */
export interface DefinitionProblem {
  readonly reason:
    | 'bad-front-matter'
    | 'bad-json'
    | 'bad-name'
    | 'bad-value'
    | 'missing'
    | 'no-front-matter'
    | 'unknown-field';
  readonly field?: string;
  readonly text: string;
}

/** `invalid`: it cannot be used. Otherwise `problems` lists what was left out of it. */
export type ParsedDefinition =
  | {
      readonly kind: 'definition';
      readonly definition: AgentDefinition;
      readonly problems: readonly DefinitionProblem[];
    }
  | { readonly kind: 'invalid'; readonly problems: readonly DefinitionProblem[] };
