import type { Head } from '@varve/messages';
import type { ImportedSession } from '@varve/transcript/import';
import type { ProviderRules } from './provider-rules.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { createThinkingSwitch } from './thinking-switch.ts';

/** A stand-in for the head that the file lacks; what loses the cached messages changes one of its parameters. */
export function createStandInHead(
  requests: readonly RecordedRequest[],
  options: { readonly format: ImportedSession['format']; readonly rules: ProviderRules },
) {
  const thinking = createThinkingSwitch(requests, options);
  let resumes = 0;
  let head: Head | undefined;
  return {
    next(request: RecordedRequest): Head {
      if (request.since.signals.some(({ kind }) => kind === 'resume')) resumes += 1;
      const params = { thinking: thinking.next(request), tool_choice: resumes };
      const isSame =
        head?.model === request.model &&
        head.params.thinking === params.thinking &&
        head.params.tool_choice === params.tool_choice;
      if (isSame && head) return head;
      const system = [
        { type: 'text', text: 'The transcript does not hold the system prompt.' } as const,
      ];
      head = { id: 'stand-in', model: request.model, system, tools: [], params };
      return head;
    },
  };
}
