import { isAbortError } from '@varve/guards';
import { resolveModel } from '@varve/tokens';
import { shown } from '../shown.ts';
import { count } from '../ui/describe.ts';
import type { Command, CommandRun } from './command.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  about: 'what of settings, layers, memory and surroundings is not as it should be',
  async run({ session, face, options }) {
    const { settings, layers } = session;
    const model = session.agent.context.view().head?.model ?? options.model;
    const isKnown = resolveModel(model).model.prices.length > 0;
    const set = Object.entries(layers.read.from).map(
      ([name, source]) => `${name} ${JSON.stringify(layers.switches[name as never])} (${source})`,
    );
    const faults = [
      ...settings.problems.map(({ path, text, kind }) => `${shown(path)}: ${kind}: ${shown(text)}`),
      ...(settings.untrusted === undefined ? [] : ['The settings of this folder are not trusted.']),
      ...layers.read.problems,
      ...session.agents.found().problems.map(({ path, text }) => `${shown(path)}: ${shown(text)}`),
      ...(isKnown ? [] : [`${model} is in no table: its window and its prices are not known.`]),
      ...(await memoryFaults(session)),
    ];
    face.show(
      [
        `Node ${process.version}, ${process.platform}; ${model}; ${options.configDir}`,
        ...set.map((text) => `  layer ${text}`),
        faults.length === 0 ? 'Nothing is wrong.' : `${count(faults.length, 'fault')}:`,
        ...faults.map((text) => `  ${text}`),
      ].join('\n'),
      'plain',
    );
  },
};

async function memoryFaults({ layers }: CommandRun['session']): Promise<string[]> {
  if (layers.memory === undefined) return [];
  try {
    const { ok } = await layers.memory.memory.check();
    return ok ? [] : [`memory: npx @varve/memdir check ${layers.memory.path} says what is wrong`];
  } catch (error) {
    if (isAbortError(error)) throw error;
    return [`memory cannot be read: ${error instanceof Error ? error.message : error}`];
  }
}

export const permissionsCommand: Command = {
  name: 'permissions',
  about: 'the mode, and the rules of what runs, is asked and never runs',
  async run({ session, face }) {
    const { allow, ask, deny, folders } = session.settings.settings;
    const rules = (name: string, list: readonly { readonly text: string }[]) =>
      list.map(({ text }) => `  ${name.padEnd(6)} ${shown(text)}`);
    face.show(
      [
        `Mode ${session.permissions.mode}`,
        ...[...rules('deny', deny), ...rules('ask', ask), ...rules('allow', allow)],
        ...folders.map((folder) => `  folder ${shown(folder)}`),
      ].join('\n'),
      'plain',
    );
  },
};

export const hooksCommand: Command = {
  name: 'hooks',
  about: 'which programs of the settings take part, and when',
  async run({ session, face }) {
    const lines = session.settings.settings.hooks.map(
      ({ event, matcher, command }) =>
        `  ${event}${matcher === '' ? '' : ` (${shown(matcher)})`}: ${shown(command)}`,
    );
    face.show(lines.length === 0 ? 'There are no hooks.' : lines.join('\n'), 'plain');
  },
};
