import { readFileSync } from 'node:fs';
import { readScript, type Script } from '../../functions/adapters/script-file.ts';
import { codeOf, startProblem } from '../start-problem.ts';
import { scenarioFile, type Scenario } from './scenario-file.ts';

export interface ReadScenario extends Scenario {
  /** None for the demo model, which needs no script. */
  readonly script: Script | undefined;
}

/** The scenario of a file; what is wrong with it is said in one sentence. */
export function readScenario(file: string): ReadScenario {
  const parsed = scenarioFile.safeParse(readJson(file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const what = issue ? issue.message.charAt(0).toLowerCase() + issue.message.slice(1) : '';
    throw wrong(file, [placeOf(issue?.path ?? []), what].filter(Boolean).join(': '));
  }
  const { model } = parsed.data;
  if (model === 'scripted') return { ...parsed.data, script: undefined };
  const script = readScript(file, () => JSON.stringify(model));
  if (typeof script === 'string') throw startProblem(script);
  return { ...parsed.data, script };
}

export const wrong = (file: string, what: string) =>
  startProblem(`The scenario ${file} cannot be played: ${what.replace(/\.$/, '')}.`);

function readJson(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(file, 'it is not JSON');
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    const code = codeOf(thrown);
    throw wrong(file, code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`);
  }
}

/** Steps are counted from one, as people do. */
const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? String(part + 1) : String(part)))
    .join('.')
    .replace(/^steps\.(\d+)(\.|$)/, 'step $1 ')
    .trim();
