import { expected } from '@varve/guards';

/** Holds what a public function is given to be a text. @throws TypeError that names it */
export function checkText(name: string, value: unknown): void {
  if (typeof value !== 'string') throw expected(name, 'a text', value);
}

/** @throws TypeError that names it */
export function checkTexts(name: string, value: unknown): void {
  const isFit = Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (!isFit) throw expected(name, 'a list of texts', value);
}
