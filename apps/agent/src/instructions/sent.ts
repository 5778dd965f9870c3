import { relative } from 'node:path';
import { realPathOf } from '../permissions/paths.ts';
import { findSkills } from '../skills/find.ts';
import { createInstructions, type InstructionOptions, isOfProject } from './instructions.ts';

/** Files of a project whose text the model gets by itself: instructions, and skills, of which it gets name and description. */
export function sentOf({
  isSimple,
  ...place
}: InstructionOptions & { readonly isSimple: boolean }): string[] {
  const instructions = isSimple ? [] : createInstructions(place).initial();
  const skills = [...findSkills(place).skills.values()];
  const paths = [
    ...instructions.flatMap(({ level, path }) => (isOfProject(level) ? [path] : [])),
    ...skills.flatMap(({ level, path, kind }) =>
      level === 'project' && kind === 'skill' ? [path] : [],
    ),
  ];
  const root = realPathOf(place.root);
  return paths.map((path) => relative(root, realPathOf(path)) || path);
}
