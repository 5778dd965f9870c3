export interface CodexOptions {
  /** @default 12 */
  readonly turns?: number;
  /** Goes into what is said. @default the id */
  readonly about?: string;
  /** Turns that are a copy of another session's, written at once when the fork began. @default none */
  readonly copied?: { readonly turns: number; readonly of: string };
  /** Fields of the first record. */
  readonly meta?: object;
}

/** A session as Codex writes it, one record a line: turns of a minute each, with a call and a bill. */
export function codexLines(id: string, options: CodexOptions = {}): string[] {
  const { turns = 12, about = id, copied, meta = {} } = options;
  const startMs = Date.UTC(2026, 5, copied === undefined ? 1 : 2, 9);
  const line = (seconds: number, type: string, payload: object): string =>
    JSON.stringify({
      timestamp: new Date(startMs + seconds * 1000).toISOString(),
      type,
      payload,
    });
  const message = (role: string, type: string, text: string) => ({
    ...{ type: 'message', role },
    content: [{ type, text }],
  });
  const turn = (place: number): string[] => {
    const isCopy = place < (copied?.turns ?? 0);
    const said = isCopy ? (copied?.of ?? '') : about;
    const at = isCopy ? 0 : (place - (copied?.turns ?? 0) + 1) * 60;
    const input_tokens = 9_000 + place * 1_000;
    const cached_input_tokens = place === 0 || place === 5 ? 2_048 : input_tokens - 1_000;
    const last = { input_tokens, cached_input_tokens, output_tokens: 20 };
    const total = { input_tokens: input_tokens * (place + 1), output_tokens: 20 * (place + 1) };
    const info = { total_token_usage: total, last_token_usage: last };
    const after = isCopy ? 0 : at + 5;
    return [
      line(at, 'turn_context', { model: 'gpt-5.5', turn_id: `${said}-${place}` }),
      line(
        at,
        'response_item',
        message('user', 'input_text', `${said} asks ${place}. `.repeat(300)),
      ),
      line(after, 'response_item', message('assistant', 'output_text', `${said} says ${place}.`)),
      line(after, 'event_msg', { type: 'token_count', info }),
    ];
  };
  const first = line(0, 'session_meta', { id, cli_version: '0.140.0', ...meta });
  return [first, ...Array.from({ length: turns }, (_, place) => turn(place)).flat()];
}
