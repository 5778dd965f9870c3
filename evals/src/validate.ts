import { EvalsError } from './error.ts';

/** Runs `validate` with its own arguments and returns the exit code. */
export async function validate(_args: readonly string[]): Promise<number> {
  throw new EvalsError('bad-arguments', 'This version has no validate command.');
}
