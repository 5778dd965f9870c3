import type { CallFacts } from './call-facts.ts';

const FILES = /(?:^|\/)(?:agents|claude|gemini|memory|copilot-instructions)(?:\.local)?\.md$/i;
const FOLDERS =
  /(?:^|\/)(?:\.?memor(?:y|ies)|\.agent\/skills|\.claude\/(?:rules|skills)|skills)\//i;

/** Memory, instructions and skills: what a model read there guides it for the rest of the session. */
export function isInstructionFile(path: string): boolean {
  return FILES.test(path) || (FOLDERS.test(path) && path.endsWith('.md'));
}

/** Whether a call reads such a file, with a tool for it or in a shell. */
export const isInstructionCall = ({ path, looks, names }: CallFacts): boolean =>
  path === undefined ? looks === 'read' && names.some(isInstructionFile) : isInstructionFile(path);
