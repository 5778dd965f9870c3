import { MODELS, resolveModel } from '@varve/tokens';
import { PERMISSION_MODES } from '../permissions/permissions.ts';
import type { Command } from './command.ts';

export const modelCommand: Command = {
  name: 'model',
  hint: '[id]',
  about: 'go on with another model; what is cached stays with the old one',
  async run({ words, session, face }) {
    const now = session.agent.context.view().head?.model ?? '';
    const { provider } = resolveModel(now).model;
    const known = MODELS.filter((model) => model.provider === provider).map(({ id }) => id);
    const choices = known.map((id) => ({
      ...{ value: id, label: id },
      ...(id === now ? { about: 'now', isNow: true } : {}),
    }));
    const model = words === '' ? await face.choose('Which model?', choices) : words;
    if (model === undefined || model === now) return;
    await session.setModel(model);
    face.show(`The model is ${model} now.`, 'note');
  },
};

export const modeCommand: Command = {
  name: 'mode',
  hint: `[${PERMISSION_MODES.join('|')}]`,
  about: 'what may run without asking; Shift-Tab takes the next one',
  async run({ words, session, face }) {
    const choices = PERMISSION_MODES.map((value) => ({
      ...{ value, label: value, isNow: value === session.permissions.mode },
    }));
    const asked = words === '' ? await face.choose('Which mode?', choices) : words;
    const mode = PERMISSION_MODES.find((each) => each === asked);
    if (mode !== undefined) session.permissions.setMode(mode);
    else if (asked !== undefined)
      face.show(`There is no mode ${asked}: ${PERMISSION_MODES.join(', ')}.`, 'warning');
  },
};
