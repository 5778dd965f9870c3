import type { TextBlock } from '@varve/messages';
import type { PromptFacts } from './facts.ts';
import { STATIC } from './texts.ts';

export interface PromptOptions {
  readonly facts: PromptFacts;
  readonly model: string;
  /** In place of the part that is the same for everybody. */
  readonly ownPrompt?: string | undefined;
  /** Behind everything but the state of the repository. */
  readonly appended?: string | undefined;
}

/** The system prompt: first what is the same for everybody, then what is of this session, last the state of the repository. */
export function systemPrompt({ facts, model, ownPrompt, appended }: PromptOptions): TextBlock[] {
  const { git, style = '' } = facts;
  const environment = environmentText(facts, model);
  const state = git === '' ? '' : `State of the git repository when the session began:\n${git}`;
  const tone = style === '' ? '' : `# Output style\n${style}`;
  return [ownPrompt ?? STATIC, environment, tone, appended ?? '', state]
    .filter((text) => text.trim() !== '')
    .map((text) => ({ type: 'text', text }));
}

export const environmentText = (
  { cwd, platform, shell, date }: Omit<PromptFacts, 'git' | 'style'>,
  model: string,
): string => `# Environment
Folder: ${cwd}
System: ${platform}, shell ${shell}
Date: ${date}
Model: ${model}`;
