import { bundleAll } from './bundle.ts';
import { runCommand } from './run-command.ts';

/** `pnpm build`: declarations by tsc, then the JavaScript that is published. */
const { code } = await runCommand('tsc', ['-b'], { echo: true });
if (code === 0) await bundleAll();
process.exitCode = code;
