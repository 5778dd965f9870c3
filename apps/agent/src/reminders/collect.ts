import { recordOf, textOf } from '@varve/guards';
import type { Hooks } from '../hooks/hooks.ts';
import {
  type InstructionFile,
  type Instructions,
  instructionText,
} from '../instructions/instructions.ts';
import type { ToolCall } from '../tools/tool.ts';
import { askProducers, type Producer, type Reminder, type ReminderTime } from './producers.ts';

export interface RemindersOptions {
  readonly hooks: Hooks;
  readonly instructions: Instructions;
  /** YYYY-MM-DD, the day on which the session began. */
  readonly date: string;
  /** Whether the conversation holds the instructions already. */
  readonly isInstructed: boolean;
  /** Whether what was given of them has not been summarised or cut away since. */
  readonly isStillThere: () => boolean;
  /** Has the instructions noted as being in the conversation. */
  readonly onInstructed: () => Promise<void>;
  /** What else there may be to tell, in this order. */
  readonly producers: readonly Producer[];
  readonly notice: (text: string) => void;
}

/** What the agent tells the model by itself: instruction files, what producers find, and what hooks want it to know. */
export function createReminders(options: RemindersOptions) {
  const { hooks, instructions, date, isStillThere, onInstructed, producers, notice } = options;
  const failed = new Set<string>();
  let mayBeGone = false;
  let due: 'session_start' | 'compact' | undefined = 'session_start';
  let found: InstructionFile[] = [];
  if (options.isInstructed) {
    instructions.initial(); // so that they are known, and not given again
    due = undefined;
  }

  async function loaded(files: readonly InstructionFile[], signal: AbortSignal): Promise<string[]> {
    for (const { path, level, reason } of files) {
      const fields = { file_path: path, memory_type: level, load_reason: reason };
      await hooks.tell('InstructionsLoaded', reason, fields, signal);
    }
    const text = instructionText(files, due === undefined ? undefined : date);
    return text === undefined ? [] : [text];
  }

  return {
    async collect(at: ReminderTime): Promise<Reminder[]> {
      const { signal } = at;
      if (mayBeGone && due === undefined && !isStillThere()) {
        instructions.forget();
        found = [];
        due = 'compact';
      }
      mayBeGone = false;
      const isStart = due !== undefined;
      const files = due === undefined ? [] : instructions.initial(due);
      const texts = await loaded([...files, ...found.splice(0)], signal);
      due = undefined;
      if (isStart) await onInstructed();
      const others = await askProducers(producers, at, {
        onFailure({ name, cause }) {
          if (!failed.has(name)) notice(`Nothing is said of ${name}: ${cause}`);
          failed.add(name);
        },
      });
      return [...texts.map(toReminder), ...others, ...hooks.takeContext().map(toReminder)];
    },
    /** A call got to a file: what holds for it comes with the next reminders. */
    touched({ input }: ToolCall): void {
      const { file_path, notebook_path } = recordOf(input);
      const path = textOf(file_path) || textOf(notebook_path);
      if (path !== '') found.push(...instructions.touch(path));
    },
    /** The instructions for behind a summary, which stands in place of all that was said. */
    async again(signal: AbortSignal): Promise<string[]> {
      instructions.forget();
      found = [];
      due = 'compact';
      const texts = await loaded(instructions.initial(due), signal);
      due = undefined;
      return texts;
    },
    /** Something of the conversation became something else: perhaps the instructions did. */
    check(): void {
      mayBeGone = true;
    },
  };
}

const toReminder = (text: string): Reminder => ({ text });
