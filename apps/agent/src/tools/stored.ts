import type { ToolStorage } from '@varve/tool-storage';
import { z } from 'zod';
import { defineTool, type Tool } from './tool.ts';

/** The tool with which the model reads what was stored; the context adds its definition to the others. */
export const storedTool = (storage: ToolStorage): Tool =>
  defineTool({
    name: storage.readTool.name,
    description: '',
    input: z.looseObject({}),
    reads: true,
    run: (input) => storage.runReadTool(input),
  });
