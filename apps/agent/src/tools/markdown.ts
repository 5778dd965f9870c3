import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { isRecord, untilAborted } from '@varve/guards';

const KIND = 'varve-markdown';

/**
 * A page as Markdown, made in a thread of its own that ends with the signal: there are pages with which it takes for ever.
 * Rejects where it cannot be made, such as of thousands of elements in each other.
 */
export async function toMarkdown(html: string, signal: AbortSignal): Promise<string> {
  const worker = new Worker(new URL(import.meta.url), {
    ...{ workerData: { kind: KIND, html }, execArgv: [], stdout: true, stderr: true },
  });
  const made = () =>
    new Promise<string>((resolve, reject) => {
      worker.once('message', (text: string) => resolve(text));
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The page could not be made into Markdown.')));
    });
  return untilAborted(made, signal).finally(() => worker.terminate());
}

async function convert(html: string): Promise<string> {
  const { default: TurndownService } = await import('turndown');
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  service.remove(['script', 'style', 'nav', 'footer', 'noscript', 'iframe']);
  return service.turndown(html);
}

if (!isMainThread && isRecord(workerData) && workerData.kind === KIND)
  parentPort?.postMessage(await convert(String(workerData.html)));
