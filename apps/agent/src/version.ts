import { createRequire } from 'node:module';

/** The version of this package. */
export const { version } = createRequire(import.meta.url)('@varve/agent/package.json') as {
  readonly version: string;
};
