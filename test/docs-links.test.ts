import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const under = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
const pages = [...readdirSync(root), ...under('docs'), ...under('examples')].filter((path) =>
  path.endsWith('.md'),
);

const textOf = (path: string) =>
  readFileSync(join(root, path), 'utf8').replaceAll(/```[^]*?```/g, '');

/** As GitHub names the headings of a page. */
const anchorsOf = (path: string) =>
  [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

function isDead(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : join(dirname(page), file);
  if (!existsSync(join(root, target))) return true;
  if (anchor === undefined) return false;
  return statSync(join(root, target)).isDirectory() || !anchorsOf(target).includes(anchor);
}

it.each(pages)('%s links only to what is there', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const own = links.filter((link) => !/^\w+:/.test(link));
  expect(own.filter((link) => isDead(page, link))).toEqual([]);
});
