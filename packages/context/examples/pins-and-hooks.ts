import { createContext } from '@varve/context';

const call = async () => ({
  content: [{ type: 'text', text: '<summary>The build was looked at.</summary>' }],
});
const told: string[] = [];
const context = createContext({
  model: 'claude-opus-5-5',
  compaction: {
    summarize: call, // `call` fits as it is
    pins: () => ['Never push to main.'], // a function: these stand in every summary word for word
    hooks: {
      // three lists, each hook a name and a function; what it answers is optional
      before: [{ name: 'focus', run: () => ({ instructions: 'Keep the error messages.' }) }],
      sessionStart: [{ name: 'rules', run: () => ({ context: 'Tests run with `make test`.' }) }],
      after: [{ name: 'tell', run: ({ outcome }) => void told.push(outcome) }],
    },
  },
});
await context.user('Why does the build fail?');
await context.request();
await context.reply({ content: [{ type: 'text', text: 'A bracket is missing. '.repeat(400) }] });
await context.compact();
const shown = JSON.stringify(context.view().messages);
if (!shown.includes('Never push to main.') || !shown.includes('make test') || told.length !== 1) {
  throw new Error(`Not as it was said: ${shown}`);
}
