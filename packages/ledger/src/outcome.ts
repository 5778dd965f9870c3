import { callStop } from '@varve/messages/persons';
import { EDGE, edgesOf, endsStopped, isLost, tellsLost } from './cut-off.ts';
import { testCounts } from './test-counts.ts';
import { withoutNone } from './trouble.ts';

/** How a call ended. */
export interface Outcome {
  /**
   * `refused`: it did not run; `stopped`: it ran and was stopped, so that a part of it may have happened; `unknown`: it is not
   * known whether it ran; `running`: it goes on in the background.
   */
  readonly status: 'passed' | 'failed' | 'refused' | 'stopped' | 'unknown' | 'running';
  /** Where the result names one. */
  readonly exitCode?: number;
}

const EXIT =
  /(?:exit(?:ed)?(?: with)?(?: (?:exit )?(?:code|status))?|exit_code["']?|return ?code|PROCESS-DONE)[\s:=]+(-?\d{1,3})\b/gi;
/** How a call is closed that left no result; in brackets stands why. */
const UNKNOWN =
  /^\s*(?:Outcome unknown(?: \(([^)\n]{0,80})\))?|No result of this call was recorded)/i;
/** Why a call is closed that was never begun. */
const NEVER_BEGUN =
  /^(?:not[- ](?:run|started|begun|sent)|never[- ]|denied|refused|rejected|declined|blocked|skipped)/i;
/** A rule said no, not a person. */
const FORBIDDEN = /^\s*Permission (?:to|for)\b.{0,80}\bdenied/i;
/** Whoever stopped it; what a person says or does is `callStop`'s. */
const STOPPED =
  /^\s*(?:<\w+>\s*)?(?:\[?(?:(?:Operation|Request|Tool (?:use|call)|Command|Execution) (?:was |has been )?(?:terminated|killed|stopped)|(?:Process|Task) (?:was |has been )?(?:cancell?ed|interrupted|aborted|terminated|killed|stopped))|(?:killed|terminated) by signal)/i;
/** Exit codes of a command that a signal or a time limit ended. */
const SIGNALLED: ReadonlySet<number | undefined> = new Set([124, 130, 137, 143]);
const RUNNING =
  /running in (?:the )?background with|Process running with session ID|agent launched successfully|Monitor started|is still running after|<status>running<\/status>/i;
const TROUBLE =
  /^(?:Traceback \(most recent call last\)|(?:bash|sh|zsh): .*(?:command not found|No such file|Permission denied)|fatal: |error(?:\[\w+\])?: |[A-Z]\w*(?:Error|Exception)\b: )/m;
/** What says so in a short output, where nothing else stands that could be meant. */
const PLAIN_TROUBLE =
  /^[\s│╷|✗✘×❌*-]{0,8}(?:\[?(?:[\w.]{0,40} )?(?:error|fatal|panic)\]?(?: -?\d{1,6}|\[\w+\])?:\s|npm (?:ERR!|error)\s|(?:error:? )?permission denied\b|(?:HTTP\S* |error:? )?4\d\d (?:bad request|unauthorized|forbidden|not found|method not allowed|conflict|gone|unprocessable|too many requests)|access denied\b)|: (?:command )?not found\s*$|: permission denied\s*$/im;

/** Reads how a call ended from its result's flag and text. */
export function outcomeOf(text: string, isError: boolean | undefined): Outcome {
  const head = text.slice(0, EDGE);
  const closed = UNKNOWN.exec(head);
  const byPerson = callStop(text);
  if (closed) {
    const isRefused = byPerson === 'refused' || NEVER_BEGUN.test(closed[1] ?? '');
    return { status: isRefused ? 'refused' : 'unknown' };
  }
  if (byPerson !== undefined) return { status: byPerson };
  if (FORBIDDEN.test(head)) return { status: 'refused' };
  if (STOPPED.test(head)) return { status: 'stopped' };
  const exitCode = exitCodeOf(text);
  if (exitCode !== undefined) {
    return { status: exitCode === 0 && isError !== true ? 'passed' : 'failed', exitCode };
  }
  if (isError === true) return { status: 'failed' };
  if (RUNNING.test(edgesOf(text))) return { status: 'running' };
  return { status: isError === undefined && showsTrouble(text) ? 'failed' : 'passed' };
}

/** Without a flag the output has to say it; what a run of tests that passed prints says nothing. */
function showsTrouble(text: string): boolean {
  if (TROUBLE.test(withoutNone(edgesOf(text))) || endsStopped(text)) return true;
  if (text.length > 2 * EDGE || !PLAIN_TROUBLE.test(withoutNone(text))) return false;
  const { passed = 0, failed } = testCounts(text);
  return passed === 0 || failed !== 0;
}

function exitCodeOf(text: string): number | undefined {
  const first = [...text.slice(0, EDGE / 2).matchAll(EXIT)][0]?.[1];
  const last = [...text.slice(-EDGE / 2).matchAll(EXIT)].at(-1)?.[1];
  const found = CLAIM_FIRST.test(text) ? (first ?? last) : (last ?? first);
  return found === undefined ? undefined : Number(found);
}

/** Agents that put the exit code in front of the output. */
const CLAIM_FIRST = /^(?:Chunk ID|Exit code|Wall time|\{"output")/;

/**
 * Whether a call may have done a part of what it was to do, or all of it, though no result says so: it was stopped, by a signal
 * or a time limit too, its connection was lost, or it is not known whether it ran.
 */
export function isUnsure({ status, exitCode }: Outcome, text: string): boolean {
  if (status === 'stopped' || status === 'unknown') return true;
  if (status === 'passed') return isLost(text);
  return status === 'failed' && (wasStopped({ status, exitCode }, text) || tellsLost(text));
}

/** Whether it ran and was stopped. */
export const wasStopped = (
  { status, exitCode }: Pick<Outcome, 'status'> & { readonly exitCode?: number | undefined },
  text: string,
): boolean => status === 'stopped' || SIGNALLED.has(exitCode) || endsStopped(text);

/** Whether a call ran to its end, well or not. */
export const hasEnded = ({ status }: Outcome): boolean =>
  status === 'passed' || status === 'failed';

/** How the outcome of a call that ended, or runs on, is written: `ok, exit 0`, `failed`. */
export function outcomeText({ status, exitCode }: Outcome): string {
  if (status === 'running') return 'running in the background';
  const word = status === 'passed' ? 'ok' : 'failed';
  return exitCode === undefined ? word : `${word}, exit ${exitCode}`;
}
