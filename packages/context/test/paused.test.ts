import { expect, test } from 'vitest';
import { BOUND, LATEST, scene, text, violationsOf } from './support.ts';

const call = {
  type: 'server_tool_use',
  id: 'srvtoolu_1',
  name: 'web_search',
  input: { query: 'x' },
};
const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] };

test.each([LATEST, BOUND])(
  '%s: a paused reply is kept and goes back last, until it ends',
  async (model) => {
    const { context } = scene({ model });
    await context.user('Go.');
    await context.request();
    const paused = await context.reply({
      content: [text('Searching.'), call],
      stopReason: 'pause_turn',
    });
    expect(paused.content).toEqual([text('Searching.'), call]);
    const again = await context.request();
    expect(again.messages.at(-1)).toMatchObject({ role: 'assistant', content: paused.content });
    expect(violationsOf(again)).toEqual([]);
    await context.reply({ content: [found, text('Found.')], stopReason: 'end_turn' });
    await expect(context.request()).rejects.toMatchObject({ code: 'nothing-to-send' });
    await context.user('And?');
    expect(violationsOf(await context.request())).toEqual([]);
  },
);
