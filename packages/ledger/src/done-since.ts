import { mayChange } from '@varve/messages/tools';
import { errorSignature } from './error-signature.ts';
import type { DoneCall } from './extractor.ts';
import { isMiss } from './miss.ts';
import { nameOfFile, oneLine, subjectOf } from './names.ts';
import { seenOutcomeOf } from './test-facts.ts';

/** Calls in their order, to be told in a line once it is asked what was done since a message. */
export interface DoneSince {
  /** Keeps a place in a list: nothing is read. */
  note(done: DoneCall, position: number): void;
  /** What was done behind a message, the newest last; undefined where nothing was. */
  since(position: number): string | undefined;
  /** How a step that was announced at a message stands by the calls behind it; undefined where none of them is of it. */
  stateOf(step: string, position: number): StepState | undefined;
}

/** Only begun, where more than one thing was announced; tried, where the newest call of it failed. */
export type StepState = 'done' | 'begun' | 'tried';

interface Noted {
  readonly done: DoneCall;
  readonly position: number;
}

/** Calls that are remembered; of the oldest of more nobody needs the order. */
const MOST_CALLS = 200;
/** Different things that are told of. */
const MOST_TOLD = 10;
const MAX_COMMAND = 90;
const MAX_REASON = 120;

export function createDoneSince(): DoneSince {
  let noted: Noted[] = [];
  const behind = (position: number): readonly Noted[] =>
    noted.slice(noted.findLastIndex((each) => each.position <= position) + 1);
  return {
    note(done, position) {
      noted.push({ done, position });
      if (noted.length >= 2 * MOST_CALLS) noted = noted.slice(-MOST_CALLS);
    },
    since(position) {
      const told = inWords(behind(position));
      if (told.length === 0) return undefined;
      const shown = told.slice(-MOST_TOLD);
      const more = told.length - shown.length;
      return [...(more > 0 ? [`${more} more before`] : []), ...shown].join('; ');
    },
    stateOf(step, position) {
      const last = behind(position).findLast(({ done }) => isOf(step, done))?.done;
      if (last === undefined) return undefined;
      const { status } = seenOutcomeOf(last);
      if (status === 'passed') return FURTHER.test(step) ? 'begun' : 'done';
      return status === 'running' || status === 'unknown' ? 'begun' : 'tried';
    },
  };
}

/** What is done again is told once, at its last time; looks one behind the other are one. */
function inWords(noted: readonly Noted[]): readonly string[] {
  const told = new Map<string, { readonly words: string; readonly times: number }>();
  let looks: string[] = [];
  const endLooks = (): void => {
    const names = [...new Set(looks)].filter((name) => name !== '');
    const more = names.length > MOST_LOOKS ? ` and ${names.length - MOST_LOOKS} more` : '';
    if (names.length > 0)
      told.set(`look ${told.size}`, {
        words: `looked at ${names.slice(-MOST_LOOKS).join(', ')}${more}`,
        times: 1,
      });
    looks = [];
  };
  for (const { done } of noted) {
    if (isKeeping(done)) continue;
    if (isLook(done)) {
      looks.push(labelOf(done));
      continue;
    }
    endLooks();
    const label = labelOf(done);
    const times = (told.get(label)?.times ?? 0) + 1;
    told.delete(label);
    told.set(label, { words: `${label}${endOf(done)}`, times });
  }
  endLooks();
  return [...told.values()].map(({ words, times }) =>
    times > 1 ? `${words} (${times} times)` : words,
  );
}

const MOST_LOOKS = 3;

/** The lists of the agent itself stand elsewhere. */
const isKeeping = ({ call: { kind } }: DoneCall): boolean =>
  kind === 'todo' || kind === 'task-create' || kind === 'task-update' || kind === 'skill';

const isLook = ({ call, outcome }: DoneCall): boolean =>
  !mayChange(call) && call.kind !== 'ask' && call.kind !== 'plan' && outcome.status === 'passed';

const isChange = ({ call: { kind } }: DoneCall): boolean =>
  kind === 'edit' || kind === 'write' || kind === 'patch';

function labelOf({ call }: DoneCall): string {
  if (call.kind === 'edit' || call.kind === 'write')
    return `${call.kind === 'edit' ? 'edited' : 'wrote'} ${nameOfFile(call.path ?? '') || call.name}`;
  if (call.kind === 'patch')
    return `edited ${call.files
      .slice(0, MOST_LOOKS)
      .map(({ path }) => nameOfFile(path))
      .join(', ')}`;
  if (call.kind === 'read') return call.paths.map(nameOfFile).join(', ');
  const subject = oneLine(subjectOf(call), MAX_COMMAND);
  return call.kind === 'shell' ? `\`${subject.replaceAll('`', "'")}\`` : subject;
}

/** How a call ended, in quotes what its output says of it. */
function endOf(done: DoneCall): string {
  const { status } = seenOutcomeOf(done);
  if (status === 'passed') return isChange(done) ? '' : ': ok';
  if (status === 'refused') return ': refused, not run';
  if (status === 'unknown') return ': not known whether it ran';
  if (status !== 'failed') return `: ${status}`;
  if (isMiss(done)) return ': found nothing';
  if (!mayChange(done.call)) return ': failed';
  return `: failed, "${oneLine(errorSignature(done.text), MAX_REASON).replaceAll('"', "'")}"`;
}

/** What is announced first in a sentence, by the kind of call that does it. */
const CHANGES =
  /\b(?:add|apply|change|clean up|convert|copy|correct|creat|delet|drop|edit|extend|extract|fix|implement|insert|integrat|make|mend|migrat|modif|move|patch|put|refactor|remov|renam|replac|revert|rewrit|simplif|split|updat|wir|writ)\w*/i;
const RUNS =
  /\b(?:build|check out|commit|compil|deploy|execut|fetch|format|install|lint|merg|publish|pull|push|rebas|rebuild|re-?run|re-?start|run|spawn|start|test|try|verif)\w*/i;
const LOOKS =
  /\b(?:analy[sz]|check|compar|examin|explor|find|grep|inspect|investigat|list|look|open|read|review|search|see|trac|understand|view)\w*/i;
/** More than one thing is announced. */
const FURTHER =
  /\b(?:then|afterwards|after that|and (?:also )?(?!the\b|a\b|an\b)\p{Ll}+ (?:it|them|the|a|an|all)\b)/iu;

function isOf(step: string, done: DoneCall): boolean {
  const [first] = [CHANGES, RUNS, LOOKS]
    .flatMap((shape) => shape.exec(step) ?? [])
    .toSorted((one, other) => step.indexOf(one) - step.indexOf(other));
  if (first === undefined) return false;
  const { call } = done;
  // a command by the same name: `bd create` creates
  if (call.kind === 'shell' && isNamed(first, call.command)) return true;
  if (CHANGES.test(first)) return isChange(done) || isWritingShell(done);
  if (RUNS.test(first)) return call.kind === 'shell' && !isLook(done);
  return isLook(done);
}

const isNamed = (verb: string, command: string): boolean =>
  new RegExp(`\\b${verb.slice(0, 5)}`, 'i').test(command.slice(0, MOST_READ));

/** UTF-16 units of a command. */
const MOST_READ = 400;

/** Agents without a tool for edits change files by commands. */
const isWritingShell = ({ call }: DoneCall): boolean =>
  call.kind === 'shell' &&
  /\b(?:sed -i|tee|patch|apply|mv|cp|rm)\b|(?<![\d&])>(?!&)/.test(call.command.slice(0, MOST_READ));
