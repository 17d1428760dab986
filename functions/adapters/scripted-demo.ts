import type { Entry } from '../core/entry.ts';
import { waitingGuidance } from '../core/guidance.ts';
import type { ModelCall, ModelTool } from '../core/model.ts';
import { acceptedOffer } from './demo/accepted-offer.ts';
import { answeredQuestion } from './demo/answered-question.ts';
import { pointedAt } from './demo/pointed-at.ts';
import { quickWords } from './demo/quick-words.ts';
import { smallTalk } from './demo/small-talk.ts';
import type { Wish } from './demo/wish.ts';
import { endWords } from './demo/results.ts';
import { wishesIn } from './demo/wishes.ts';
import { beginWords, eventWords } from './demo/words.ts';
import type { Speaker } from './scripted-model.ts';
import { callIdFor, pendingIn, tailOf, type PendingCall, type Tail } from './scripted-news.ts';

/** What the demo wants to say and do. */
interface Answer {
  readonly words: readonly string[];
  readonly calls: readonly Omit<ModelCall, 'id'>[];
}

/**
 * The keyless default: it understands the requests of the demo, starts real tools, talks while they run
 * and tells what came of them. All it knows is the history, so the same request has the same answer.
 */
export const demoSpeaker =
  (): Speaker =>
  ({ entries, tools }) => {
    const tail = tailOf(entries);
    const pending = pendingIn(entries);
    const scene = { entries, pending, tools, told: toldIn(tail) };
    const answers = tail.texts.map((text) => answerTo(text, scene));
    const calls = answers.flatMap((answer) => answer.calls);
    const begun = calls.filter(({ name }) => isLong(name, tools));
    const words = [
      ...answers.flatMap((answer) => answer.words),
      ...begunWords(begun),
      ...newsWords(tail, pending),
    ];
    const silence = calls.length === 0 ? 'I am listening.' : '';
    return {
      text: words.join('\n\n') || silence,
      calls: calls.map((call, index) => ({ id: callIdFor(entries, index), ...call })),
      delayMs: 0,
    };
  };

/** The guidance stands in the description of every long-running tool. */
const isLong = (name: string, tools: readonly ModelTool[]) =>
  tools.some((tool) => tool.name === name && tool.description.includes(waitingGuidance));

function begunWords(begun: Answer['calls']): readonly string[] {
  if (begun.length === 0) return [];
  const started = begun.map(({ name, arguments: args }) =>
    beginWords({ tool: name, arguments: args }),
  );
  const reports = begun.some(({ name }) => name === 'install_package');
  const when = reports ? 'report on the way' : 'tell you when there is news';
  return [`${started.join(' ')} I will ${when}; just go on talking meanwhile.`];
}

interface Scene {
  readonly entries: readonly Entry[];
  readonly pending: readonly PendingCall[];
  readonly tools: readonly ModelTool[];
  /** Tasks of which this very reply will tell. */
  readonly told: ReadonlySet<string>;
}

const toldIn = ({ ended, events }: Tail): ReadonlySet<string> =>
  new Set([...ended, ...events].flatMap(({ taskId }) => taskId ?? []));

/** Nobody says more to a demo, and its patterns are not made for novels. */
const textMax = 4000;

function answerTo(said: string, scene: Scene): Answer {
  const text = said.slice(0, textMax);
  const { entries, pending, tools, told } = scene;
  const offered = tools.map(({ name }) => name);
  const accepted = answeredQuestion(text, entries, pending) ?? acceptedOffer(text, entries);
  const wishes = accepted ? [accepted] : wishesIn(text, offered);
  if (wishes.length === 0) {
    const quiet = pending.filter(({ taskId }) => !told.has(taskId));
    return say(smallTalk(text, quiet, offered));
  }
  const answers = wishes.map((wish) => fulfil(wish, scene));
  return {
    words: answers.flatMap(({ words }) => words),
    calls: answers.flatMap(({ calls }) => calls),
  };
}

const say = (words: string): Answer => ({ words: [words], calls: [] });

function fulfil(wish: Wish, scene: Scene): Answer {
  const { pending, told } = scene;
  switch (wish.kind) {
    case 'say':
      return say(wish.text);
    case 'call': {
      const { tool, arguments: args, note } = wish;
      return use(tool, [args], scene, note);
    }
    case 'ask': {
      const meant = pointedAt(wish.words, pending, pending);
      const untold = meant.filter(({ taskId }) => !told.has(taskId));
      if (untold.length === 0 && told.size > 0) return { words: [], calls: [] };
      if (untold.length === 0) return say('Nothing is under way.');
      return use('get_task', untold.map(argumentsFor), scene);
    }
    case 'cancel': {
      const meant = pointedAt(wish.words, pending, pending.slice(-1));
      if (meant.length === 0) return say('There is nothing to cancel.');
      return use('cancel_task', meant.map(argumentsFor), scene);
    }
  }
}

const argumentsFor = ({ taskId }: PendingCall) => ({ task_id: taskId });

/** One call of a tool for each set of arguments, if the session has the tool. */
function use(name: string, list: readonly unknown[], { tools }: Scene, note?: string): Answer {
  if (!tools.some((tool) => tool.name === name)) {
    return say(`This session has no tool named ${name}.`);
  }
  const calls = list.map((args) => ({ name, arguments: args }));
  return { words: note === undefined ? [] : [note], calls };
}

/** What came of the calls. Of a task that has just ended nobody needs to hear how far it was. */
function newsWords({ ended, events }: Tail, pending: readonly PendingCall[]): readonly string[] {
  const over = ended.filter(({ taskId }) => taskId !== undefined);
  const tasks = [...pending, ...over];
  const workOfTask = (taskId: string) => tasks.find((task) => task.taskId === taskId);
  const quick = ended.filter(
    (call) => call.taskId === undefined && !isToldBy(over, call.arguments),
  );
  return [
    ...quick.map((call) => quickWords(call, workOfTask)),
    ...events.map((event) => eventWords(event)),
    ...over.map((call) => endWords(call)),
  ];
}

const isToldBy = (over: Tail['ended'], args: unknown) =>
  typeof args === 'object' &&
  args !== null &&
  'task_id' in args &&
  over.some(({ taskId }) => taskId === args.task_id);
