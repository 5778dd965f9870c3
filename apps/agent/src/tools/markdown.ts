import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { untilAborted } from '@varve/guards';

const require = createRequire(import.meta.url);

/**
 * A page as Markdown, made in a thread of its own that ends with the signal: there are pages with which it takes for ever.
 * Rejects where it cannot be made, such as of thousands of elements in each other.
 */
export async function toMarkdown(html: string, signal: AbortSignal): Promise<string> {
  const turndown = require.resolve('turndown');
  const worker = new Worker(PROGRAM, {
    ...{ eval: true, workerData: { turndown, html }, execArgv: [], stdout: true, stderr: true },
  });
  const made = () =>
    new Promise<string>((resolve, reject) => {
      worker.once('message', (text: string) => resolve(text));
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The page could not be made into Markdown.')));
    });
  return untilAborted(made, signal).finally(() => worker.terminate());
}

/** Of the thread. A text, because this file may be part of a bundle, of which a thread would begin anew. */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads');
  const TurndownService = require(workerData.turndown);
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  service.remove(['script', 'style', 'nav', 'footer', 'noscript', 'iframe']);
  parentPort.postMessage(service.turndown(workerData.html));
`;
