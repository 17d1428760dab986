import { readFileSync, statSync } from 'node:fs';
import type { Model } from '../core/model.ts';
import type { Clock, Ports } from '../ports.ts';
import { accessTo } from './model-access.ts';
import { modelDefault, readModelName, wrongModelName, type Vendor } from '../core/model-name.ts';
import type { VendorAccess } from './model-vendors.ts';
import { systemClock } from './process.ts';
import { demoSpeaker } from './scripted-demo.ts';
import { scriptedModel, scriptedProfile } from './scripted-model.ts';
import { readScript } from './script-file.ts';
import { scriptSpeaker } from './scripted-script.ts';
import { wrongSetting } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Sessions may name models freely; what is kept of them must not grow without end. */
const keptMax = 100;

/**
 * The models of a deployment by name. A wrong MODEL stops the process at its start, in one sentence; a
 * session that names a wrong one is refused when its model is first asked.
 */
export function models(
  env: Environment,
  clock: Pick<Clock, 'sleep'> = systemClock,
): Ports['model'] {
  const ownName = env.MODEL || modelDefault;
  const makeOwn = maker(ownName, env, clock);
  if (typeof makeOwn === 'string') throw wrongSetting(`MODEL is not right: ${makeOwn}`);
  const kept = new Map<string, Promise<Model>>();
  return (name = ownName) => {
    const known = kept.get(name);
    if (known) return known;
    if (kept.size >= keptMax) kept.clear();
    const make = name === ownName ? makeOwn : maker(name, env, clock, filesFor(env));
    const model = typeof make === 'string' ? Promise.resolve(refusing(name, make)) : make();
    kept.set(name, model);
    // A load that failed is tried again by the next session.
    model.catch(() => kept.delete(name));
    return model;
  };
}

/** Who may name a script, and hear what is wrong with it. */
type Files = 'told' | 'untold' | 'none';

/**
 * On one's own machine whoever talks may name a file. Where others have keys they may too, but learn
 * nothing about files that are no scripts; on AWS files are nobody's business.
 */
function filesFor(env: Environment): Files {
  if (env.AWS_LAMBDA_FUNCTION_NAME !== undefined) return 'none';
  return env.API_KEYS || env.OAUTH_ISSUER ? 'untold' : 'told';
}

const scriptBytesMax = 1024 * 1024;

/** What is no file, or has no end, would hold up everybody. */
function readFile(file: string): string {
  const found = statSync(file);
  if (!found.isFile() || found.size > scriptBytesMax) throw new Error('This is no script.');
  return readFileSync(file, 'utf8');
}

/** How to make the model of that name, or why there is none. */
function maker(
  name: string,
  env: Environment,
  clock: Pick<Clock, 'sleep'>,
  files: Files = 'told',
): (() => Promise<Model>) | string {
  const read = readModelName(name);
  if (!read) return wrongModelName(name);
  switch (read.kind) {
    case 'demo':
      return async () => scriptedModel(name, demoSpeaker(), clock);
    case 'script': {
      if (files === 'none') return 'Only MODEL itself may name a script here.';
      const script = readScript(read.file, readFile);
      if (typeof script === 'string') {
        return files === 'told' ? script : 'There is no script of that name that can be played.';
      }
      return async () => scriptedModel(name, scriptSpeaker(script), clock);
    }
    case 'vendor': {
      const access = accessTo(read.vendor, env);
      if (typeof access === 'string') return access;
      return () => vendorModel(name, read.vendor, read.id, access);
    }
  }
}

async function vendorModel(
  name: string,
  vendor: Vendor,
  id: string,
  access: VendorAccess,
): Promise<Model> {
  const [{ loadVendor, vendorProfile }, { fromLanguageModel }] = await Promise.all([
    import('./model-vendors.ts'),
    import('./language-model.ts'),
  ]);
  const model = await loadVendor(vendor, id, access);
  return fromLanguageModel(model, { name, profile: vendorProfile(vendor, id) });
}

const refusing = (name: string, detail: string): Model => ({
  name,
  profile: scriptedProfile,
  generate: async () => ({ kind: 'refused', detail }),
});
