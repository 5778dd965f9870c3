#!/usr/bin/env node
/** The command line of this package: nothing but a guard, because what it loads needs a newer Node than some have. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `varve-emulator needs Node 22.18 or newer; this is ${process.versions.node}. Install a newer one, or run it through pnpm in the workspace.\n`,
  );
  process.exitCode = 2;
} else {
  const { main } = await import('./command/main.ts');
  process.exitCode = await main(process.argv.slice(2));
}
