import { clipText } from '../text.ts';

/** Looks into JSON of which nothing is known. */

const textBytesMax = 200;
const titleBytesMax = 4000;
const urlBytesMax = 1000;
/** What a task plants: the name of an input, a variable or a parameter. */
const plantedKey = /^boomerang[_-]?id$/i;
const depthMax = 8;

export function at(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

/** A number is a text too: ids are written either way. */
export function textAt(value: unknown, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const found = at(value, path);
    if (typeof found === 'number') return String(found);
    if (typeof found === 'string' && found !== '') return clipText(found, textBytesMax);
  }
  return undefined;
}

/** A text in which a task may have planted its id: a title may be long, and the id at its end. */
export function titleAt(value: unknown, path: string): string | undefined {
  const found = at(value, path);
  return typeof found === 'string' ? clipText(found, titleBytesMax) : undefined;
}

/** Only what a browser may follow. */
export function urlAt(value: unknown, ...paths: readonly string[]): string | undefined {
  const found = paths.map((path) => at(value, path));
  return found.find(
    (url): url is string =>
      typeof url === 'string' && url.length <= urlBytesMax && /^https?:\/\/\S+$/.test(url),
  );
}

export function numberAt(value: unknown, ...paths: readonly string[]): number | undefined {
  const found = paths.map((path) => at(value, path));
  return found.find((one): one is number => typeof one === 'number' && Number.isFinite(one));
}

/** Whole seconds from one ISO time to another. */
export function secondsBetween(from: unknown, to: unknown): number | undefined {
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  return seconds >= 0 ? seconds : undefined;
}

/** Every text under the name that tasks plant their id by, and in lists of `{key, value}`. */
export function plantedTexts(value: unknown, depth = 0): readonly string[] {
  if (typeof value !== 'object' || value === null || depth > depthMax) return [];
  const named = 'key' in value ? value.key : 'name' in value ? value.name : undefined;
  const own =
    'value' in value && isPlantedKey(named) && typeof value.value === 'string' ? [value.value] : [];
  const inner = Object.entries(value).flatMap(([key, one]: [string, unknown]) =>
    isPlantedKey(key) && typeof one === 'string' ? [one] : plantedTexts(one, depth + 1),
  );
  return [...own, ...inner];
}

const isPlantedKey = (name: unknown) => typeof name === 'string' && plantedKey.test(name);
