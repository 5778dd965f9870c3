import type { Step } from '../../src/record/recording.ts';
import { fails, grep, minutes, read, say, shell, shows, user } from '../../src/record/steps.ts';
import { allGreen, basaltTodo, changes, migrated } from './shared.ts';

export const mockFolder: readonly Step[] = [
  user(
    `Thanks, that list goes into a ticket of its own, basalt-4, not here. Continue with lib/mock and lib/core. Two things that came up at lunch: check.given is a bad name, everybody reads it as "was given", also for 0. Call it check.present instead, everywhere. And I want the numbers at the end: how many checks were replaced, in how many files, and how many lines lib/ lost.`,
    { after: minutes(70) + 4_000 },
  ),
  say(
    'lib/mock first, without the three snapshot files of Ines; the rename comes when core is through, so that it is one step. What is there:',
    grep('InvalidArgumentError', { glob: 'lib/mock/*.js' }),
    fails(shell('ls -l lib/mock/snapshots'), 'No such file'),
  ),
  say(
    'There is no folder of snapshots, the three files stand beside the others; I will name each file that I touch.',
    shows(shell('ls lib/mock'), 'snapshot-agent.js', 'snapshot-recorder.js', 'snapshot-utils.js'),
  ),
  ...migrated(
    'lib/mock/mock-interceptor.js',
    'The interceptor has ten.',
    'Nine of them. `typeof opts !== "object"` lets null through to the next line, where it fails with a TypeError; check.object would turn that into another error, so it stays.',
  ),
  ...migrated(
    'lib/mock/mock-client.js',
    'Client and pool ask for an agent in the same words.',
    'The whole condition is the same in both, so it has a form of its own in the module: check.agentOption.',
  ),
  ...migrated('lib/mock/mock-pool.js', 'The pool.', 'The same.'),
  say(
    'The other three: agent, options and call history.',
    read('lib/mock/mock-agent.js', 1, 140),
    read('lib/mock/mock-utils.js', 400, 90),
    read('lib/mock/mock-call-history.js'),
  ),
  say(
    'None of those has a common form: mock-agent refuses only an agent that is there and wrong, mock-utils asks with `in` (so undefined is refused), and the call history has five conditions that exist once. Tests and folder:',
    allGreen(),
    changes('lib/mock'),
    shows(
      shell(
        'for f in agent recorder utils; do diff .before/lib/mock/snapshot-$f.js lib/mock/snapshot-$f.js || exit 1; done; echo untouched',
      ),
      'untouched',
    ),
    basaltTodo(5),
  ),
];
