import { cutMiddle } from '@varve/messages/text';
import type { Run } from './child-run.ts';
import type { ChildStop, ForkResult } from './types.ts';
import { cachedShare } from './usage.ts';

/** What a run has come to, for the parent. */
export function toResult<State>(run: Run<State>, stopReason: ChildStop): ForkResult<State> {
  const { child, usage, content, turns, tail, denials, modelStop } = run;
  const { maxTextUnits = DEFAULT_TEXT_UNITS } = run.options;
  const text = cutResult(run.text, maxTextUnits);
  return {
    id: child.id,
    text,
    isTextCut: text !== run.text,
    content,
    stopReason,
    ...(modelStop && { modelStop }),
    turns,
    usage,
    cachedShare: cachedShare(usage),
    messages: tail,
    denials,
    state: child.state,
  };
}

const DEFAULT_TEXT_UNITS = 20_000;
const CUT = '\n[… cut …]\n';

/** A conclusion stands at the end as often as at the start. */
function cutResult(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const room = Math.max(0, maxUnits - CUT.length);
  const marker = room > 0 ? CUT : '';
  const headUnits = Math.ceil(room / 2);
  return cutMiddle(text, { headUnits, tailUnits: room - headUnits, marker });
}
