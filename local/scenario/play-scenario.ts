import { viewHistory, type EntryView } from '../../functions/sessions/view-history.ts';
import { readAudit, type AuditRow } from '../../functions/sessions/read-audit.ts';
import { startProblem } from '../start-problem.ts';
import { checkExpectation } from './check-expectation.ts';
import { doStep, now, type Play } from './do-step.ts';
import type { Moment, SeenCall } from './moment.ts';
import { narrate } from './narrator.ts';
import { timeIn } from './pass-time.ts';
import type { ReadScenario } from './read-scenario.ts';
import { setStage, type Stage } from './stage.ts';

interface PlayOptions {
  /** Every message of the house is delivered twice, and everything said at its door is said twice. */
  readonly twice?: boolean;
  /** Called with each moment as it is seen. */
  readonly heard?: (moment: Moment) => void;
}

/** A scenario after its end. */
export interface Played extends Pick<Stage, 'house' | 'session'> {
  readonly moments: readonly Moment[];
  readonly calls: readonly SeenCall[];
  readonly history: readonly EntryView[];
  readonly audit: readonly AuditRow[];
  readonly turns: number;
  readonly modelRequests: number;
  /** Up to the last thing that was seen. */
  readonly scenarioMs: number;
  readonly realMs: number;
}

/** Play a scenario from its first step to its end, as fast as this machine can. */
export async function playScenario(
  scenario: ReadScenario,
  { twice = false, heard = () => {} }: PlayOptions = {},
): Promise<Played> {
  const beganMs = performance.now();
  const stage = await setStage(scenario, twice);
  const { house, session, startMs } = stage;
  const narrator = narrate(house.ports, session, heard);
  const play: Play = { stage, narrator, twice };
  const time = timeIn(house, () => narrator.catchUp());
  for (const step of scenario.steps) {
    await time.passUntil(startMs + step.at);
    await doStep(play, step);
    await narrator.catchUp();
    if (step.expect) await checkExpectation(play, step.expect);
  }
  if (scenario.ends_at === undefined) await time.passUntilQuiet();
  else await time.passUntil(startMs + scenario.ends_at);
  refuseThrown(play);
  await checkExpectation(play, scenario.expect);
  const scenarioMs = Math.max(scenario.ends_at ?? 0, narrator.moments.at(-1)?.atMs ?? 0);
  return { ...(await outcomeOf(play)), scenarioMs, realMs: performance.now() - beganMs };
}

/** What a room throws is tried again and may never show; in a scenario nothing has a reason to. */
function refuseThrown(play: Play): void {
  const [thrown] = play.stage.house.thrown;
  if (thrown === undefined) return;
  const what = thrown instanceof Error ? thrown.message : 'something that is no error';
  throw startProblem(`By ${now(play)} a room threw: ${what}`);
}

async function outcomeOf({
  stage,
  narrator,
}: Play): Promise<Omit<Played, 'realMs' | 'scenarioMs'>> {
  const { house, session, requests } = stage;
  const history = await viewHistory(house.ports, session);
  if (!history.ok) throw new Error('The history of the scenario is gone.');
  const audit: AuditRow[] = [];
  for await (const rows of readAudit(house.ports, session)) audit.push(...rows);
  return {
    house,
    session,
    moments: narrator.moments,
    calls: narrator.calls,
    history: history.value,
    audit,
    turns: audit.filter(({ kind }) => kind === 'turn').length,
    modelRequests: requests.count,
  };
}
