import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { banner } from '../../local/banner.ts';

it('the README shows what npm start says', () => {
  expect(readFileSync('README.md', 'utf8')).toContain(
    `\`\`\`\n${banner('http://127.0.0.1:3000', {}, 4711)}\`\`\``,
  );
});
