import { withinTime } from '@varve/guards';
import { z } from 'zod';
import { toMarkdown } from './markdown.ts';
import { defineTool } from './tool.ts';

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
  async run({ url }, { signal }) {
    const start = new URL(url);
    const read = async (within: AbortSignal) => {
      const response = await follow(start, within);
      return typeof response === 'string' ? response : pageOf(response, within);
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

async function pageOf(response: Response, signal: AbortSignal) {
  const body = await textWithin(response);
  const type = response.headers.get('content-type') ?? '';
  const text = /html/i.test(type) ? await markdownOf(body, signal) : body;
  if (!response.ok) return { content: `Status ${response.status}\n${text}`, isError: true };
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

async function follow(first: URL, signal: AbortSignal): Promise<Response | string> {
  let url = first;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await fetch(url, { signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    const next = new URL(location, url);
    if (next.host !== url.host || next.protocol !== url.protocol)
      return `${url} leads to another host: ${next}`;
    url = next;
  }
  throw new Error(`${first} leads on and on.`);
}

/** What a page holds, up to a limit. */
async function textWithin(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    text += decoder.decode(chunk, { stream: true });
    if (bytes > MOST_BYTES) return `${text}\n(cut after ${bytes} bytes)`;
  }
  return text + decoder.decode();
}
