import type { ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import { EvalsError } from './error.ts';

type PriceTier = ModelInfo['prices'][number];

/**
 * Entries for `<id>=<known id>` (has the prices and rules of that one), `<id>=input:3,output:15` (other prices in dollars for a
 * million tokens, or another `window` in tokens), or both. Throws `bad-arguments`.
 */
export const modelOverrides = (
  given: readonly string[],
  today = new Date(),
): readonly ModelInfo[] => given.map((text) => modelOverride(text, today));

function modelOverride(text: string, today: Date): ModelInfo {
  const [, id = '', rest = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  const parts = rest.split(',').map((part) => part.trim());
  const fields = new Map<string, number>();
  let known = id.trim();
  for (const [at, part] of parts.entries()) {
    const [, name = '', value = ''] = /^(input|output|read|write|window):(.+)$/.exec(part) ?? [];
    if (name === '' && at === 0 && part !== '') known = part;
    else if (name !== '' && Number(value) > 0) fields.set(name, Number(value));
    else throw badOverride(text);
  }
  if (id.trim() === '' || rest.trim() === '') throw badOverride(text);
  const base = findModel(known);
  if (base === undefined) {
    const why = `There is no model \`${known}\` in the table of @varve/tokens to take rules from`;
    throw new EvalsError('bad-arguments', `${why}. ${FORM}`);
  }
  const isOther = base.id !== id.trim() && !base.aliases.includes(id.trim());
  const windowTokens = fields.get('window') ?? base.windowTokens;
  const priced = ['input', 'output', 'read', 'write'].some((name) => fields.has(name));
  if (!priced) {
    const aliases = isOther ? [...base.aliases, id.trim()] : base.aliases;
    return { ...base, aliases, windowTokens };
  }
  const checkedOn = today.toISOString().slice(0, 10);
  const names = isOther ? { id: id.trim(), aliases: [] } : {};
  return { ...base, ...names, windowTokens, checkedOn, prices: [tierOf(base, fields, text)] };
}

/** One price for prompts of all sizes; what is not given moves with the input. */
function tierOf(
  { prices }: ModelInfo,
  fields: ReadonlyMap<string, number>,
  text: string,
): PriceTier {
  const [first] = prices;
  const input = fields.get('input') ?? first?.input;
  const output = fields.get('output') ?? first?.output;
  if (input === undefined || output === undefined) throw badOverride(text);
  const factor = first === undefined ? 1 : input / first.input;
  const write = fields.get('write') ?? (first?.cacheWrite5m && first.cacheWrite5m * factor);
  const long = first?.cacheWrite1h && first.cacheWrite1h * factor;
  return {
    fromPromptTokens: 0,
    input,
    output,
    cacheRead: fields.get('read') ?? (first === undefined ? input : first.cacheRead * factor),
    ...(write !== undefined && { cacheWrite5m: write }),
    ...(long !== undefined && { cacheWrite1h: long }),
  };
}

const FORM =
  'Write --override <id>=<known id>, such as my-proxy/large=claude-opus-4-8, or with prices in dollars for a million tokens and a window: gpt-5.5=input:5,output:30,read:0.5,write:5,window:400000.';

const badOverride = (text: string): EvalsError =>
  new EvalsError(
    'bad-arguments',
    `Expected --override to say what a model is, got \`${text}\`. ${FORM}`,
  );
