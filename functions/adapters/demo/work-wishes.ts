import { callFor, say, type Wish } from './wish.ts';

/** Wishes for long work, each read from one clause. */

const version = /\bv?\d+(?:\.\d+)+(?:[+-][\w.+-]*\w)?|\bv\d[\w+-]*/i;

export function deployWish(clause: string): Wish | undefined {
  if (!/^(?:deploy|ship|release|roll out)\b/i.test(clause)) return undefined;
  const [found] = version.exec(clause) ?? [];
  const [, place = 'staging'] = /\b(?:to|on|into)\s+(?:the\s+)?([a-z]+)/i.exec(clause) ?? [];
  if (place.toLowerCase() !== 'staging') {
    return say(`I can deploy to staging only, not to ${place}.`);
  }
  if (found === undefined) return say('Which version? For instance: deploy v2.5.0 to staging.');
  return callFor('deploy_to_staging', { version: found, environment: 'staging' });
}

const notPackages = new Set(
  (
    'and then update tell keep report let notify inform show it a an the please me us you with to in on ' +
    'for while but now every'
  ).split(' '),
);

/** "install redis, postgres and nginx and update me every 25%" */
export function installWishes(clause: string): readonly Wish[] {
  if (/^run the installer\b/i.test(clause)) return [installOf('demo-package', clause)];
  const [, rest] = /^install\s+(?:the\s+)?(?:npm\s+)?(?:packages?\s+)?(.*)/is.exec(clause) ?? [];
  if (rest === undefined) return [];
  const names: string[] = [];
  for (const piece of rest.split(/\s*,\s*(?:and\s+)?|\s+and\s+/i)) {
    const [, name = ''] = /^([@\w][\w@./-]*?)[./-]*(?:\s|[!?;:]|$)/.exec(piece) ?? [];
    if (name === '' || notPackages.has(name.toLowerCase())) break;
    names.push(name);
  }
  if (names.length > 0) return names.map((name) => installOf(name, clause));
  return [say('Which package? For instance: install redis and update me every 25%.')];
}

function installOf(name: string, clause: string): Wish {
  const [, seconds] =
    /\b(?:in|within|taking|over|for)\s+(\d+)\s*(?:s|sec|seconds?)\b/i.exec(clause) ?? [];
  const duration = seconds === undefined ? {} : { duration_s: Math.min(3600, Number(seconds)) };
  return callFor('install_package', { package: name, ...duration });
}

export function waitWish(clause: string): Wish | undefined {
  const [, count, unit = ''] =
    /^wait\s+(?:for\s+)?(\d+)\s*(s|sec|seconds?|m|min|minutes?)\b/i.exec(clause) ?? [];
  if (count === undefined) return undefined;
  const seconds = Number(count) * (unit.toLowerCase().startsWith('m') ? 60 : 1);
  return callFor('demo_wait', { seconds, progress: 4 });
}
