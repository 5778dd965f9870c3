import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import type { Node, Parser } from 'web-tree-sitter';

/** A word of a command as far as it is known before the command runs. */
export interface Word {
  /** Its value without quotes; of a word that is not fixed, the text as it was written. */
  readonly text: string;
  /** Whether the value is known: no variable, no substitution, no pattern. */
  readonly isFixed: boolean;
  /** A pattern that the shell makes file names of, and nothing else that is not known. */
  readonly isPattern: boolean;
  /** A substitution and nothing else that is not known; what it runs is a command of the line. */
  readonly isSubstitution: boolean;
}

export interface Redirect {
  readonly operator: string;
  readonly target: Word;
}

/** One command of a line, wherever in the line it stands. */
export interface SimpleCommand {
  readonly words: readonly Word[];
  /** Names of the variables that are set for it, or by it. */
  readonly assigned: readonly string[];
  readonly redirects: readonly Redirect[];
  readonly text: string;
  /** In a loop, so that it may run more than once. */
  readonly isRepeated: boolean;
}

/** What a line would run, or why that is not certain. */
export type ShellLine =
  | { readonly kind: 'commands'; readonly commands: readonly SimpleCommand[] }
  | { readonly kind: 'unclear'; readonly reason: string };

/** Reads lines of bash. */
export type ReadShellLine = (line: string) => ShellLine;

let parser: Promise<Parser> | undefined;

/** The grammar is loaded with the first line that is read, once a process. */
export async function loadShellReader(): Promise<ReadShellLine> {
  parser ??= loadParser();
  const loaded = await parser;
  return (line) => readLine(loaded, line);
}

async function loadParser(): Promise<Parser> {
  const { Language, Parser } = await import('web-tree-sitter');
  await Parser.init();
  const { resolve } = createRequire(import.meta.url);
  setFlagsFromString(`--wasm-tiering-budget=${AS_IT_COMES}`);
  try {
    const bash = await Language.load(resolve('tree-sitter-bash/tree-sitter-bash.wasm'));
    return new Parser().setLanguage(bash);
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${BY_DEFAULT}`);
  }
}

/**
 * How much of a function of the grammar runs before V8 optimises it. One of them is so large that this takes half a second of a
 * core and 500 MB, at the first line of some length, and a process does not end before it is done.
 */
const AS_IT_COMES = 2_000_000_000;
const BY_DEFAULT = 13_000_000;

const MOST_CHARS = 20_000;

/** Signs that a parser and a shell may take differently, or that make a line look like another one. */
const ODD_SIGN = /[^\P{C}\n\t]|[^\P{Z} ]/u;

function readLine(bash: Parser, line: string): ShellLine {
  if (line.length > MOST_CHARS) return unclear('the command is very long');
  if (ODD_SIGN.test(line)) return unclear('it holds signs that cannot be seen');
  if (line.includes('$[')) return unclear('arithmetic is not looked through');
  const tree = bash.parse(line);
  if (tree === null) return unclear('it could not be read');
  try {
    if (tree.rootNode.hasError) return unclear('it is not complete, or no bash');
    return collect(tree.rootNode, line);
  } finally {
    tree.delete();
  }
}

const unclear = (reason: string): ShellLine => ({ kind: 'unclear', reason });

/** Parts of a line that run nothing by themselves but what is in them. */
const TRANSPARENT = new Set([
  ...['program', 'list', 'pipeline', 'redirected_statement', 'negated_command', 'subshell'],
  ...['compound_statement', 'if_statement', 'elif_clause', 'else_clause', 'while_statement'],
  ...['do_group', 'for_statement', 'case_statement', 'case_item', 'command_name'],
  ...['word', 'number', 'string', 'string_content', 'raw_string', 'concatenation', 'comment'],
  ...['ansi_c_string', 'translated_string', 'simple_expansion', 'variable_name'],
  ...['special_variable_name', 'command_substitution', 'process_substitution', 'file_descriptor'],
  ...['heredoc_redirect', 'heredoc_start', 'heredoc_body', 'heredoc_content', 'heredoc_end'],
  ...['herestring_redirect', 'file_redirect', 'variable_assignment', 'command', 'expansion'],
  ...['declaration_command', 'unset_command', 'test_command', 'unary_expression'],
  ...['binary_expression', 'parenthesized_expression', 'test_operator', 'arithmetic_expansion'],
  ...['extglob_pattern', 'regex', 'negation_expression'],
]);

function collect(root: Node, line: string): ShellLine {
  const commands: SimpleCommand[] = [];
  let odd: string | undefined;
  let end = 0;
  const visit = (node: Node, redirects: readonly Redirect[], isRepeated = false): void => {
    if (odd !== undefined) return;
    odd = oddityOf(node);
    if (node.childCount === 0 && node.type !== 'heredoc_body') {
      // What lies between two signs of the grammar is blank, or the grammar has lost something.
      if (!isInHeredoc(node) && !/^(?:\s|\\\n)*$/.test(line.slice(end, node.startIndex)))
        odd = 'a part of it was not understood';
      end = Math.max(end, node.endIndex);
    }
    if (odd !== undefined) return;
    const command = commandOf(node, redirects);
    if (command !== undefined) commands.push({ ...command, isRepeated });
    // The variable of a loop is set like any other one, and may be `PATH`.
    if (node.type === 'for_statement') commands.push({ ...setBy(node), isRepeated });
    const ownRedirects = node.type === 'redirected_statement' ? redirectsOf(node) : [];
    // Of redirects around a group each command of it has a share.
    const passed = command === undefined ? [...redirects, ...ownRedirects] : [];
    const isLoop = /^(?:for|while)_statement$/.test(node.type);
    for (const child of node.children) visit(child, passed, isRepeated || isLoop);
  };
  visit(root, []);
  return odd === undefined ? { kind: 'commands', commands } : unclear(odd);
}

const isInHeredoc = ({ type, parent }: Node): boolean =>
  type.startsWith('heredoc') || parent?.type === 'heredoc_body';

/** Why a part of a line may run something that is not written in it. */
function oddityOf(node: Node): string | undefined {
  const { type, text } = node;
  if (!node.isNamed) return undefined;
  if (!TRANSPARENT.has(type)) return `${type.replaceAll('_', ' ')} is not looked through`;
  if (type === 'expansion' && !/^\$\{\w+(?::?[-+][\w./ -]*)?\}$/.test(text))
    return `what ${text} becomes is not certain`;
  // Arithmetic runs what is in the index of a name, also where a variable or a text holds it.
  if (type === 'arithmetic_expansion' && !/^\$\(\([\d\s+*/%()<>-]*\)\)$/.test(text))
    return `what ${text} becomes is not certain`;
  if (type === 'test_command' && /\s-(?:eq|ne|lt|le|gt|ge|v|R|o)\s|[(`]/.test(text))
    return 'its condition is not looked through';
  if (type === 'test_command' && !text.startsWith('[[') && /[<>]/.test(text))
    return 'its condition is not looked through';
  if (type === 'compound_statement' && text.startsWith('(('))
    return 'arithmetic is not looked through';
  if (type === 'for_statement' && text.includes('((')) return 'arithmetic is not looked through';
  if (type === 'variable_assignment' && !/^[A-Za-z_]\w*$/.test(node.firstChild?.text ?? ''))
    return 'a part of a list is set';
  return undefined;
}

const COMMANDS = new Set(['command', 'declaration_command', 'unset_command', 'test_command']);

function setBy(loop: Node): Omit<SimpleCommand, 'isRepeated'> {
  const name = loop.childForFieldName('variable')?.text ?? '';
  return { words: [], assigned: [name], redirects: [], text: `for ${name}` };
}

function commandOf(
  node: Node,
  redirects: readonly Redirect[],
): Omit<SimpleCommand, 'isRepeated'> | undefined {
  const { type, text } = node;
  if (type === 'variable_assignment' && !COMMANDS.has(node.parent?.type ?? ''))
    return { words: [], assigned: [nameOf(node)], redirects, text };
  if (type === 'redirected_statement' && node.childForFieldName('body') === null)
    return { words: [], assigned: [], redirects: [...redirects, ...redirectsOf(node)], text };
  if (!COMMANDS.has(type)) return undefined;
  if (type === 'test_command') return { words: [fixed('[')], assigned: [], redirects, text };
  const words: Word[] = [];
  const assigned: string[] = [];
  for (const child of node.children) {
    if (child.type === 'variable_assignment') {
      assigned.push(nameOf(child));
      if (type === 'declaration_command') words.push(unfixed(child));
    } else if (child.type !== 'herestring_redirect' && child.type !== 'file_redirect')
      words.push(wordOf(child.type === 'command_name' ? (child.firstChild ?? child) : child));
  }
  return { words, assigned, redirects: [...redirects, ...redirectsOf(node)], text };
}

const nameOf = (assignment: Node): string => assignment.firstChild?.text ?? '';

function redirectsOf(node: Node): Redirect[] {
  return node.children.flatMap((child): Redirect[] => {
    if (child.type === 'heredoc_redirect') return redirectsOf(child);
    if (child.type !== 'file_redirect') return [];
    const operator = child.children.find(({ isNamed }) => !isNamed)?.text ?? '?';
    return child.children
      .filter(({ isNamed, type }) => isNamed && type !== 'file_descriptor')
      .map((target) => ({ operator, target: wordOf(target) }));
  });
}

const fixed = (text: string): Word => ({
  text,
  isFixed: true,
  isPattern: false,
  isSubstitution: false,
});
const unfixed = ({ text }: Node): Word => ({ ...fixed(text), isFixed: false });

/** The value of a word, as the shell would make it. */
function wordOf(node: Node): Word {
  const { type, text } = node;
  switch (type) {
    case 'word':
      if (/^~[^/]/.test(text)) return unfixed(node); // the home of somebody else, or an earlier folder
      if (/(?<!\\)[*?[]/.test(text)) return { ...unfixed(node), isPattern: true };
      if (/(?<!\\)[{}]/.test(text) && text !== '{}') return unfixed(node);
      return fixed(text.replace(/\\\n/g, '').replace(/\\(.)/gs, '$1'));
    case 'raw_string':
      return fixed(text.slice(1, -1));
    case 'string': {
      const inner = node.children.filter((child) => child.isNamed);
      if (inner.every((child) => child.type === 'string_content'))
        return fixed(
          text
            .slice(1, -1)
            .replace(/\\\n/g, '')
            .replace(/\\([$`"\\])/g, '$1'),
        );
      const isSubstitution = inner.every(({ type: each }) =>
        ['string_content', 'command_substitution'].includes(each),
      );
      return { ...unfixed(node), isSubstitution };
    }
    case 'concatenation': {
      if (/^~[^/]/.test(text) || /(?<!\\)[{}]/.test(plainPartOf(node))) return unfixed(node);
      const parts = node.children.map(wordOf);
      if (parts.every(({ isFixed }) => isFixed))
        return fixed(parts.map((part) => part.text).join(''));
      const isPattern = parts.every((part) => part.isFixed || part.isPattern);
      return { ...unfixed(node), isPattern };
    }
    case 'command_substitution':
    case 'process_substitution':
      return { ...unfixed(node), isSubstitution: true };
    case 'number':
      return fixed(text);
    default:
      return node.isNamed ? unfixed(node) : fixed(text);
  }
}

const plainPartOf = (node: Node): string =>
  node.children
    .flatMap((child) => (child.type === 'word' || !child.isNamed ? [child.text] : []))
    .join('');
