import type { Readable } from 'node:stream';
import { withinTime } from '@varve/guards';
import { z } from 'zod';
import { toMarkdown } from './markdown.ts';
import { defineTool } from './tool.ts';
import { getPage, type WebOptions, type WebPage } from './web.ts';

const MOST_BYTES = 5 * 2 ** 20;
const TIMEOUT_MS = 30_000;
/** Of that, to make Markdown of a page. */
const MARKDOWN_MS = 5_000;
const MOST_REDIRECTS = 5;

export const fetchTool = defineTool({
  name: 'WebFetch',
  description:
    'Fetches a page of the web; HTML comes as Markdown. A redirect to another host is not followed but reported.',
  input: z.object({ url: z.url({ protocol: /^https?$/ }).describe('The address') }),
  reads: true,
  risk: 'fetches',
  async run({ url }, { signal, mayReachOwn = () => false }) {
    const start = new URL(url);
    const read = async (within: AbortSignal) => {
      const page = await follow(start, { signal: within, mayReachOwn });
      return typeof page === 'string' ? page : outputOf(page, within);
    };
    try {
      return await withinTime(read, { limitMs: TIMEOUT_MS, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (!isTimeout(error)) throw error;
      throw new Error(`${start.host} did not answer in ${TIMEOUT_MS / 1_000} seconds.`);
    }
  },
});

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && error.name === 'TimeoutError';

async function outputOf({ status, header, body }: WebPage, signal: AbortSignal) {
  const whole = await textWithin(body);
  const text = /html/i.test(header('content-type')) ? await markdownOf(whole, signal) : whole;
  if (status < 200 || status > 299) return { content: `Status ${status}\n${text}`, isError: true };
  return text.trim() === '' ? 'The page is empty.' : text;
}

/** A page that nothing can be made of comes as it is. */
async function markdownOf(html: string, signal: AbortSignal): Promise<string> {
  try {
    return await withinTime((within) => toMarkdown(html, within), { limitMs: MARKDOWN_MS, signal });
  } catch {
    signal.throwIfAborted();
    return `(This page could not be made into Markdown.)\n${html}`;
  }
}

async function follow(first: URL, options: WebOptions): Promise<WebPage | string> {
  let url = first;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const page = await getPage(url, options);
    const location = page.header('location');
    if (page.status < 300 || page.status >= 400 || location === '') return page;
    page.body.destroy();
    const next = new URL(location, url);
    if (next.host !== url.host || next.protocol !== url.protocol)
      return `${url} leads to another host: ${next}`;
    url = next;
  }
  throw new Error(`${first} leads on and on.`);
}

/** What a page holds, up to a limit. */
async function textWithin(body: Readable): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    text += decoder.decode(chunk, { stream: true });
    if (bytes > MOST_BYTES) return `${text}\n(cut after ${bytes} bytes)`;
  }
  return text + decoder.decode();
}
