import { viewSession, type SessionView } from '../../functions/sessions/view-session.ts';
import { startProblem } from '../start-problem.ts';
import { now, type Play } from './do-step.ts';
import type { Expectation } from './scenario-file.ts';

/** What was expected at this time and is not so, in one sentence. */
export async function checkExpectation(play: Play, expected: Expectation): Promise<void> {
  const { stage, narrator } = play;
  const view = await viewSession(stage.house.ports, stage.session);
  if (!view.ok) throw new Error('The session of the scenario is gone.');
  const texts = narrator.moments.filter(({ who }) => who === 'model').map(({ text }) => text);
  const [wrong] = [
    ...wrongState(expected, { ...view.value, model_requests: stage.requests.count }),
    ...wrongTexts(expected, texts),
  ];
  if (wrong !== undefined) throw startProblem(`At ${now(play)} ${wrong}.`);
}

type State = SessionView & { readonly model_requests: number };

function wrongState(expected: Expectation, state: State): readonly string[] {
  const seen = { ...state, pending: state.pending.map(({ tool }) => tool) };
  const names = ['status', 'finish_reason', 'pending', 'turns', 'model_requests'] as const;
  return names.flatMap((name) => {
    const [wanted, found] = [expected[name], seen[name]].map((value) => JSON.stringify(value));
    if (wanted === undefined || wanted === found) return [];
    return [`${name} was expected to be ${wanted}, but it is ${found ?? 'not there'}`];
  });
}

function wrongTexts(expected: Expectation, texts: readonly string[]): readonly string[] {
  const timesOf = (words: string) => texts.filter((text) => text.includes(words)).length;
  const judge = (
    list: readonly string[] | undefined,
    isRight: (times: number) => boolean,
    how: string,
  ) =>
    (list ?? []).flatMap((words) => {
      const times = timesOf(words);
      return isRight(times)
        ? []
        : [`the model should ${how} "${words}", but it did ${times} times`];
    });
  return [
    ...judge(expected.texts_include, (times) => times > 0, 'have said'),
    ...judge(expected.texts_exclude, (times) => times === 0, 'not have said'),
    ...judge(expected.texts_once, (times) => times === 1, 'have said exactly once'),
  ];
}
