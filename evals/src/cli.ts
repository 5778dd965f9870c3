#!/usr/bin/env node
/** The command line of this package: nothing but a guard, because what it loads needs a Node that strips types. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `varve-evals needs Node 22.18 or newer; this is ${process.versions.node}. Install a newer one, or run it through pnpm in the workspace.\n`,
  );
  process.exitCode = 2;
} else {
  // A reader that has seen enough, such as `head`, closes the pipe: the rest is not wanted, and nothing went wrong.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2));
}
