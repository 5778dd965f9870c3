import { describe, expect, test } from 'vitest';
import { acceptSummary } from '../../src/full/accept-summary.ts';
import { reply } from './models.ts';

const LIMITS = { replacedTokens: 1e9, maxTokens: 1e9, minSavings: 0, sizeOf: () => 1 };

/** UTF-16 units; longer sources are judged without a look at whether they say enough. */
const LONG = 200_000;

const verdict = (answer: string, source: string): string => {
  const judged = acceptSummary(reply(`<summary>\n## Goal\n${answer}\n</summary>`), {
    ...LIMITS,
    replaced: () => [source],
  });
  return judged.kind === 'accepted' ? 'accepted' : judged.reason;
};

interface Language {
  readonly source: string;
  /** What is said of the source. */
  readonly about: string;
  readonly beside: string;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  English: {
    source:
      'The connection pool of the server was exhausted, and each login of a customer had to wait. I found that the worker does not release its handle if a query fails, so it is to be fixed in the driver, and the tests of the driver are to be run on each platform.',
    about:
      'The pool of the server was exhausted: the worker kept its handle. Fixed in the driver; tests run on one platform.',
    beside:
      'To bake a sourdough loaf, mix flour and salt, let it rise overnight in a basket, and heat the oven. The crust is dark and crisp; add rye or seeds if it is to be heavier.',
  },
  Russian: {
    source:
      'Пул соединений сервера был исчерпан, и вход каждого клиента должен был ждать. Я нашёл, что рабочий поток не освобождает соединение, если запрос упал, и это надо исправить в драйвере, а тесты драйвера для каждой платформы запустить ещё раз.',
    about:
      'Пул соединений сервера был исчерпан: поток не освобождает соединение. Исправить в драйвере, тесты не для каждой платформы.',
    beside:
      'Чтобы испечь хлеб на закваске, надо смешать муку, соль и воду, дать ему подняться за ночь и не открывать духовку. Корочка будет тёмной и хрустящей, а для тяжёлого мякиша добавляют рожь или семечки.',
  },
  Greek: {
    source:
      'Η δεξαμενή συνδέσεων του διακομιστή εξαντλήθηκε και η είσοδος του κάθε πελάτη έπρεπε να περιμένει. Βρήκα ότι ο εργάτης δεν αφήνει τη σύνδεση αν το ερώτημα αποτύχει, και αυτό πρέπει να διορθωθεί στον οδηγό, με τις δοκιμές για κάθε πλατφόρμα.',
    about:
      'Η δεξαμενή συνδέσεων του διακομιστή εξαντλήθηκε: ο εργάτης δεν αφήνει τη σύνδεση. Να διορθωθεί στον οδηγό, με τις δοκιμές.',
    beside:
      'Για να φτιάξεις ψωμί με προζύμι, ανακάτεψε αλεύρι και αλάτι με το νερό, και άσε τη ζύμη να φουσκώσει όλη νύχτα. Η κόρα του είναι σκούρα και τραγανή, δεν θέλει λάδι αν ο φούρνος καίει.',
  },
  Chinese: {
    source:
      '服务器的连接池已经耗尽，客户登录的时候都要等待。我们发现工作线程在查询失败以后没有释放连接，这是驱动的问题，还要修复，也要在每个平台上运行驱动的测试。这个改动很小。',
    about: '服务器的连接池耗尽，这是因为工作线程没有释放连接。驱动还要修复，也要运行测试。',
    beside:
      '做酸面包的时候先把面粉、盐混合，这一步很重要，面团还要发酵一夜，也没有必要加糖。烤箱是热的才能放进去，外皮深色而且香脆。',
  },
  Japanese: {
    source:
      'サーバーの接続プールが枯渇し、顧客のログインは待たされていました。クエリが失敗するとワーカーが接続を解放しないことがわかり、ドライバーで修正し、各プラットフォームでもテストを実行します。',
    about:
      'サーバーの接続プールが枯渇した。ワーカーが接続を解放しないのを、ドライバーで修正しテストを実行する。',
    beside:
      '酸味のあるパンを焼くには、小麦粉と塩をよく混ぜ、生地は一晩かけて膨らませる。皮も香ばしく、窯が熱いうちに入れると美味しい。',
  },
};

const repeated = (text: string): string => `${text}\n`.repeat(Math.ceil(LONG / text.length));

// siblings looked for: other scripts, a source that is short or long, words inside of words, ends of paths, a refusal
describe('acceptSummary: an answer under headings about something else', () => {
  describe.each(Object.entries(LANGUAGES))('in %s', (_, { source, about, beside }) => {
    test.each([
      ['short', source],
      ['long', repeated(source)],
    ])('is refused beside a %s source, one about it is taken', (_, replaced) => {
      expect(verdict(beside, replaced)).toBe('no-structure');
      expect(verdict(about, replaced)).toBe('accepted');
    });
  });

  test('in another language than the source it is taken: nothing tells what it is about', () => {
    const { English, Chinese, Japanese, Russian } = LANGUAGES as Record<string, Language>;
    expect(verdict(Chinese?.about ?? '', English?.source ?? '')).toBe('accepted');
    expect(verdict(Chinese?.about ?? '', Japanese?.source ?? '')).toBe('accepted');
    expect(verdict(Japanese?.about ?? '', Chinese?.source ?? '')).toBe('accepted');
    expect(verdict(Russian?.about ?? '', English?.source ?? '')).toBe('accepted');
  });

  test.each([
    ['over', 'it is on me', 'bread flour crust basket rising heated salted toasted'],
    ['пере', 'это для нас', 'замесить выпечь дрожжи корочка закваска духовка мякиш формовка'],
    ['υπερ', 'και για του', 'ζυμάρι αλεύρι φούρνος κόρακας προζύμι ψήσιμο αλάτισμα πλάσιμο'],
  ])('words inside of other words do not count: %s…', (prefix, short, words) => {
    const inside = words.split(' ').map((word) => prefix + word);
    const other = Array.from({ length: 20 }, (_, at) => `server${at}`);
    const source = (list: readonly string[]) =>
      repeated(`${short} ${[...list, ...other].join(' ')}`);
    expect(verdict(`${short} ${words}`, source(inside))).toBe('no-structure');
    expect(verdict(`${short} ${words}`, source(words.split(' ')))).toBe('accepted');
  });

  test('a file counts by the end of its path, a word by itself and not by the begin of a longer one', () => {
    const source = repeated(
      'It is to be read: /home/me/a/b.c, /home/me/d/e.f, authentication, window and so on, on the host. Modules alpha bravo charlie delta hotel india.',
    );
    const beside = 'It is to be on the flour, crust, basket, toasted, salted, heated';
    expect(verdict(beside, source)).toBe('no-structure');
    expect(verdict(`${beside}: a/b.c, d/e.f.`, source)).toBe('accepted');
    expect(verdict(`${beside}: auth, wind.`, source)).toBe('no-structure');
  });

  test('a refusal is one, beside a long source too, unless it is about what it replaces', () => {
    const { English } = LANGUAGES as Record<string, Language>;
    const source = repeated(English?.source ?? '');
    expect(verdict('I cannot help with sourdough, flour and ovens.', source)).toBe('refused');
    expect(
      verdict('I cannot fix the connection pool of the server: its driver fails.', source),
    ).toBe('accepted');
  });
});
