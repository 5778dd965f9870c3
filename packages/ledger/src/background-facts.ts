import { type Input, shellCommand, stringIn } from '@varve/messages/tools';
import type { DoneCall, Extractor } from './extractor.ts';
import type { Fact, Place } from './fact.ts';
import { oneLine } from './names.ts';
import { createSlots } from './slots.ts';

const MAX_TITLE = 160;

/** Where a result names the task it started. */
const STARTED: readonly RegExp[] = [
  /running in (?:the )?background with (?:ID|id):?\s*([\w.-]+)/,
  /Process running with session ID (\w+)/,
  /agentId:\s*([\w-]+)/,
  /Monitor started \(task (\w+)/,
  /with shellId:? (\w+) is still running/,
  /\b(?:task|job)[_ ]?id["']?\s*[:=]\s*["']?([\w.-]+)/i,
];
const ENDED =
  /<status>\s*(completed|failed|killed|stopped)|exited with code|has completed|was already stopped|Successfully killed|\bstopped>/i;
const IDS = ['task_id', 'taskId', 'bash_id', 'shell_id', 'shellId', 'session_id', 'agent_id', 'id'];

/** Tasks in the background: what runs, and how the finished ones ended. Results and notices that arrive later are matched by id. */
export function createBackgroundFacts(): Extractor {
  const slots = createSlots('background-task');
  const titles = new Map<string, string>();
  const end = (id: string | undefined, how: string, place: Place): void => {
    const title = id === undefined ? undefined : titles.get(id);
    if (id !== undefined && title !== undefined) slots.set(id, `${how}: ${title}`, place);
  };
  return {
    done(done, place) {
      const { call, text } = done;
      const about = text.slice(0, 2_000);
      if (call.kind === 'stop') end(stringOrNumber(call.input), 'stopped', place);
      else if (call.kind === 'shell-output') {
        if (ENDED.test(about)) end(stringOrNumber(call.input), 'finished', place);
      } else {
        const id = startedId(done, about);
        if (id === undefined) return;
        titles.set(id, titleOf(done));
        slots.set(id, `running: ${titleOf(done)}`, place);
      }
    },
    reminded(text, place) {
      if (!ENDED.test(text)) return;
      for (const [, tagged, shell, task] of text.matchAll(NOTICE)) {
        end(tagged ?? shell ?? task, 'finished', place);
      }
    },
    facts: () => slots.facts().map(settled),
    superseded: slots.superseded,
  };
}

/** What has ended needs nobody's care. */
const settled = (fact: Fact): Fact =>
  fact.value.startsWith('running') ? fact : { ...fact, vital: false, weight: 2 };

const NOTICE =
  /<task-id>([\w.-]+)<\/task-id>|(?<=shellId: )(\w+)|\btask ([\w.-]+) (?:has )?(?:completed|finished)/g;

function startedId({ call, outcome }: DoneCall, text: string): string | undefined {
  const starts = call.kind === 'shell' || call.kind === 'agent' || call.kind === 'monitor';
  if (!starts || (outcome.status !== 'running' && !wantsBackground(call.input))) return undefined;
  for (const shape of STARTED) {
    const id = shape.exec(text)?.[1];
    if (id !== undefined) return id;
  }
  return undefined;
}

function wantsBackground(input: Input): boolean {
  return (
    input.run_in_background === true ||
    input.background === true ||
    input.async === true ||
    input.mode === 'async'
  );
}

function titleOf({ call }: DoneCall): string {
  const title =
    call.kind === 'shell'
      ? shellCommand(call.command).key
      : stringIn(call.input, ['description', 'title', 'name', 'command', 'prompt']);
  return oneLine(title ?? call.name, MAX_TITLE);
}

function stringOrNumber(input: Input): string | undefined {
  for (const field of IDS) {
    const value = input[field];
    if (typeof value === 'string' || typeof value === 'number') return String(value);
  }
  return undefined;
}
