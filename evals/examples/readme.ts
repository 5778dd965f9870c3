import { formatReport, runEval } from '@varve/evals';
import shortResults from './strategy.ts';

const report = await runEval({
  sessions: [`${import.meta.dirname}/session.json`],
  strategies: ['sliding-clear', shortResults],
  ttl: 'none',
});

console.log(formatReport(report));
