const FILES = /(?:^|\/)(?:agents|claude|gemini|memory|copilot-instructions)(?:\.local)?\.md$/i;
const FOLDERS =
  /(?:^|\/)(?:\.?memor(?:y|ies)|\.agent\/skills|\.claude\/(?:rules|skills)|skills)\//i;

/** Memory, instructions and skills: what a model read there guides it for the rest of the session. */
export function isInstructionFile(path: string): boolean {
  return FILES.test(path) || (FOLDERS.test(path) && path.endsWith('.md'));
}
