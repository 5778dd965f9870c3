/** A settings file of which nothing can be read, so that it is not known what it forbids. */
export class SettingsError extends Error {
  override get name(): string {
    return 'SettingsError';
  }
}
