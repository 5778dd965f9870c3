/**
 * Whether the text of a result, or of the words that close a call without one, says that a person ended the call: `refused`
 * before it ran, `stopped` once it was under way or was waited for. Undefined where it ended by itself, whatever became of
 * it. Of a text longer than 2,000 characters only sentences that no output begins with are read: a long one holds
 * something else that begins with such words.
 */
export function callStop(text: string): 'refused' | 'stopped' | undefined {
  if (DECLINED.test(text)) return 'refused';
  if (text.length > MAX_TEXT) return undefined;
  const closed = CLOSED.exec(text)?.[1];
  if (closed !== undefined) {
    if (REFUSED_REASON.test(closed)) return 'refused';
    return STOPPED_REASON.test(closed) || KEYS.test(closed) ? 'stopped' : undefined;
  }
  if (REFUSED.test(text)) return 'refused';
  return STOPPED.test(text) || KEYBOARD.test(text) ? 'stopped' : undefined;
}

/** Characters. */
const MAX_TEXT = 2_000;

/** Ours (`closeRound`), with the reason in brackets. */
const CLOSED = /^\s*Outcome unknown \(([^)\n]{0,200})\)/;
const REFUSED_REASON =
  /^(?:(?:the )?(?:user|person|human)[-_ ](?:has |was )?)?(?:rejected|reject|declined?|denied|deny|refused?)\b/i;
// a session that was only cut off is closed as `interrupted`
const STOPPED_REASON =
  /^(?:(?:the )?(?:user|person|human)[-_ ](?:has |was )?)?(?:abort(?:ed)?|cancel(?:l?ed)?|stop(?:ped)?)\b|^(?:the )?(?:user|person|human)[-_ ](?:has |was )?interrupt(?:ed)?\b/i;
/** The keys that a person stops an agent with. */
const KEYS = /\b(?:esc|escape|sigint|keyboard ?interrupt)\b|\bctrl[-+ ]?c\b|\^c/i;

/** Behind these stands what the person said instead, however long. */
const DECLINED =
  /^\s*(?:<\w+>\s*)?(?:Error: )?\[?(?:The user (?:doesn['’]t|does not|did not) want to (?:proceed|take)|Tool (?:use|call|execution) (?:was |has been )?(?:denied|rejected|declined))\b/i;

// Claude Code, Codex, Gemini CLI, OpenCode, Cline
const REFUSED =
  /^\s*(?:<\w+>\s*)?(?:Error: )?\[?(?:(?:The )?user (?:denied|rejected|declined|refused)\b|(?:denied|rejected|declined|refused) by (?:the )?user\b|Command (?:was |has been )?(?:denied|rejected|declined)\b)/i;
const STOPPED =
  /^\s*(?:<\w+>\s*)?(?:Error: )?\[?(?:(?:The )?user (?:cancell?ed|aborted|interrupted|stopped)\b|(?:aborted|cancell?ed|interrupted|stopped|killed) by (?:the )?user\b|(?:Operation|Request|Tool (?:use|call|execution)|Command|Execution) (?:was |has been )?(?:cancell?ed|interrupted|aborted)\b)/i;
/** Python says so alone, or at the end of what was under way. */
const KEYBOARD = /(?:^|\n)KeyboardInterrupt\s*$/;
