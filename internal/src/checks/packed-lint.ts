import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { problemKindInfo } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** What two well-known tools find in a tarball. They run in this process: a start of either takes longer than its work. */
export async function lintProblems(tarball: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  const types = await checkPackage(createPackageFromTarballData(tarball));
  const wrong = types.types ? types.problems : [];
  return [
    ...messages
      .filter(({ type }) => type !== 'suggestion')
      .map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
    ...wrong
      .filter(({ kind: _, ...at }) => !('resolutionKind' in at && LEFT_OUT.has(at.resolutionKind)))
      .map(({ kind, ...at }) => `${problemKindInfo[kind].shortDescription}: ${JSON.stringify(at)}`),
  ];
}

/** The packages are modules alone, and say so. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node10', 'node16-cjs']);
