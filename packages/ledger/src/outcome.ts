/** How a call ended. */
export interface Outcome {
  /** `refused`: the person or the agent did not let it run to its end; `running`: it goes on in the background. */
  readonly status: 'passed' | 'failed' | 'refused' | 'running';
  /** Where the result names one. */
  readonly exitCode?: number;
}

/** Results say how they ended at their beginning or at their end, never in the middle of the output. */
const EDGE = 400;

const EXIT =
  /(?:exit(?:ed)?(?: with)?(?: (?:exit )?(?:code|status))?|exit_code["']?|return ?code|PROCESS-DONE)[\s:=]+(-?\d{1,3})\b/gi;
const REFUSED =
  /^\s*(?:The user (?:doesn't|does not|did not) want to (?:proceed|take)|\[?(?:Operation|Request|Tool call) (?:cancelled|canceled|interrupted|aborted)|Command (?:was )?aborted|Outcome unknown|User (?:denied|rejected)|Permission .{0,60}denied|aborted by user)/i;
const RUNNING =
  /running in (?:the )?background with|Process running with session ID|agent launched successfully|Monitor started|is still running after|<status>running<\/status>/i;
const TROUBLE =
  /^(?:Traceback \(most recent call last\)|(?:bash|sh|zsh): .*(?:command not found|No such file|Permission denied)|fatal: |error(?:\[\w+\])?: |[A-Z]\w*(?:Error|Exception)\b: )/m;

/** Reads how a call ended from its result's flag and text. */
export function outcomeOf(text: string, isError: boolean | undefined): Outcome {
  const head = text.slice(0, EDGE);
  if (REFUSED.test(head)) return { status: 'refused' };
  const exitCode = exitCodeOf(text);
  if (exitCode !== undefined) {
    return { status: exitCode === 0 && isError !== true ? 'passed' : 'failed', exitCode };
  }
  if (isError === true) return { status: 'failed' };
  const edges = text.length > 2 * EDGE ? `${head}\n${text.slice(-EDGE)}` : text;
  if (RUNNING.test(edges)) return { status: 'running' };
  return { status: isError === undefined && TROUBLE.test(edges) ? 'failed' : 'passed' };
}

function exitCodeOf(text: string): number | undefined {
  const first = [...text.slice(0, EDGE / 2).matchAll(EXIT)][0]?.[1];
  const last = [...text.slice(-EDGE / 2).matchAll(EXIT)].at(-1)?.[1];
  const found = CLAIM_FIRST.test(text) ? (first ?? last) : (last ?? first);
  return found === undefined ? undefined : Number(found);
}

/** Agents that put the exit code in front of the output. */
const CLAIM_FIRST = /^(?:Chunk ID|Exit code|Wall time|\{"output")/;

/** How an outcome is written: `exit 0`, `failed`. */
export function outcomeText({ status, exitCode }: Outcome): string {
  if (status === 'running') return 'running in the background';
  if (status === 'refused') return 'not run (refused or aborted)';
  const word = status === 'passed' ? 'ok' : 'failed';
  return exitCode === undefined ? word : `${word}, exit ${exitCode}`;
}
