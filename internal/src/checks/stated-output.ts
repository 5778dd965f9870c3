import { type Node, nameOf, nodeAt, nodesAt, parseSource, walk } from '../syntax.ts';

/** What an example says it prints, or what a value is: `console.log(sum); // → 3`, `const sum = add(1, 2); // → 3`. */
interface Statement {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** Where the statement before the comment begins and ends; none where it is a comment without one. */
  readonly node: Node | undefined;
}

/** Stands for whatever is left out: within a line, or as a line for any number of lines. */
const ELISION = '…';

/** Every comment with an arrow in a source text. */
function statementsOf(source: string): readonly Statement[] {
  const nodes: Node[] = [];
  walk(parseSource('example.ts', source), (node) => {
    if (/^(?:VariableDeclaration|ExpressionStatement)$/.test(node.type)) nodes.push(node);
    return true;
  });
  let start = 0;
  return source.split('\n').flatMap((line, at) => {
    const comment = line.lastIndexOf('// →');
    const end = start + comment;
    start += line.length + 1;
    if (comment === -1) return [];
    const node = nodes.findLast(
      (each) => each.end <= end && source.slice(each.end, end).trim() === '',
    );
    return [{ line: at + 1, text: line.slice(comment + '// →'.length).trim(), node }];
  });
}

const isPrinting = (node: Node): boolean =>
  nameOf(nodeAt(nodeAt(nodeAt(node, 'expression'), 'callee'), 'object')) === 'console';

/** A program that runs as the example does and tells on standard error what its values are, one JSON line each. */
export function instrumented(source: string): string {
  const told = statementsOf(source).flatMap(({ line, node }) => {
    const value = node && !isPrinting(node) ? valueShown(node, source) : undefined;
    if (node === undefined || value === undefined) return [];
    const tell = `;process.stderr.write(JSON.stringify([${line}, (await import('node:util')).inspect(${value}, { breakLength: Infinity, depth: 9 })]) + '\\n');`;
    // an expression is worked out once
    return [
      { from: node.type === 'VariableDeclaration' ? node.end : node.start, to: node.end, tell },
    ];
  });
  return told.reduceRight(
    (text, { from, to, tell }) => text.slice(0, from) + tell + text.slice(to),
    source,
  );
}

function valueShown(node: Node, source: string): string | undefined {
  if (node.type === 'VariableDeclaration') {
    const { start = 0, end = 0 } = nodeAt(nodesAt(node, 'declarations').at(-1), 'id') ?? {};
    return source.slice(start, end).replace(/:.*$/s, '') || undefined;
  }
  const { start = 0, end = 0 } = nodeAt(node, 'expression') ?? {};
  return source.slice(start, end);
}

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
}

/** Each comment of an example that a run of it does not bear out, one line each. */
export function statedProblems(source: string, { stdout, stderr }: Ran): string[] {
  const values = new Map(
    stderr.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line) as [number, string]];
      } catch {
        return []; // what the example writes itself
      }
    }),
  );
  const printed = stdout.split('\n');
  let next = 0;
  return statementsOf(source).flatMap(({ line, text, node }) => {
    if (node !== undefined && !isPrinting(node)) {
      const value = values.get(line);
      return value !== undefined && fits(value, text)
        ? []
        : [`line ${line} says ${text}, and the value is ${value}`];
    }
    const found = printed.findIndex((each, at) => at >= next && fits(each, text));
    if (found !== -1) next = found + 1;
    return found === -1 ? [`line ${line} says ${text}, and that is not printed there`] : [];
  });
}

/** A comment behind a printing call that does not say what is printed; one that names a value without an arrow. */
export function looseComments(source: string): string[] {
  return source.split('\n').flatMap((line, at) => {
    const comment = /;\s*\/\/ (?!→)(.*)$/.exec(line)?.[1];
    if (comment === undefined) return [];
    const states = /console\.\w+\(/.test(line) || VALUE.test(comment);
    return states
      ? [
          `line ${at + 1}: write \`// → …\` where a comment says what comes out, so that it is checked`,
        ]
      : [];
  });
}

/** A comment that begins as a value does. */
const VALUE = /^(?:[{['"]|-?\d|true\b|false\b|null\b|undefined\b|=>|->|prints\b|returns\b)/;

const fits = (value: string, text: string): boolean =>
  new RegExp(`^${text.trim().split(ELISION).map(escaped).join('.*')}$`).test(value.trim());

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Whether the lines shown are the lines printed; a line of its own with an elision stands for any number of them. */
export function showsOutput(shown: string, printed: string): boolean {
  const pattern = shown
    .trimEnd()
    .split('\n')
    .map((line) =>
      line.trim() === ELISION
        ? '(?:.*\\n)*?'
        : `${line.trimEnd().split(ELISION).map(escaped).join('.*')} *\\n`,
    )
    .join('');
  return new RegExp(`^${pattern}$`).test(`${printed.trimEnd()}\n`);
}
