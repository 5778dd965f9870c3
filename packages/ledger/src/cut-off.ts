import { withoutNone } from './trouble.ts';

/** Results say how they ended at their beginning or at their end, never in the middle of the output. */
export const EDGE = 400;

/** Both ends of a text, all of a short one. */
export const edgesOf = (text: string): string =>
  text.length > 2 * EDGE ? `${text.slice(0, EDGE)}\n${text.slice(-EDGE)}` : text;

/** Written behind what a stopped command had printed. */
const STOPPED_AT_LAST =
  /(?:Command (?:was )?(?:aborted|interrupted|killed)(?: before completion)?|\^C|(?:timed out|timeout) after [\d.]+ ?\w+|received SIG(?:TERM|KILL|INT))[^\n]{0,80}\s*$/i;

/** A line that says that something was stopped and nothing else: `Killed`, `User cancelled`, `bash: line 1: 731 Killed`. */
const STOPPED_LINE = new RegExp(
  [
    String.raw`^\W{0,8}(?:[\w./ -]{1,60}:\s{0,4}){0,3}(?:\d{1,9}\s{1,8})?`,
    '(?:(?:the )?(?:user|operation|request|command|process|execution|task|tool (?:use|call)|job|run|script|deploy(?:ment)?|apply) (?:was |has been |got )?)?',
    '(?:killed|terminated|aborted|interrupted|cancell?ed|keyboardinterrupt|sig(?:kill|term|int|abrt|hup))',
    String.raw`(?: by [\w ]{1,30})?(?:\s{0,4}\([^)\n]{0,40}\))?(?:\W{0,8}|\s{2,40}\S.{0,200})$`,
  ].join(''),
  'i',
);

/** A connection that was lost, an answer that did not come: what was asked for may have been done on the other side. */
const LOST = new RegExp(
  [
    String.raw`\b(?:ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ESOCKETTIMEDOUT|ERR_STREAM_PREMATURE_CLOSE|UND_ERR_\w+|ERR_NETWORK\w*)\b`,
    String.raw`\b(?:socket hang ?up|fetch failed|network error|broken pipe|unexpected (?:EOF|end of (?:file|stream))|premature(?:ly)? close|other side closed|server disconnected|hung up|no response)\b`,
    String.raw`\b(?:connection|stream|socket|channel|transport|network|session|request|operation)\b[\w ]{0,20}\b(?:reset|closed|lost|aborted|terminated|dropped|broken|interrupted|cancell?ed)\b`,
    String.raw`\b(?:lost|broken|dropped) (?:the )?connection\b`,
    String.raw`\b(?:timed[ -]?out|time-?out(?!["']?\s*[:=]\s*["']?\d)|\w*timeout(?:error|exception)?(?!["']?\s*[:=]\s*["']?\d)|deadline exceeded|context cancell?ed|\w*(?:Abort|Cancelled|Cancellation)(?:Error|Exception))\b`,
    String.raw`\b(?:bad gateway|gateway time-?out|service unavailable|internal server error)\b`,
    String.raw`\b(?:HTTP(?:\/[\d.]{1,4})?|status(?: code)?|error(?: code)?)[:= ]{1,3}(?:408|5\d\d)\b`,
  ].join('|'),
  'i',
);

/** Whether an output ends by saying that what ran was stopped: by a person, a signal or a time limit. */
export function endsStopped(text: string): boolean {
  const end = text.slice(-EDGE);
  if (STOPPED_AT_LAST.test(end)) return true;
  const lines = end.split('\n').filter((line) => /\S/.test(line));
  return lines.slice(-2).some((line) => STOPPED_LINE.test(line));
}

/** Whether the ends of an output tell of a lost connection or of an answer that did not come in time. */
export const tellsLost = (text: string): boolean => LOST.test(withoutNone(edgesOf(text)));

/** Whether an output is one line, and tells of nothing but that. */
export const isLost = (text: string): boolean =>
  text.length <= EDGE && !text.trim().includes('\n') && tellsLost(text);

/** UTF-16 units: a longer output names such things in passing. */
const SHORT = 1_000;
const DOUBTFUL =
  /(?<![\w/.-])(?:ERR!|errors?|fail(?:ed|ures?|s|ing)?|abort(?:ed|ing)?|kill(?:ed)?|terminated|cancell?ed|interrupted|denied|forbidden|unauthorized|refused|rejected|connection|unable|cannot|could not|panic|not found)(?![\w-]|\.\w)/i;

/** Whether something of an error, a stop or a connection stands in a short output: what ran may not have done what it was to do. */
export const isDoubtful = (text: string): boolean =>
  text.length <= SHORT &&
  (DOUBTFUL.test(withoutNone(text)) || endsStopped(text) || tellsLost(text));
