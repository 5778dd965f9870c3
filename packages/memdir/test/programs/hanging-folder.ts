import { createMemdir, inMemoryFolder } from '../../src/index.ts';

// Its folder never answers, and nothing but the budget of recall keeps the process alive.
const folder = { ...inMemoryFolder(), list: () => new Promise<never>(() => {}) };
const recall = createMemdir({ folder, now: Date.now }).startRecall({ budgetMs: 50 });
console.log(
  await recall.recall('What is the pump pressure?').then(
    ({ kind }) => kind,
    ({ name, code }) => `${name} ${code}`,
  ),
);
