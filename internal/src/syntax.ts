import { parseSync, visitorKeys } from 'oxc-parser';

/** A node of the syntax tree of a TypeScript file; `start` and `end` are places in its text. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The tree of a source text. Throws where it is no TypeScript. */
export function parseSource(file: string, text: string): Node {
  const { program, errors } = parseSync(file, text);
  const [first] = errors;
  if (first !== undefined) throw new Error(`${file} cannot be parsed: ${first.message}`);
  return program as unknown as Node;
}

/** The nodes right below one, in order. */
function childrenOf(node: Node): readonly Node[] {
  return (visitorKeys[node.type] ?? []).flatMap((key) => {
    const value = node[key];
    return (Array.isArray(value) ? value : [value]).filter(isNode);
  });
}

/** Calls `visit` with each node and those above it, the nearest last; where it returns false, what is below is left out. */
export function walk(
  node: Node,
  visit: (node: Node, above: readonly Node[]) => boolean | undefined,
  above: readonly Node[] = [],
): void {
  if (visit(node, above) === false) return;
  for (const child of childrenOf(node)) walk(child, visit, [...above, node]);
}

/** The value of a field that holds one node. */
export const nodeAt = (node: Node | undefined, key: string): Node | undefined => {
  const value = node?.[key];
  return isNode(value) ? value : undefined;
};

/** The value of a field that holds a list of nodes. */
export const nodesAt = (node: Node | undefined, key: string): readonly Node[] => {
  const value = node?.[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
};

/** The name of an identifier, or of what is called or read: `b` for `a.b`. */
export function nameOf(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return String(node.name);
  if (node.type === 'MemberExpression') return nameOf(nodeAt(node, 'property'));
  if (node.type === 'CallExpression' || node.type === 'NewExpression')
    return nameOf(nodeAt(node, 'callee'));
  if (node.type === 'ChainExpression' || node.type === 'AwaitExpression')
    return nameOf(nodeAt(node, 'expression') ?? nodeAt(node, 'argument'));
  return undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}
