import type { Head } from '@varve/messages';

export const headText = (head: Pick<Head, 'system' | 'tools'>): string =>
  head.system.map((block) => block.text).join('\n') +
  (head.tools.length === 0 ? '' : JSON.stringify(head.tools));
