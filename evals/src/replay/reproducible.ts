import { type Message, type ToolUseBlock, toolUses } from '@varve/messages';
import { pathUnit } from '../demand/units.ts';
import { pathsOf } from './call-paths.ts';
import { isReadOnlyCommand } from './read-only-command.ts';
import { writtenFiles } from './written-files.ts';

/** Tells whether a call that is made again would give what it gave then. */
export interface Reproducibility {
  /** Takes the messages of the recorded history in order; calls are told apart by reference, for ids may come twice. */
  observe(message: Message): void;
  /**
   * True for reads, searches and listings, also through a shell, of files that nothing wrote whole or deleted since. A file
   * that was only edited counts as reproducible: its newer version holds what the recorded future finds there.
   */
  canRepeat(call: ToolUseBlock): boolean;
  /** How many files were written whole or deleted so far: while it is the same, so are the answers. */
  readonly writes: number;
  /** True while the file still holds what `call` wrote there, in the same sense. */
  isStillIn(path: string, call: ToolUseBlock): boolean;
}

/** Creates a log of calls; nothing was observed yet. */
export function createReproducibility(): Reproducibility {
  const madeAt = new WeakMap<ToolUseBlock, number>();
  const overwrittenAt = new Map<string, number>();
  let [calls, writes] = [0, 0];
  const isStillIn = (path: string, call: ToolUseBlock): boolean =>
    (overwrittenAt.get(fileKey(path)) ?? -1) <= (madeAt.get(call) ?? 0);
  return {
    observe(message) {
      for (const call of toolUses(message)) {
        calls += 1;
        madeAt.set(call, calls);
        for (const path of overwrittenBy(call)) {
          overwrittenAt.set(fileKey(path), calls);
          writes += 1;
        }
      }
    },
    get writes() {
      return writes;
    },
    canRepeat: (call) => isLookup(call) && pathsOf(call).every((path) => isStillIn(path, call)),
    isStillIn,
  };
}

const fileKey = (path: string): string => pathUnit(path) ?? path;

/** Paths of files of which nothing is left as it was. */
function overwrittenBy(call: ToolUseBlock): readonly string[] {
  const whole = writtenFiles(call).flatMap(({ isWhole, path }) => (isWhole ? path : []));
  return WRITES.test(call.name) ? [...whole, ...pathsOf(call)] : whole;
}

function isLookup(call: ToolUseBlock): boolean {
  const command = commandOf(call.input);
  if (SHELL.test(call.name)) return command !== undefined && isReadOnlyCommand(command);
  if (EDITOR.test(call.name)) return command === 'view';
  return LOOKUPS.test(call.name) && !WRITES.test(call.name);
}

/** The command line of a shell call: a string, or a list of words whose last is what a shell runs. */
function commandOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { command, cmd = command } = input as {
    readonly command?: unknown;
    readonly cmd?: unknown;
  };
  if (typeof cmd === 'string') return cmd;
  return Array.isArray(cmd) && cmd.every((word) => typeof word === 'string')
    ? commandOfWords(cmd)
    : undefined;
}

function commandOfWords(words: readonly string[]): string {
  const runsScript = words.length === 3 && /^-\w*c$/.test(words[1] as string);
  return runsScript ? (words[2] as string) : words.join(' ');
}

// names of tools in the agents whose sessions are read, by what they do
const SHELL = /bash|shell|exec|terminal|^run(?:_command)?$|powershell/i;
const EDITOR = /^str_replace_(?:based_edit_tool|editor)$/;
const LOOKUPS = /read|view|open|cat|grep|search|find|glob|list|^ls$|fetch|get|scroll|goto/i;
const WRITES = /write|create|save|delete|remove|move|rename/i;
