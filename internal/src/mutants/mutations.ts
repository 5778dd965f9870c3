import { type Node, nameOf, nodeAt, nodesAt, parseSource, walk } from '../syntax.ts';

/** One change of one line that a test should notice. */
export interface Mutant {
  /** Relative to the root. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly operator: Operator;
  /** The line as it is, and as the mutant has it, both trimmed. */
  readonly before: string;
  readonly after: string;
  readonly start: number;
  readonly end: number;
  /** Stands in place of the text between `start` and `end`. */
  readonly replacement: string;
}

export const OPERATORS = [
  'condition-negated',
  'constant-swapped',
  'early-return-removed',
  'flush-deleted',
  'method-swapped',
  'number-off-by-one',
  'operator-swapped',
  'statement-dropped',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** Every mutant of a source file, in the order of the text. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const found: Mutant[] = [];
  const add = (operator: Operator, { start, end }: Place, replacement: string): void => {
    const from = text.lastIndexOf('\n', start - 1) + 1;
    const to = text.indexOf('\n', start);
    if (end > to) return; // more than one line
    const before = text.slice(from, to);
    const after = before.slice(0, start - from) + replacement + before.slice(end - from);
    const line = text.slice(0, start).split('\n').length;
    found.push({
      ...{ file, line, operator, start, end, replacement },
      ...{ before: before.trim(), after: after.trim() },
    });
  };
  const source = ({ start, end }: Place): string => text.slice(start, end);
  walk(parseSource(file, text), (node, above) => {
    if (NOT_RUN.test(node.type)) return false;
    for (const { operator, place, replacement } of mutationsOf(node, above, source))
      add(operator, place, replacement);
    return true;
  });
  return found.sort((left, right) => left.start - right.start || left.end - right.end);
}

interface Place {
  readonly start: number;
  readonly end: number;
}

interface Mutation {
  readonly operator: Operator;
  readonly place: Place;
  readonly replacement: string;
}

/** Types and imports; `as` and `satisfies` hold expressions. */
const NOT_RUN =
  /^(?:Import|Export(?:All|Specifier))|^TS(?!AsExpression|SatisfiesExpression|NonNull)/;

function mutationsOf(
  node: Node,
  above: readonly Node[],
  source: (place: Place) => string,
): readonly Mutation[] {
  const parent = above.at(-1);
  switch (node.type) {
    case 'IfStatement':
      return [...negated(nodeAt(node, 'test'), source), ...withoutReturn(node)];
    case 'ConditionalExpression':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return negated(nodeAt(node, 'test'), source);
    case 'ExpressionStatement':
      return dropped(node);
    case 'BinaryExpression':
    case 'LogicalExpression':
      return swappedOperator(node, source);
    case 'Literal':
      return swappedLiteral(node, parent);
    case 'CallExpression':
      return swappedMethod(node);
    default:
      return [];
  }
}

function negated(test: Node | undefined, source: (place: Place) => string): readonly Mutation[] {
  if (test === undefined) return [];
  return [{ operator: 'condition-negated', place: test, replacement: `!(${source(test)})` }];
}

/** `if (…) return …;` on a line of its own. */
function withoutReturn(node: Node): readonly Mutation[] {
  const consequent = nodeAt(node, 'consequent');
  const leaves = /^(?:Return|Throw|Continue|Break)Statement$/.test(consequent?.type ?? '');
  if (!leaves || nodeAt(node, 'alternate') !== undefined) return [];
  return [{ operator: 'early-return-removed', place: node, replacement: '' }];
}

function dropped(node: Node): readonly Mutation[] {
  const expression = nodeAt(node, 'expression');
  if (expression === undefined || expression.type === 'Literal') return [];
  const name = nameOf(expression) ?? '';
  const operator = FLUSH.test(name) ? 'flush-deleted' : 'statement-dropped';
  return [{ operator, place: node, replacement: ';' }];
}

/** Calls that make sure what was written is on the disk. */
const FLUSH = /sync|flush/i;

const SWAPS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

function swappedOperator(node: Node, source: (place: Place) => string): readonly Mutation[] {
  const [left, right] = [nodeAt(node, 'left') as Node, nodeAt(node, 'right') as Node];
  const operator = String(node.operator);
  const swapped = operator === '+' && !isText(left) && !isText(right) ? '-' : SWAPS[operator];
  if (swapped === undefined) return [];
  const gap = source({ start: left.end, end: right.start });
  const at = left.end + gap.indexOf(operator);
  const place = { start: at, end: at + operator.length };
  return [{ operator: 'operator-swapped', place, replacement: swapped }];
}

const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');

function swappedLiteral(node: Node, parent: Node | undefined): readonly Mutation[] {
  const { value } = node;
  if (typeof value === 'boolean') return [mutation('constant-swapped', node, String(!value))];
  if (typeof value === 'number') return [mutation('number-off-by-one', node, String(value + 1))];
  // keys and names of modules are no constants
  const isValue =
    !isWordList(parent) &&
    parent !== undefined &&
    !/^Import|^Export/.test(parent.type) &&
    nodeAt(parent, 'key') !== node;
  if (typeof value !== 'string' || value === '' || !isValue) return [];
  return [mutation('constant-swapped', node, "''")];
}

/** A list of words is data, not a decision. */
const isWordList = (parent: Node | undefined): boolean =>
  parent?.type === 'ArrayExpression' && nodesAt(parent, 'elements').length > 3;

const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  find: 'findLast',
  findLast: 'find',
  findIndex: 'findLastIndex',
  findLastIndex: 'findIndex',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  unshift: 'push',
  push: 'unshift',
  shift: 'pop',
  pop: 'shift',
  floor: 'ceil',
  ceil: 'floor',
};

function swappedMethod(node: Node): readonly Mutation[] {
  const property = nodeAt(nodeAt(node, 'callee'), 'property');
  const swapped = METHODS[nameOf(property) ?? ''];
  if (property === undefined || swapped === undefined || nodesAt(node, 'arguments').length > 2)
    return [];
  return [mutation('method-swapped', property, swapped)];
}

const mutation = (operator: Operator, place: Place, replacement: string): Mutation => ({
  ...{ operator, place, replacement },
});
