import { apiProblems, writeApiReports } from './checks/api-report.ts';

/** `pnpm api` writes the API reports after a build. */
await writeApiReports();
process.stdout.write(`${(await apiProblems()).join('\n') || 'API reports written'}\n`);
