import { SettingsError } from './error.ts';
import {
  type FindSettingsOptions,
  findSettings,
  mergeSettings,
  type Settings,
  type SettingsProblem,
} from './settings.ts';
import { createTrust, type Untrusted, untrustedOf, withoutUntrusted } from './trust.ts';

export interface LoadSettingsOptions extends FindSettingsOptions {
  /** Names of all tools, for rules. */
  readonly tools: readonly string[];
  /** Trusts what the project wants without asking. @default false */
  readonly trusts?: boolean | undefined;
  /** Files of the project that the model reads all the same, for the question. @default none */
  readonly sentOf?: ((project: ProjectPlace) => readonly string[]) | undefined;
  /** Asks a person whether to trust it. @default nobody can be asked */
  readonly askTrust?: ((untrusted: Untrusted) => Promise<boolean>) | undefined;
}

type ProjectPlace = Pick<LoadedSettings, 'root' | 'isCompatible'>;

export interface LoadedSettings {
  readonly settings: Settings;
  readonly problems: readonly SettingsProblem[];
  readonly root: string;
  readonly isCompatible: boolean;
  /** What the project wants and does not get; undefined where it gets all. */
  readonly untrusted?: Untrusted | undefined;
  /** Trusts the project as it is now: after a change that was made for a person. */
  trustNow(): void;
}

/** The settings that hold. Nothing that a project wants to run or allow is among them before it is trusted. Throws `SettingsError`. */
export async function loadSettings(options: LoadSettingsOptions): Promise<LoadedSettings> {
  const { configDir, tools, trusts = false, askTrust } = options;
  const found = findSettings(options);
  const { files, problems, root, isCompatible } = found;
  const broken = problems.find(({ kind }) => kind === 'broken');
  if (broken !== undefined)
    throw new SettingsError('unreadable-settings', `${broken.path}: ${broken.text}.`);
  const trust = createTrust(configDir);
  const wishes = untrustedOf({ ...found, cwd: options.cwd });
  const wanted = wishes && { ...wishes, sent: options.sentOf?.({ root, isCompatible }) };
  let isTrusted = wanted === undefined || trust.isTrusted(root, wanted);
  if (wanted !== undefined && !isTrusted) {
    isTrusted = trusts || ((await askTrust?.(wanted)) ?? false);
    if (isTrusted) trust.trust(root, wanted);
  }
  const merged = mergeSettings(isTrusted ? files : withoutUntrusted(files), tools);
  return {
    settings: merged.settings,
    problems: [...problems, ...merged.problems],
    ...{ root, isCompatible },
    ...(!isTrusted && { untrusted: wanted }),
    trustNow() {
      const now = untrustedOf({ ...findSettings(options), cwd: options.cwd });
      if (now !== undefined) trust.trust(root, now);
    },
  };
}
