/** What the emulator does with a field of a request. */
export interface FieldRule {
  /** `ignored` fields are accepted and change nothing; `refused` ones exist at the provider, but not here. */
  readonly use: 'supported' | 'ignored' | 'refused';
  /** Beta headers of which one has to be sent with the field. */
  readonly betas?: readonly string[];
  readonly required?: boolean;
  /** The version from which the provider refuses the field. */
  readonly goneFrom?: string;
}

export const VERSIONS = ['2023-06-01', '2026-10-21'] as const;
export const NEW_VERSION = '2026-10-21';

export const BETA = {
  contextManagement: 'context-management-2025-06-27',
  thresholdCompaction: 'compact-2026-01-12',
  onDemandCompaction: 'compact-2026-09-04',
  bindingControls: 'thinking-binding-controls-2026-08-01',
} as const;

const SAMPLING: FieldRule = { use: 'ignored', goneFrom: NEW_VERSION };

/** Every field of POST /v1/messages; one that is not here is refused as unknown. */
export const MESSAGE_FIELDS: Readonly<Record<string, FieldRule>> = {
  model: { use: 'supported', required: true },
  max_tokens: { use: 'supported', required: true },
  messages: { use: 'supported', required: true },
  system: { use: 'supported' },
  tools: { use: 'supported' },
  tool_choice: { use: 'supported' },
  thinking: { use: 'supported' },
  stream: { use: 'supported' },
  stop_sequences: { use: 'supported' },
  cache_control: { use: 'supported' },
  diagnostics: { use: 'supported' },
  output_config: { use: 'supported' },
  speed: { use: 'supported' },
  context_management: {
    use: 'supported',
    betas: [BETA.contextManagement, BETA.thresholdCompaction],
  },
  compaction: { use: 'supported', betas: [BETA.onDemandCompaction] },
  thread: { use: 'refused' },
  temperature: SAMPLING,
  top_p: SAMPLING,
  top_k: SAMPLING,
  metadata: { use: 'ignored' },
  service_tier: { use: 'ignored' },
  inference_geo: { use: 'ignored' },
  user_profile_id: { use: 'ignored' },
  workspace_id: { use: 'ignored' },
  billing_policy: { use: 'ignored' },
  container: { use: 'refused' },
  mcp_servers: { use: 'refused' },
  fallbacks: { use: 'refused' },
  fallback_credit_token: { use: 'refused' },
  output_format: { use: 'refused' },
};

const COUNT_ONLY = ['max_tokens', 'stream', 'stop_sequences', 'diagnostics', 'metadata'];

/** The fields of POST /v1/messages/count_tokens: the same without those that concern the reply. */
export const COUNT_FIELDS: Readonly<Record<string, FieldRule>> = Object.fromEntries(
  Object.entries(MESSAGE_FIELDS).map(([name, rule]) => [
    name,
    COUNT_ONLY.includes(name) ? { use: 'ignored' as const } : rule,
  ]),
);
