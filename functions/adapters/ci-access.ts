import type { Settings } from '../ports.ts';
import { readCiSecrets, readIssuers } from './ci-settings.ts';
import { wrongSetting } from './settings.ts';
import { workloadVerifier } from './workload-verifier.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Who may report on CI runs: by a shared secret, or by where the run itself shows to be. */
export const readCiAccess = (env: Environment, settings: Pick<Settings, 'publicUrl'>) => ({
  secrets: readCiSecrets(env),
  verifyWorkload: workloadVerifier(readIssuers(env), settings),
});

/** The settings that stand together in one secret: JSON, each under the name it has in an environment. */
export function readSecretSettings(json: string): Readonly<Record<string, string>> {
  let found: unknown;
  try {
    found = JSON.parse(json);
  } catch {
    found = undefined;
  }
  const entries = Object.entries(typeof found === 'object' && found !== null ? found : {});
  const isRight = ([name, value]: [string, unknown]) =>
    /^(CI_(SECRET|TOKEN)_[A-Z]+|GITHUB_TOKEN)$/.test(name) && typeof value === 'string';
  // What stands there is not repeated: it may be a secret.
  if (entries.length === 0 || !entries.every(isRight)) {
    throw wrongSetting('The CI secret must be JSON like {"CI_SECRET_GITHUB": "…"}.');
  }
  return Object.fromEntries(entries);
}
