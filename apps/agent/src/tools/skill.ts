import { z } from 'zod';
import { defineTool } from './tool.ts';

export const skillTool = defineTool({
  name: 'Skill',
  description:
    'Gives the text of a skill, which says how something is done here. A reminder lists skills; a name that is none gets the names that there are. Call it before you begin with what the skill is about.',
  input: z.object({
    skill: z.string().min(1).describe('Its name'),
    args: z.string().optional().describe('What it is to be done with'),
  }),
  reads: true,
  async run({ skill, args = '' }, { skills }) {
    if (skills === undefined) throw new Error('There are no skills here.');
    return skills.call(skill, args.trim());
  },
});
