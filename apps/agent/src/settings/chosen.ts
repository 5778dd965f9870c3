import { MODELS } from '@varve/tokens';
import type { ConnectedModel } from '../model.ts';
import { messageOf, shown } from '../shown.ts';
import type { LoadedSettings } from './load.ts';
import { outputStyle } from './output-style.ts';

interface Asked {
  readonly configDir: string;
  readonly home?: string | undefined;
  readonly model: string;
  readonly isModelGiven?: boolean | undefined;
  readonly connect: (model: string) => ConnectedModel;
}

/** What a session takes of a flag, the environment, or the settings. */
interface Chosen {
  readonly model: string;
  /** The text of the output style; empty where there is none. */
  readonly style: string;
  /** What of the settings is left out, and why. */
  readonly problems: readonly string[];
}

/** What people write in settings for the newest model of a family. */
const FAMILY = /^(opus|sonnet|haiku)(?:plan)?(?:\[1m\])?$/;

/** A model that a flag or the environment names comes before that of the settings, and that before the default. */
export function chosenOf(asked: Asked, { settings, isCompatible }: LoadedSettings): Chosen {
  const problems: string[] = [];
  const { outputStyle: wanted = 'default' } = settings;
  const style = outputStyle(wanted, { ...asked, isCompatible });
  if (style === undefined)
    problems.push(`There is no output style ${shown(wanted)} of yours, so none is used.`);
  return { model: modelOf(), style: style ?? '', problems };

  function modelOf(): string {
    const { model, isModelGiven = true, connect } = asked;
    if (isModelGiven || settings.model === undefined || settings.model === 'default') return model;
    const [, family] = FAMILY.exec(settings.model) ?? [];
    const newest = MODELS.find(({ id }) => family && id.startsWith(`claude-${family}-`));
    const named = newest?.id ?? settings.model;
    try {
      connect(named);
      return named;
    } catch (error) {
      const why = messageOf(error);
      problems.push(`The model of the settings is left out: ${shown(why)}`);
      return model;
    }
  }
}
