import { type Node, nameOf, nodeAt, nodesAt, parseSource, walk } from '../syntax.ts';

/** An idea that has one definition, and how to know another one by its structure, whatever it is called. */
export interface Idea {
  readonly name: string;
  /** Files that may hold it: paths from the root, or how they begin. */
  readonly homes: readonly string[];
  /** A file without any of these holds none. */
  readonly words: RegExp;
  /** The nodes that look like a definition of it. */
  find(source: Source): readonly Node[];
}

/** A place that looks like the definition of an idea. */
export interface Found {
  readonly idea: Idea;
  /** From 1. */
  readonly line: number;
}

/** Everything in a file that looks like a definition of one of the ideas, in the order of the ideas. */
export function findIdeas(file: string, text: string, ideas = IDEAS): readonly Found[] {
  const wanted = ideas.filter(({ words }) => words.test(text));
  if (wanted.length === 0) return [];
  const source = createSource(file, text);
  return wanted.flatMap((idea) => {
    const lines = idea.find(source).map(({ start }) => text.slice(0, start).split('\n').length);
    return [...new Set(lines)].sort((one, other) => one - other).map((line) => ({ idea, line }));
  });
}

type Test = (node: Node) => boolean;

/** A file with its nodes in the order of the text; what a test finds in it is looked for once. */
interface Source {
  readonly text: string;
  /** Nodes that pass a test. */
  where(test: Test): readonly Node[];
  /** Whether a node or anything below it passes. */
  has(node: Node, test: Test): boolean;
  /** What a node says. */
  textOf(node: Node): string;
}

function createSource(file: string, text: string): Source {
  const nodes: Node[] = [];
  walk(parseSource(file, text), (node) => {
    nodes.push(node);
    return true;
  });
  const found = new Map<Test, readonly Node[]>();
  const where = (test: Test): readonly Node[] => {
    const known = found.get(test) ?? nodes.filter(test);
    found.set(test, known);
    return known;
  };
  return {
    ...{ text, where },
    has: (node, test) => where(test).some((each) => isWithin(each, node)),
    textOf: ({ start, end }) => text.slice(start, end),
  };
}

const isWithin = (inner: Node, outer: Node): boolean =>
  inner.start >= outer.start && inner.end <= outer.end;

/** Those that hold no other of them. */
const innermost = (found: readonly Node[]): readonly Node[] =>
  found.filter((node) => !found.some((other) => other !== node && isWithin(other, node)));

const isFunction: Test = ({ type }) =>
  type === 'FunctionDeclaration' ||
  type === 'FunctionExpression' ||
  type === 'ArrowFunctionExpression';

/** What stands at the top of a file: functions, constants, classes. */
const isProgram: Test = ({ type }) => type === 'Program';
const declarations = (source: Source): readonly Node[] =>
  source
    .where(isProgram)
    .flatMap((program) => nodesAt(program, 'body'))
    .filter(({ type }) => !/^(?:Import|TS)/.test(type));

/** Functions that hold something of each kind, and no smaller function that does. */
const functionsWith = (source: Source, ...tests: readonly Test[]): readonly Node[] =>
  innermost(
    source.where(isFunction).filter((node) => tests.every((test) => source.has(node, test))),
  );

const declarationsWith = (source: Source, ...tests: readonly Test[]): readonly Node[] =>
  declarations(source).filter((node) => tests.every((test) => source.has(node, test)));

const stringOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;

const isLiteral =
  (...values: readonly string[]): Test =>
  (node) =>
    values.includes(stringOf(node) ?? '');

const isNamed =
  (...names: readonly string[]): Test =>
  (node) =>
    node.type === 'Identifier' && names.includes(String(node.name));

const isCallOf =
  (...names: readonly string[]): Test =>
  (node) =>
    node.type === 'CallExpression' && names.includes(nameOf(nodeAt(node, 'callee')) ?? '');

const sidesOf = (node: Node): readonly (Node | undefined)[] =>
  node.type === 'BinaryExpression' && /^[!=]==?$/.test(String(node.operator))
    ? [nodeAt(node, 'left'), nodeAt(node, 'right')]
    : [];

/** `x === 'value'` and its like, and `case 'value':`. */
const isComparedTo =
  (...values: readonly string[]): Test =>
  (node) => {
    const sides = node.type === 'SwitchCase' ? [nodeAt(node, 'test')] : sidesOf(node);
    return sides.some((side) => values.includes(stringOf(side) ?? ''));
  };

const someOf =
  (...tests: readonly Test[]): Test =>
  (node) =>
    tests.some((test) => test(node));

const linesOf = (source: Source, node: Node): number => source.textOf(node).split('\n').length;

const isTypeof: Test = ({ type, operator }) => type === 'UnaryExpression' && operator === 'typeof';
const isObjectTest: Test = (node) =>
  isComparedTo('object')(node) &&
  sidesOf(node).some((side) => side !== undefined && isTypeof(side));
const isArrayTest: Test = (node) => isCallOf('isArray')(node);
const isObjectTag = isLiteral('[object Object]');

/** Looks at the type of a value, and whether the same one is an array, in one expression or one short function. */
const recordGuard: Idea = {
  name: 'record guard',
  homes: ['packages/guards/src/'],
  words: /isArray|object Object/,
  find(source) {
    const isGuard = (node: Node): boolean => {
      const inside = (test: Test) => source.where(test).filter((each) => isWithin(each, node));
      const typed = inside(isTypeof).map((each) => source.textOf(nodeAt(each, 'argument') as Node));
      const arrays = inside(isArrayTest).map((each) => nodesAt(each, 'arguments')[0]);
      return (
        source.has(node, isObjectTest) &&
        arrays.some((each) => each !== undefined && typed.includes(source.textOf(each)))
      );
    };
    const places = [
      ...source.where(isLogical),
      ...source.where(isFunction).filter((node) => linesOf(source, node) <= 6),
    ];
    return [...innermost(places.filter(isGuard)), ...source.where(isObjectTag)];
  },
};

const isClass: Test = ({ type }) => type === 'ClassDeclaration' || type === 'ClassExpression';
const PLATFORM_ERROR = /^(?:Error|TypeError|RangeError|SyntaxError|AggregateError|DOMException)$/;

const errorClass: Idea = {
  name: 'error class',
  homes: ['packages/guards/src/error.ts'],
  words: /\bextends\b/,
  find: (source) =>
    source
      .where(isClass)
      .filter((node) => PLATFORM_ERROR.test(nameOf(nodeAt(node, 'superClass')) ?? '')),
};

/** `signal.addEventListener('abort', …)`, `once(signal, 'abort')`, `signal.onabort = …`. */
const listensForAbort: Test = someOf(
  (node) =>
    isCallOf('addEventListener', 'once', 'on')(node) &&
    nodesAt(node, 'arguments').some(isLiteral('abort')),
  (node) => node.type === 'AssignmentExpression' && nameOf(nodeAt(node, 'left')) === 'onabort',
);
const makesPromise: Test = someOf(
  (node) => node.type === 'NewExpression' && nameOf(node) === 'Promise',
  isCallOf('withResolvers', 'race'),
);

const abortRace: Idea = {
  name: 'race of a promise with an abort',
  homes: ['packages/guards/src/abort.ts'],
  words: /abort/,
  find: (source) => functionsWith(source, listensForAbort, makesPromise),
};

const comparesRole =
  (...roles: readonly string[]): Test =>
  (node) =>
    isComparedTo(...roles)(node) &&
    sidesOf(node).some((side) =>
      /^role$/i.test(
        nameOf(side?.type === 'ChainExpression' ? nodeAt(side, 'expression') : side) ?? '',
      ),
    );
const saysUser = comparesRole('user');
const looksForResultsOrOrigin = someOf(
  isNamed('isToolResult', 'toolResults', 'origin'),
  isLiteral('tool_result'),
);
const isObject: Test = ({ type }) => type === 'ObjectExpression';
const isLogical: Test = ({ type }) => type === 'LogicalExpression';

/** A short test of one message; what does something with each message of the user is none. */
const person: Idea = {
  name: 'a person said this',
  homes: ['packages/messages/src/'],
  words: /'user'/,
  find: (source) =>
    innermost(
      [...source.where(isFunction), ...source.where(isLogical)].filter(
        (node) =>
          linesOf(source, node) <= 8 &&
          source.has(node, saysUser) &&
          source.has(node, looksForResultsOrOrigin) &&
          !source.has(node, isObject),
      ),
    ),
};

const STOP_REASONS = [
  ...['end_turn', 'stop_sequence', 'refusal'],
  ...['aborted', 'error', 'max_tokens', 'pause_turn'],
];
/** A list of stop reasons: those that end a turn, or those that do not. */
const listsStopReasons: Test = (node) => {
  if (node.type !== 'ArrayExpression') return false;
  const words = nodesAt(node, 'elements').map(stringOf);
  return new Set(words.filter((word) => STOP_REASONS.includes(word ?? ''))).size >= 2;
};
const isLoop: Test = ({ type }) => /^(?:For|While|DoWhile)/.test(type);
const scans = someOf(isLoop, isCallOf('findLastIndex', 'findLast', 'findIndex'));
const saysAssistant = comparesRole('assistant');
const looksForCallsOrEnds = someOf(
  isNamed('isToolUse', 'toolUses', 'stopReason', 'stop_reason'),
  isLiteral('tool_use', 'end_turn'),
);
const looksForPersons = someOf(saysUser, isNamed('isPerson', 'isPersonMessage', 'isSaid'));

const answers: Test = (node) =>
  (node.type === 'ReturnStatement' && nodeAt(node, 'argument') !== undefined) ||
  (node.type === 'ArrowFunctionExpression' && node.expression === true);

/** Says which reply ends a turn, and goes over a history for what persons asked since. */
const openRequest: Idea = {
  name: 'which request is still open',
  homes: ['packages/messages/src/'],
  words: /assistant|end_turn|aborted/,
  find: (source) => [
    ...functionsWith(source, scans, saysAssistant, looksForCallsOrEnds, looksForPersons, answers),
    ...source.where(listsStopReasons),
  ],
};

const takesCalls = someOf(isNamed('isToolUse', 'toolUses'), isLiteral('tool_use'));
const takesResults = someOf(
  isNamed('isToolResult', 'toolResults', 'tool_use_id'),
  isLiteral('tool_result', 'tool_use_id'),
);
const keepsIds = isCallOf('add', 'set');
const waitsForNone = someOf(isCallOf('delete', 'clear'), isNamed('size'));
const isPlace = isNamed('index', 'at', 'cut', 'position', 'place', 'i');
const isPlaceOrNext: Test = (node) =>
  isPlace(node) || (node.type === 'BinaryExpression' && isPlace(nodeAt(node, 'left') ?? node));
/** `cuts.push(index)`, `ends[caller] = index + 1`. */
const keepsPlaces = someOf(
  (node) => isCallOf('push')(node) && nodesAt(node, 'arguments').some(isPlaceOrNext),
  (node) =>
    node.type === 'AssignmentExpression' &&
    nodeAt(node, 'left')?.computed === true &&
    isPlaceOrNext(nodeAt(node, 'right') ?? node),
);

/** Keeps the ids of calls until their results have come, and the places where nothing waits. */
const legalCut: Idea = {
  name: 'where a history may be cut',
  homes: ['packages/messages/src/'],
  words: /tool_use|toolUses|isToolUse/,
  find: (source) =>
    declarationsWith(
      source,
      ...[takesCalls, takesResults, keepsIds, waitsForNone, keepsPlaces, isLoop],
    ),
};

const asksForRule = isComparedTo('prefix-bound', 'latest-turn');

const thinkingDrops: Idea = {
  name: 'thinking bound to a prefix that changed',
  homes: ['packages/messages/src/'],
  words: /prefix-bound|latest-turn/,
  find: (source) => source.where(asksForRule),
};

const asksForUndo = isComparedTo('undo');
const namesEntry = isNamed('entryId');
const looksUp = someOf(isCallOf('get', 'has', 'set', 'add', 'delete', 'find'), isLoop);

/** Follows which undo takes back what. */
const undoParity: Idea = {
  name: 'parity of undos',
  homes: ['packages/messages/src/'],
  words: /'undo'/,
  find: (source) => declarationsWith(source, asksForUndo, namesEntry, looksUp),
};

const asksForSpan = isComparedTo('replace-span');
const takesSpan = isNamed('with', 'fromId', 'toId');
const keepsSpan = someOf(isCallOf('set', 'add', 'push'), ({ type }) => type === 'SpreadElement');

/** Keeps what the spans of edits brought or took, message by message. */
const spanFold: Idea = {
  name: 'what an edit brought or took',
  homes: ['packages/messages/src/'],
  words: /'replace-span'/,
  find: (source) => declarationsWith(source, asksForSpan, takesSpan, keepsSpan),
};

const makesExclusively = someOf(
  isLiteral('wx', 'ax', 'wx+', 'ax+'),
  isNamed('O_EXCL'),
  isCallOf('link', 'linkSync'),
);
const namesOwner = someOf(isNamed('pid', 'hostname'), isLiteral('pid'));

/** Makes a file where there is none, and names the process that owns it. */
const lockFile: Idea = {
  name: 'lock file',
  homes: ['packages/transcript/src/node/'],
  words: /x\+?'|O_EXCL|link/,
  find: (source) => (source.where(namesOwner).length > 0 ? source.where(makesExclusively) : []),
};

// none of them finds itself
const SECRET = new RegExp(
  [
    ...[
      'AK[I]A',
      'gh[p]_',
      'github_[p]at',
      'sk[-](?:ant|proj|live)',
      'sk_[l]ive',
      'xox[b]',
      'xox\\[',
    ],
    ...['AI[z]a', 'BEGIN [^\'"`]{0,20}PRIVATE', 'glpat[-]', 'npm_\\[', 'eyJ\\[', 'hf_\\['],
    '(?:api[^\'"`a-z]{0,9}key|passw(?:or)?d|secret)[^\'"`]{0,40}(?:\\[|\\\\[sSwW])',
  ].join('|'),
  'i',
);
const isPatternOrText: Test = ({ type, value }) =>
  type === 'TemplateElement' ||
  (type === 'Literal' &&
    (typeof value === 'string' || (typeof value === 'object' && value !== null)));

const secrets: Idea = {
  name: 'list of secrets',
  homes: ['packages/redact/src/'],
  words: SECRET,
  find: (source) =>
    source.where(isPatternOrText).filter((node) => SECRET.test(source.textOf(node))),
};

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const TOOLS = words(
  'read read_file readfile view cat open_file write write_file create_file edit edit_file multiedit str_replace str_replace_editor apply_patch bash shell exec run_command terminal powershell grep search search_files glob ls list list_files find_files todowrite todo_write webfetch web_fetch websearch web_search notebookedit task',
);
const SHELL_WORDS = words(
  'cat head tail less sed awk grep rg find ls tree wc stat du df git pwd echo which diff sort uniq cut jq',
);
const PATH_FIELDS = words(
  'path file_path filepath file filename notebook_path absolute_path target_file relative_path',
);

/** The words that a list, keys, cases, or the branches of a pattern hold. */
function wordsOf(node: Node, source: Source): readonly (string | undefined)[] {
  switch (node.type) {
    case 'ArrayExpression':
      return nodesAt(node, 'elements').map(stringOf);
    case 'ObjectExpression':
      return nodesAt(node, 'properties').map((property) => {
        const key = nodeAt(property, 'key');
        return stringOf(key) ?? nameOf(key);
      });
    case 'SwitchStatement':
      return nodesAt(node, 'cases').map((each) => stringOf(nodeAt(each, 'test')));
    case 'Literal': {
      const text = source.textOf(node);
      return /[|\s]/.test(text) ? text.split(/[^A-Za-z_]+/) : [];
    }
    case 'LogicalExpression':
      return source
        .where(isComparison)
        .filter((each) => isWithin(each, node))
        .flatMap((each) => sidesOf(each).map(stringOf));
    default:
      return [];
  }
}
const isComparison: Test = (node) => sidesOf(node).length > 0;
const isWordHolder: Test = ({ type }) =>
  /^(?:Array|Object|Logical)Expression$|^SwitchStatement$|^Literal$/.test(type);

const vocabulary: Idea = {
  name: 'names of tools, of their path fields, of shell commands',
  homes: ['packages/messages/src/tools'],
  words: /read|path|cat|bash|grep/i,
  find: (source) =>
    innermost(
      source.where(isWordHolder).filter((node) => {
        const given = new Set(wordsOf(node, source).map((word) => word?.toLowerCase() ?? ''));
        const countOf = (known: ReadonlySet<string>): number =>
          [...given].filter((word) => known.has(word)).length;
        return countOf(TOOLS) >= 3 || countOf(PATH_FIELDS) >= 3 || countOf(SHELL_WORDS) >= 5;
      }),
    ),
};

const ENTRY_TYPES = ['message', 'head', 'edit', 'note'].map((type) => isLiteral(type));
const ENTRY_FIELDS = /^(?:id|at|type|head|message|edit|by)$/;
const isEntryField: Test = (node) =>
  node.type === 'MemberExpression' && ENTRY_FIELDS.test(nameOf(node) ?? '');
/** `typeof value.head`, `isRecord(value.edit)`, or a schema of one's own. */
const checksTypes = someOf(
  (node) => isTypeof(node) && isEntryField(nodeAt(node, 'argument') ?? node),
  (node) => isCallOf('isRecord', 'isObject')(node) && nodesAt(node, 'arguments').some(isEntryField),
  isNamed('z', 'fields'),
);
const checksField =
  (name: string): Test =>
  (node) =>
    isTypeof(node) && nameOf(nodeAt(node, 'argument')) === name;
const checksId = checksField('id');
const checksTime = checksField('at');

/** Goes over the four types of entries and the types of their fields, or over what all entries have. */
const entryShape: Idea = {
  name: 'shape of an entry',
  homes: ['packages/messages/src/'],
  words: /'head'|\.at\b|\bat\b/,
  find: (source) => [
    ...declarationsWith(source, checksTypes, ...ENTRY_TYPES),
    ...declarationsWith(source, checksId, checksTime),
  ],
};

const isShape: Test = ({ type }) => type === 'TSInterfaceBody' || type === 'TSTypeLiteral';
/** `role: 'user'` */
const isOfOneWord = (member: Node): boolean =>
  nodeAt(nodeAt(member, 'typeAnnotation'), 'typeAnnotation')?.type === 'TSLiteralType';

/** A type of its own for a message of whatever role and content; one that is always of one role is none. */
const messageLike: Idea = {
  name: 'MessageLike',
  homes: ['packages/messages/src/'],
  words: /\brole\??:/,
  find: (source) =>
    source.where(isShape).filter((node) => {
      const members = [...nodesAt(node, 'body'), ...nodesAt(node, 'members')];
      const member = (name: string) => members.find((each) => nameOf(nodeAt(each, 'key')) === name);
      const [role, content] = [member('role'), member('content')];
      return role !== undefined && content !== undefined && !isOfOneWord(role);
    }),
};

const FACTS = words(
  'background-task choice command effect error failed-approach file file-read literal rule skill test-status todo user-message',
);
const isFact: Test = (node) => FACTS.has(stringOf(node) ?? '');
const isHeading: Test = (node) => {
  const { raw = stringOf(node) ?? '' } = (node.type === 'TemplateElement' ? node.value : {}) as {
    readonly raw?: string;
  };
  return /^#+ \S/m.test(raw);
};

/** Puts kinds of facts under headings. */
const factsToNotes: Idea = {
  name: 'facts to notes',
  homes: ['packages/ledger/src/'],
  words: /# /,
  find: (source) =>
    declarationsWith(source, isFact, isHeading).filter((node) => {
      const facts = source.where(isFact).filter((each) => isWithin(each, node));
      return new Set(facts.map(stringOf)).size >= 3;
    }),
};

const bare = (node: Node | undefined): Node | undefined =>
  node?.type === 'ParenthesizedExpression' ? bare(nodeAt(node, 'expression')) : node;

const isBinary = (node: Node | undefined, operator: RegExp): node is Node =>
  node?.type === 'BinaryExpression' && operator.test(String(node.operator));

const bothSides = (node: Node): readonly (Node | undefined)[] => [
  bare(nodeAt(node, 'left')),
  bare(nodeAt(node, 'right')),
];

const isShare = (node: Node | undefined): boolean =>
  (node?.type === 'Identifier' || node?.type === 'MemberExpression') &&
  !/^[A-Z\d_]+$/.test(nameOf(node) ?? ''); // a constant is a margin

/** `1 - share`: what may be left. */
const isRest = (node: Node | undefined): boolean => {
  if (!isBinary(node, /^-$/)) return false;
  const [one, share] = bothSides(node);
  return one?.type === 'Literal' && one.value === 1 && isShare(share);
};

/** Holds what is left, or what was saved, against a share of what there was. */
const accept: Idea = {
  name: 'smaller by enough',
  homes: ['packages/tokens/src/accept-size.ts'],
  words: /[-/]/,
  find(source) {
    const multiplies: Test = (node) => isBinary(node, /^\*$/) && bothSides(node).some(isRest);
    const compares: Test = (node) => {
      if (!isBinary(node, /^[<>]=?$/)) return false;
      const [left, right] = bothSides(node);
      const pairs = [
        [left, right],
        [right, left],
      ] as const;
      return pairs.some(([one, other]) => {
        if (isBinary(one, /^\/$/)) {
          const [saved, whole] = bothSides(one);
          return isRest(other) || (isShare(other) && isDifferenceFrom(saved, whole));
        }
        if (!isBinary(other, /^\*$/) || !bothSides(other).some(isShare)) return false;
        return bothSides(other).some((whole) => isDifferenceFrom(one, whole));
      });
    };
    const isDifferenceFrom = (node: Node | undefined, whole: Node | undefined): boolean => {
      if (!isBinary(node, /^-$/) || whole === undefined) return false;
      const [from] = bothSides(node);
      return from !== undefined && source.textOf(from) === source.textOf(whole);
    };
    return source.where(someOf(multiplies, compares));
  },
};

const keyNames = (node: Node): readonly string[] =>
  nodesAt(node, 'properties').map((property) => nameOf(nodeAt(property, 'key')) ?? '');
const COUNTS = words('droppedmessages keptmessages removedmessages dropped kept');
const SIZES = words('tokensbefore tokensafter beforetokens aftertokens');
const holdsSome = (node: Node, known: ReadonlySet<string>, least: number): boolean =>
  keyNames(node).filter((name) => known.has(name.toLowerCase())).length >= least;
const isArgument =
  (source: Source): Test =>
  (node) =>
    source.where(isCallOf('editReceipt')).some((call) => isWithin(node, call) && node !== call);

/** Makes the receipt of an edit: sizes before and after beside how many messages went and stayed. */
const receipt: Idea = {
  name: 'receipt of an edit',
  homes: ['packages/messages/src/receipt.ts'],
  words: /tokens_?(?:before|after)|(?:before|after)Tokens/i,
  find: (source) =>
    source
      .where(isObject)
      .filter(
        (node) =>
          holdsSome(node, SIZES, 1) && holdsSome(node, COUNTS, 1) && !isArgument(source)(node),
      ),
};

/** Says at once what a planner is told of the size of a conversation, of its cache and of its turn. */
const planContext: Idea = {
  name: 'what a planner is told',
  homes: ['packages/context/src/plan-context.ts'],
  words: /atUserTurn/,
  find: (source) =>
    source.where(isObject).filter((node) => {
      const names = nodesAt(node, 'properties').map((each) => nameOf(nodeAt(each, 'key')));
      return ['atUserTurn', 'contextTokens', 'cache'].every((name) => names.includes(name));
    }),
};

export const IDEAS: readonly Idea[] = [
  accept,
  receipt,
  planContext,
  recordGuard,
  errorClass,
  abortRace,
  person,
  openRequest,
  legalCut,
  thinkingDrops,
  undoParity,
  spanFold,
  lockFile,
  secrets,
  vocabulary,
  entryShape,
  messageLike,
  factsToNotes,
];
