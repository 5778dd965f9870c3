import { expect, test } from 'vitest';
import { freshFrontPageBlock, frontPageBlock } from '../src/front-page.ts';
import { isWhole } from '../src/share.ts';

// the run behind it takes as long as a tenth of a plain run of everything
test.skipIf(!isWhole)(
  'the front page shows what `pnpm eval` prints; `pnpm readme README.md` writes it',
  async () => {
    const fresh = await freshFrontPageBlock();
    expect(frontPageBlock()).toBe(fresh);
    const [, screen = ''] = fresh.split('```\n');
    const lines = screen.trimEnd().split('\n');
    // one more says where the report was written
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  },
  120_000,
);
