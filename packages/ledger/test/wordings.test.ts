import { describe, expect, test } from 'vitest';
import { bash, factsOf, ledgerOf, runs, says, valuesOf } from './session.ts';

// Each text stands for one alternative of a pattern: without it, it is missed. A row names what is missed.
const missed = (texts: readonly string[], isKnown: (text: string) => boolean): readonly string[] =>
  texts.filter((text) => !isKnown(text));
const lines = (text: string): readonly string[] => text.trim().split(/\s*\n\s*/);

describe('commands', () => {
  const isCheck = (command: string): boolean =>
    factsOf(ledgerOf(bash(command)), 'test-status').length === 1;

  test('each program that checks the work is one, by whatever it is started', () => {
    const commands = lines(`
      npm test
      pnpm --filter app test
      yarn lint
      bun run test
      deno check main.ts
      cargo clippy
      go vet ./...
      mix test
      make check
      dotnet build
      gradle test
      ./gradlew test
      mvn verify
      sbt test
      swift build
      zig build
      rake spec
      rails test
      tox run test
      nox lint
      just check
      task lint
      turbo run build
      nx test app
      pytest
      py.test
      python3 -m unittest
      python -m pytest
      npx jest
      bunx vitest
      yarn mocha
      ava
      tap
      vendor/bin/phpunit
      bundle exec rspec
      npx tsc -p .
      tsgo
      uv run mypy src
      poetry run pyright
      ruff .
      ./node_modules/.bin/eslint src
      pnpm biome ci
      golangci-lint run
      ctest
      bats tests
      shellcheck a.sh
      CI=1 npm test
      env A=1 npm test
      time npm test
      cd a; npm run typecheck
      (npm run type-check)
      npm run compile
      node check-links.js
      ./check.sh
      bash scripts/test.sh
      sh spec.sh
      ruby test/a.rb
      tsx a.test.ts
      deno run a.test.ts
      python3 test_a.py`);
    expect(missed(commands, isCheck)).toEqual([]);
  });

  test('looks and other work that only name one are none', () => {
    const commands = lines(`
      cat test/a.ts
      head -3 test.log
      tail -f build.log
      sed -n 1,9p test/a.ts
      ls test
      rg test
      grep -r test .
      find . -name test
      git add test
      echo npm test
      mkdir test
      rm -r build
      cp test a
      mv test a
      touch test
      vim test/a.ts
      which eslint
      ps aux
      pkill jest
      kill 7
      node server.js
      npm install`);
    expect(commands.filter(isCheck)).toEqual([]);
  });

  const effects = (command: string, result: string): readonly string[] =>
    factsOf(ledgerOf(bash(command, { result })), 'effect');

  test('each command that releases or migrates something has an effect, and no rehearsal', () => {
    const commands = lines(`
      npm publish
      pnpm publish
      yarn publish
      cargo publish
      poetry publish
      gem push a.gem
      twine upload dist/a
      docker push a/b
      terraform apply
      terraform destroy
      kubectl apply -f a
      kubectl delete pod a
      kubectl rollout restart a
      helm install a
      helm upgrade a
      vercel deploy
      vercel --prod
      fly deploy
      netlify deploy
      wrangler deploy
      firebase deploy
      serverless deploy
      sls deploy
      heroku deploy
      ./deploy.sh
      alembic migrate
      npx prisma migrate deploy
      knex migrate:latest
      rails db:migrate
      mix ecto.migrate
      django-admin migrate
      ./manage.py migrate
      flyway migrate
      sequelize db:migrate
      git tag v1.2.3`);
    expect(missed(commands, (command) => effects(command, 'ok').length === 1)).toEqual([]);
    for (const command of [
      'npm publish --dry-run',
      'helm install --help',
      'git tag -l',
      'git tag --list',
    ])
      expect(effects(command, 'ok')).toEqual([]);
  });

  test('each change of a request, an issue or a release online is one', () => {
    const programs = ['gh pr', 'glab mr', 'hub issue', 'gh release', 'gh repo', 'gh gist'];
    const words = 'create merge close edit comment review reopen ready delete'.split(' ');
    const commands = programs.flatMap((program) => words.map((word) => `${program} ${word} 7`));
    expect(missed(commands, (command) => effects(command, 'ok')[0] === `${command}: ok`)).toEqual(
      [],
    );
    expect(effects('gh pr view 7', 'ok')).toEqual([]);
  });

  test('each word for a change in the name of a tool is one', () => {
    const words = 'create update delete send post publish deploy merge close comment upload'.split(
      ' ',
    );
    const known = (word: string): boolean =>
      factsOf(ledgerOf(runs(`mcp__desk__${word}_it`, {}, { result: '{"id":"T-1"}' })), 'effect')
        .length === 1;
    expect(missed(words, known)).toEqual([]);
    expect(['get', 'list', 'search'].filter(known)).toEqual([]);
  });

  test('each way to take edits back with git is one', () => {
    const commands = lines(`
      git checkout -- a.ts
      git checkout HEAD -- a.ts
      git restore a.ts
      git reset --hard
      git revert abc1234
      git stash drop
      git clean -fd`);
    const known = (command: string): boolean =>
      factsOf(ledgerOf(bash(command)), 'failed-approach').length === 1;
    expect(missed(commands, known)).toEqual([]);
    expect(['git restore --staged a.ts', 'git reset', 'git clean -n'].filter(known)).toEqual([]);
  });
});

describe('results', () => {
  const command = (result: string, isError?: boolean): string | undefined =>
    valuesOf(
      ledgerOf(bash('node run.js', { result, ...(isError !== undefined && { isError }) })),
      'command',
    )[0];

  test('each way to name an exit code is read', () => {
    const results = lines(`
      exit 3
      exit code 3
      exit code: 3
      exited 3
      exited with code 3
      exited with 3
      exit status 3
      exited with exit code 3
      {"exit_code": 3}
      return code 3
      returncode: 3
      PROCESS-DONE 3`);
    expect(missed(results, (result) => command(result) === 'failed, exit 3')).toEqual([]);
  });

  test('each way to say that it runs on is one', () => {
    const results = lines(`
      Command running in the background with ID: t1
      running in background with id t1
      Process running with session ID 7
      Async agent launched successfully.
      Monitor started (task t1)
      the command is still running after 30 s
      <status>running</status>`);
    const isRunning = (result: string): boolean => command(result) === 'running in the background';
    expect(missed(results, isRunning)).toEqual([]);
  });

  test('each beginning of a line that names trouble fails a command without a flag', () => {
    const results = lines(`
      Traceback (most recent call last)
      bash: foo: command not found
      sh: ./a: No such file or directory
      zsh: ./a: Permission denied
      fatal: not a git repository
      error: no such option
      error[E0308]: mismatched types
      TypeError: x is not a function
      ShopException: x
      npm ERR! code 1
      npm error code 1
      FATAL: no disk
      panic: index out of range
      docker error: no daemon
      permission denied
      HTTP/1.1 400 Bad Request
      401 Unauthorized
      error: 403 Forbidden
      404 Not Found
      405 Method Not Allowed
      409 Conflict
      410 Gone
      422 Unprocessable Entity
      429 Too Many Requests
      access denied
      /bin/sh: foo: not found
      foo: permission denied`);
    const known = (result: string): boolean => command(result) === 'failed';
    expect(missed(results, known)).toEqual([]);
  });

  test('each word for a lost connection leaves it open what was done', () => {
    const results = lines(`
      ECONNRESET
      ECONNABORTED
      EPIPE
      ETIMEDOUT
      ESOCKETTIMEDOUT
      ERR_STREAM_PREMATURE_CLOSE
      UND_ERR_SOCKET
      ERR_NETWORK_CHANGED
      socket hang up
      socket hangup
      fetch failed
      network error
      broken pipe
      unexpected EOF
      unexpected end of file
      unexpected end of stream
      premature close
      prematurely close
      other side closed
      server disconnected
      it hung up
      no response
      connection was reset
      stream closed
      socket was lost
      channel terminated
      transport dropped
      session is broken
      request interrupted
      operation canceled
      lost the connection
      dropped connection
      timed out
      time-out
      TimeoutError
      deadline exceeded
      context canceled
      AbortError
      CancelledError
      CancellationException
      bad gateway
      gateway timeout
      service unavailable
      internal server error
      HTTP/1.1 502
      status code: 503
      error 504
      status 408`);
    const known = (result: string): boolean =>
      /not known|stopped/.test(
        factsOf(ledgerOf(bash('node pay.js', { result, isError: true })), 'effect')[0] ?? '',
      );
    expect(missed(results, known)).toEqual([]);
    expect(['timeout: 30', 'HTTP/1.1 404', 'network of shops'].filter(known)).toEqual([]);
  });
});

describe('words of a person', () => {
  const rules = (text: string): readonly string[] => valuesOf(ledgerOf(says(text)), 'rule');

  test('each cue makes a sentence a rule', () => {
    const sentences = lines(`
      never push
      always sign
      don't ever push
      under no circumstances push
      sign at all times
      sign no matter what
      the name must stay
      it may not grow
      it shall not grow
      pushing is forbidden
      pushing is prohibited
      vendor is off-limits
      pushing is not allowed
      signing is mandatory
      do not push
      don’t push
      it cannot be pushed
      from now on sign
      going forward sign
      from here on sign
      sign for the rest of it
      as a rule sign
      in the future sign
      niemals pushen
      nie wieder pushen
      auf keinen Fall pushen
      ab jetzt signieren
      verboten ist pushen
      jamais de push
      toujours signer
      désormais signer
      nunca empujes
      siempre firma
      mai più push
      sempre firmare
      a partir de agora assina
      绝不推送
      必须签名
      禁止推送
      必ず署名する
      only sign tags
      sign instead
      merge rather than rebase
      I prefer tabs
      avoid tabs
      make sure it builds
      be sure it builds
      ensure it builds
      remember the tabs
      keep in mind the tabs
      note that it builds
      stick to tabs
      no need to push
      leave the API untouched
      names should be short
      names ought to be short
      it has to be short
      names need to stay short
      I'd like short names
      I want short names
      not tabs, but spaces
      stop pushing
      no more pushes
      no longer push
      merge without squashing
      every commit needs a test
      whenever you push
      each time you push
      please start each name with a letter
      keep names short
      use tabs for code
      for tests, use tabs
      answer in German
      ask me first
      check with me
      refrain from pushing
      let's not push
      I hate tabs
      it would be nice if it built
      push, not merge
      nur Tabs
      bitte nicht pushen
      seulement les tabs
      solo tabs
      只能签名
      だけ
      no, the other one
      wrong file
      actually the other one
      wait, the other one
      undo it
      revert it
      nein, das andere
      I meant the other one
      I didn't ask for it
      that's not what it is
      it is wrong
      changed my mind`);
    expect(missed(sentences, (sentence) => rules(sentence).length === 1)).toEqual([]);
  });

  test('what has no cue is no rule', () => {
    const sentences = lines(`
      look at the parser
      I don't know
      don't think so
      keep going
      keep it up
      does it always build?
      have you ever pushed?
      the build is green`);
    expect(sentences.filter((sentence) => rules(sentence).length > 0)).toEqual([]);
  });

  const agrees = (text: string): boolean => ledgerOf(says(text)).approvals().length > 0;
  const more = ' with all of the parts of it';

  test('each word for a yes agrees, however much comes behind it, and no word for a no', () => {
    const words =
      'yes,yep,yeah,yup,y,ok,okay,k,sure,go ahead,go-ahead,go for it,go on,approve,approved,agreed,confirm,confirmed,correct,right,exactly,please do it,do it,do so,do that,please do,proceed,continue,ship it,lgtm,sounds good,sound good,looks good,fine,great,perfect,good,absolutely,definitely,of course,granted,ja,oui,si,sí,да,好,可以,はい,I approve,I agree,I confirm,I authorize,I authorise,I allow it,I’m fine with it,I’m ok with it,you may,you can,you have my word,so feel free,so go ahead,so go for it,that works,fine with me,it is approved'.split(
        ',',
      );
    expect(missed(words, (word) => agrees(`${word}${more}`))).toEqual([]);
    const denied = [
      'no',
      'nope',
      'not yet',
      'never',
      'stop',
      'wait',
      'cancel',
      'nein',
      'non',
      "don't",
    ];
    expect(denied.filter(agrees)).toEqual([]);
    expect(['so be it?', `look at the parser${more}`].filter(agrees)).toEqual([]);
    expect(agrees('mach das')).toBe(true);
  });
});
