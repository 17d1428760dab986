import { isWrongSetting, wrongSetting } from '../functions/adapters/settings.ts';
import { keysUsage, newKey, tellKey } from './new-key.ts';

/** `npm run keys -- new <owner>`: nothing is stored, so a key that was lost is made anew. */
const [verb, owner, until, ...more] = process.argv.slice(2);
try {
  if (verb !== 'new' || !owner || more.length > 0) throw wrongSetting(keysUsage);
  process.stdout.write(tellKey(newKey(owner, until)));
} catch (thrown) {
  if (!isWrongSetting(thrown)) throw thrown;
  process.stderr.write(`${thrown.message}\n`);
  process.exitCode = 1;
}
