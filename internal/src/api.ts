import { apiProblems, writeApiReports } from './checks/api-report.ts';
import { addPublished } from './checks/published-subpaths.ts';

/** `pnpm api` writes the API reports after a build, and adds new subpaths to the list of those that are published. */
await writeApiReports();
addPublished();
process.stdout.write(`${(await apiProblems()).join('\n') || 'API reports written'}\n`);
