import { join } from 'node:path';
import { playScenario, type Played } from '../../local/scenario/play-scenario.ts';
import { readScenario } from '../../local/scenario/read-scenario.ts';
import type { Speaker } from '../../local/talk/spoken-lines.ts';

export const scenarioFolder = join(import.meta.dirname, '../../examples/scenarios');

export const fileOf = (name: string) => join(scenarioFolder, `${name}.json`);

/** Play a file of examples/, with every message delivered twice and everything said at the door twice. */
export const playTwice = (name: string): Promise<Played> =>
  playScenario(readScenario(fileOf(name)), { twice: true });

/** What one of them said or did, in order. */
export const saidBy = ({ moments }: Pick<Played, 'moments'>, who: Speaker): readonly string[] =>
  moments.filter((moment) => moment.who === who).map(({ text }) => text);

/** Who spoke at which second. */
export const timesOf = ({ moments }: Pick<Played, 'moments'>, who: Speaker): readonly number[] =>
  moments.filter((moment) => moment.who === who).map(({ atMs }) => Math.floor(atMs / 1000));

/** The responses in the history as it was last sent, by call id. */
export const responsesIn = ({ history }: Pick<Played, 'history'>) =>
  history.flatMap(({ tool_response: response }) => (response ? [response] : []));

/** Ids are made by chance; everything else of a transcript is the same each time. */
export const withoutIds = ({ moments }: Pick<Played, 'moments'>): readonly string[] =>
  moments.map(
    ({ atMs, who, text }) =>
      `${atMs} ${who} ${text.replaceAll(/\b(task|call|sess|user)_[\w-]+…?/g, '$1_…')}`,
  );
