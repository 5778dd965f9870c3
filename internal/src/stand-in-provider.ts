import { startEmulator } from '@varve/emulator';

/** Stands for the provider, so that an example that is imported behind this runs without a key. */
process.env.ANTHROPIC_BASE_URL = (await startEmulator()).url;
process.env.ANTHROPIC_API_KEY = 'any';
