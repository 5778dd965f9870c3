import { createMemdir, inMemoryFolder } from '../../src/index.ts';

// Its model never answers, and nothing but the budget of recall keeps the process alive.
const text = '---\nname: Pump\ndescription: The pump\ntype: project\n---\n\nIt has 4 bar.\n';
const memory = createMemdir({ folder: inMemoryFolder({ 'pump.md': text }), now: Date.now });
const recall = memory.startRecall({ select: () => new Promise(() => {}), budgetMs: 50 });
console.log((await recall.recall('What is the pump pressure?')).kind);
