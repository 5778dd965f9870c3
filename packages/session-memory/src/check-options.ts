import { checkOptions, type Expectation, integer, number } from '@varve/guards';

const SIZE = number({ min: 0 });

const sizes = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, SIZE])) as Readonly<Record<Name, Expectation>>;

/** What the numbers of each group of options have to be. */
export const LIMITS = sizes('sectionTokens', 'totalTokens');
export const TAIL = sizes('minTokens', 'minTextMessages', 'maxTokens');
export const THRESHOLDS = sizes('firstTokens', 'growthTokens', 'toolCalls');
export const SAVINGS = { minSavings: number({ min: 0, max: 1 }) };
export const TURNS = integer(1);

/** Refuses a group of options inside of others that would take notes always, never, or without end. */
export function checkGroup<Group extends object>(
  group: Group | undefined,
  path: string,
  expectations: { readonly [Name in keyof Group]?: Expectation },
): void {
  if (group !== undefined) checkOptions(group, expectations, path);
}

export const isTokens = (value: unknown): value is number => SIZE.fits(value);
