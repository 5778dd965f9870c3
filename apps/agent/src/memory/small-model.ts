import { resolveModel } from '@varve/tokens';

/** What a provider has for small work, by its name in the model table. */
const SMALL: Readonly<Record<string, string>> = {
  anthropic: 'claude-haiku-5-5',
  openai: 'gpt-6-luna',
};

/** The small model of the provider of a model; itself where none is known. */
export const smallModelOf = (model: string): string =>
  SMALL[resolveModel(model).model.provider] ?? model;
