import { callerName, dollars, tokens } from '../ui/describe.ts';
import type { Command, CommandRun } from './command.ts';

type Usage = ReturnType<CommandRun['session']['agent']['context']['usage']>;
type Billed = Pick<Usage, 'calls' | 'dollars' | 'usage'>;

export const costCommand: Command = {
  name: 'cost',
  about: 'what the session was billed, by model and by caller',
  async run({ session, face }) {
    const usage = session.agent.context.usage();
    const line = (name: string, bill: Billed) =>
      `  ${name.padEnd(24)} ${dollars(bill.dollars).padStart(9)}  ${String(bill.calls).padStart(5)} calls  ${tokens(bill.usage.cache_read_input_tokens)} read, ${tokens(bill.usage.cache_creation_input_tokens)} written, ${tokens(bill.usage.input_tokens)} plain, ${tokens(bill.usage.output_tokens)} out`;
    const lines = [
      line('all, at list prices', usage),
      ...usage.models.map(({ model, ...bill }) => line(model, bill)),
      ...usage.callers.map(({ by, ...bill }) => line(callerName(by), bill)),
    ];
    if (usage.unpricedTokens > 0)
      lines.push(`  ${tokens(usage.unpricedTokens)} tokens have no known price.`);
    face.show(lines.join('\n'), 'plain');
  },
};
