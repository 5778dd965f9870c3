import { VarveError } from '@varve/guards';

/** A settings file of which nothing can be read, so that it is not known what it forbids. */
export class SettingsError extends VarveError<'unreadable-settings'> {
  override get name() {
    return 'SettingsError' as const;
  }

  static override is(value: unknown): value is SettingsError {
    return VarveError.is(value, 'SettingsError');
  }
}
