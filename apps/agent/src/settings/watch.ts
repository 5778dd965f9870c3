import type { Hooks } from '../hooks/hooks.ts';
import type { Producer } from '../reminders/producers.ts';
import { shown } from '../shown.ts';
import { type FindSettingsOptions, findSettings, type SettingsLevel } from './settings.ts';

export interface SettingsWatchOptions {
  readonly settings: FindSettingsOptions;
  readonly hooks: () => Hooks;
  readonly notice: (text: string) => void;
}

/** What hooks call the level of a settings file. */
const SOURCES: Readonly<Record<SettingsLevel, string>> = {
  user: 'user_settings',
  project: 'project_settings',
  local: 'local_settings',
  flags: 'flag_settings',
  managed: 'policy_settings',
};

/** Tells the person and hooks of settings that were changed, whenever the person says something. They hold from the next session on. */
export function watchSettings({ settings, hooks, notice }: SettingsWatchOptions) {
  let known = look(settings);
  const producer: Producer = {
    name: 'settings',
    isNeeded: true,
    async collect({ prompt, signal }) {
      if (prompt === undefined) return [];
      const now = look(settings);
      const paths = new Set([...known.keys(), ...now.keys()]);
      const changed = [...paths].filter((path) => known.get(path)?.text !== now.get(path)?.text);
      const before = known;
      known = now;
      for (const path of changed) {
        const source = SOURCES[(now.get(path) ?? before.get(path))?.level ?? 'user'];
        notice(`${shown(path)} was changed: it holds from the next session on.`);
        await hooks().tell('ConfigChange', source, { source, file_path: path }, signal);
      }
      return [];
    },
  };
  return {
    producer,
    /** A change that was our own is none to tell of. */
    refresh(): void {
      known = look(settings);
    },
  };
}

interface Look {
  readonly level: SettingsLevel;
  readonly text: string;
}

function look(options: FindSettingsOptions): ReadonlyMap<string, Look> {
  const { files, problems } = findSettings(options);
  return new Map([
    ...files.map(
      ({ path, level, values }) => [path, { level, text: JSON.stringify(values) }] as const,
    ),
    ...problems.map(({ path, text }) => [path, { level: 'user', text }] as const),
  ]);
}
