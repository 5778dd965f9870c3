/**
 * The id of a model as its provider writes it, for an id as clouds and gateways do: `us.anthropic.claude-opus-4-6-v1:0` (Bedrock),
 * `claude-opus-4-5@20251101` (Vertex), `openai/gpt-5.5` (gateways). The rules are those of their lists of models; what is left has
 * to be an exact id.
 */
export function providerSpelling(id: string): { readonly id: string; readonly vendor?: string } {
  const bare = id
    .replace(/\[1m\]$/i, '')
    .replace(/^arn:aws[\w-]*:bedrock:[^/]*\/(?=[^/]+$)/, '')
    .replace(HOSTS, '');
  const bedrock = BEDROCK.exec(bare);
  if (bedrock?.[1]) return { id: bedrock[1], vendor: 'anthropic' };
  const [, vendor, name = bare] = VENDOR.exec(bare) ?? [];
  const own = name.replace(/@(?:\d{8}|default|latest)$/, '');
  return vendor === undefined ? { id: own } : { id: own, vendor: VENDORS[vendor] ?? vendor };
}

const HOSTS =
  /^(?:(?:openrouter|bedrock|vertex_ai|vertex|azure|azure_ai|github_copilot|vercel|litellm_proxy|opencode|kilocode)\/)?(?:(?:converse|invoke|eu|us|global)\/)?(?:publishers\/)?/;

const BEDROCK =
  /^(?:(?:us|us-gov|eu|apac|au|jp|ca|global)\.)?anthropic\.(claude-[\w.-]+?)(?:-v\d+(?::\d+)?)?$/;

const VENDOR = /^(anthropic|openai|google|gemini|deepseek|models)\/(?:models\/)?(.+)$/;

const VENDORS: Readonly<Record<string, string>> = { gemini: 'google', models: 'google' };
