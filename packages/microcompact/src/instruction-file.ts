import type { CallFacts } from './call-facts.ts';

const FILES = /(?:^|\/)(?:agents|claude|gemini|memory|copilot-instructions)(?:\.local)?\.md$/i;
const MEMORIES = /(?:^|\/)\.?memor(?:y|ies)\/.*\.md$/i;
const SKILLS = /(?:^|\/)skill\.md$|(?:^|\/)\.[\w-]+\/(?:rules|skills)\/.*\.md$/i;

/** Memory, instructions and skills: what a model read there guides it for the rest of the session. */
export const isInstructionFile = (path: string): boolean =>
  isStandingFile(path) || SKILLS.test(path);

const isStandingFile = (path: string): boolean => FILES.test(path) || MEMORIES.test(path);

/**
 * Whether a call reads such a file, with a tool for it or in a shell. Skills that a shell prints are as often what is being
 * worked on: they do not count.
 */
export const isInstructionCall = ({ path, looks, names }: CallFacts): boolean =>
  path === undefined ? looks === 'read' && names.some(isStandingFile) : isInstructionFile(path);
