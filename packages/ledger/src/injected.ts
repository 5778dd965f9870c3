/** A text of a user message, taken apart. */
interface Split {
  /** What is left without the agent's parts. */
  readonly own: string;
  /** Parts that the agent put in, tags and all, in order. */
  readonly injected: readonly string[];
}

const OPENING =
  /<(system[-_](?:reminder|notification)|current_datetime|environment_context|local-command-\w{1,20}|command-(?:name|message)|task-notification)>/g;

/** Unclosed kinds of tags; what has more of them is made to cost time. */
const MOST_UNCLOSED = 50;

/** Takes out what the agent put into a message: reminders, notices, output of its own commands. Each character is read once. */
export function splitInjected(text: string): Split {
  const injected: string[] = [];
  const own: string[] = [];
  const unclosed = new Set<string>();
  let from = 0;
  for (const { 0: tag, 1: name = '', index } of text.matchAll(OPENING)) {
    if (index < from || unclosed.has(name) || unclosed.size > MOST_UNCLOSED) continue;
    const closing = `</${name}>`;
    const end = text.indexOf(closing, index + tag.length);
    if (end < 0) {
      unclosed.add(name);
      continue;
    }
    own.push(text.slice(from, index));
    from = end + closing.length;
    injected.push(text.slice(index, from));
  }
  return { own: [...own, text.slice(from)].join(''), injected };
}
