import type { ModelInfo } from './model-info.ts';
import { providerSpelling } from './model-spelling.ts';
import { ANTHROPIC_MODELS } from './model-table-anthropic.ts';
import { OPENAI_MODELS } from './model-table-openai.ts';
import { OTHER_MODELS } from './model-table-other.ts';

/** Every model the table knows: small, dated and compared by hand with its sources. */
export const MODELS: readonly ModelInfo[] = [
  ...ANTHROPIC_MODELS,
  ...OPENAI_MODELS,
  ...OTHER_MODELS,
];

const BY_ID: ReadonlyMap<string, ModelInfo> = new Map(
  MODELS.flatMap((model) => [model.id, ...model.aliases].map((id) => [id, model] as const)),
);

/**
 * The entry of a model, by its exact id or a listed alias, also as Bedrock, Vertex and gateways write it. Never by prefix or
 * likeness: a model that merely sounds like another has other prices. Where a cloud asks for more in a region, that is not in them.
 */
export function findModel(id: string): ModelInfo | undefined {
  const known = BY_ID.get(id);
  if (known !== undefined) return known;
  const { id: own, vendor } = providerSpelling(id);
  const found = BY_ID.get(own);
  return vendor === undefined || found?.provider === vendor ? found : undefined;
}
