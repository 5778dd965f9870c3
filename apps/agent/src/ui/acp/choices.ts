import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import { MODELS, resolveModel } from '@varve/tokens';
import { EFFORTS, effortOf, takesEffort } from '../../model.ts';
import type { Options } from '../../options.ts';
import { PERMISSION_MODES, type PermissionMode } from '../../permissions/permissions.ts';
import type { Session } from '../../session.ts';

/** What a person may choose in the editor; modes stand in both, as some editors know only one of them. */
export interface Choices {
  readonly modes: SessionModeState;
  readonly configOptions: SessionConfigOption[];
}

const MODES: Readonly<Record<PermissionMode, readonly [name: string, description: string]>> = {
  default: ['Ask', 'Reads by itself, and asks before it changes or runs something'],
  acceptEdits: ['Accept edits', 'Changes files of the folder without asking'],
  plan: ['Plan', 'Only reads, and says what it would do'],
  dontAsk: ['Do not ask', 'Refuses what it would have to ask for'],
  bypassPermissions: ['Bypass permissions', 'Runs everything that no rule forbids'],
};

/** The model decides by itself. */
const BY_ITSELF = 'default';

export function choicesOf({ agent, permissions }: Session, options: Options): Choices {
  const { model = options.model, params = {} } = agent.context.view().head ?? {};
  const effort = {
    ...{ id: 'effort', name: 'Thinking', category: 'thought_level' },
    description: 'How much the model thinks',
    currentValue: effortOf(params) ?? BY_ITSELF,
    options: [BY_ITSELF, ...EFFORTS].map((value) => ({ value, name: capital(value) })),
  };
  const configOptions = [
    {
      ...{ id: 'mode', name: 'Mode', category: 'mode', currentValue: permissions.mode },
      description: 'What may run without asking',
      options: PERMISSION_MODES.map((value) => {
        const [name, description] = MODES[value];
        return { value, name, description };
      }),
    },
    {
      ...{ id: 'model', name: 'Model', category: 'model', currentValue: model },
      description: 'What is cached stays with the old one',
      options: modelsFor(model, options).map((value) => ({ value, name: value })),
    },
    ...(takesEffort(model) ? [effort] : []),
  ];
  return {
    modes: {
      currentModeId: permissions.mode,
      availableModes: PERMISSION_MODES.map((id) => {
        const [name, description] = MODES[id];
        return { id, name, description };
      }),
    },
    configOptions: configOptions.map((option) => ({ type: 'select', ...option })),
  };
}

/** Takes what was chosen. False for what there is not. */
export async function choose(
  session: Session,
  options: Options,
  { id, value }: { readonly id: string; readonly value: unknown },
): Promise<boolean> {
  const option = choicesOf(session, options).configOptions.find((each) => each.id === id);
  if (
    option?.type !== 'select' ||
    !option.options.some((each) => 'value' in each && each.value === value)
  )
    return false;
  if (id === 'mode') session.permissions.setMode(value as PermissionMode);
  if (id === 'model' && value !== option.currentValue) await session.setModel(String(value));
  if (id === 'effort') await session.setEffort(EFFORTS.find((each) => each === value));
  return true;
}

/** The one that is used, and those that the keys are for. */
function modelsFor(model: string, { anthropicKey, openaiKey }: Options): string[] {
  const { provider } = resolveModel(model).model;
  const usable = new Set<string>([provider]);
  if (anthropicKey !== undefined) usable.add('anthropic');
  if (openaiKey !== undefined) usable.add('openai');
  const known = MODELS.filter((each) => each.provider !== 'other' && usable.has(each.provider));
  return [...new Set([model, ...known.map(({ id }) => id)])];
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
