import type { TaskError } from '../../core/task.ts';
import { capital, counted, durationWords, listed, sentence } from './phrases.ts';
import { fieldsOf, listOf, readValue, textOf, type Fields } from './values.ts';
import { workOf } from './words.ts';
import type { EndedCall } from '../scripted-news.ts';

/** How a long-running call ended. */
export function endWords(call: EndedCall): string {
  if (call.status === 'cancelled') return `${capital(workOf(call))} is cancelled.`;
  return call.status === 'failed' ? failureWords(workOf(call), call.error) : resultWords(call);
}

function failureWords(work: string, error: TaskError | undefined): string {
  const why = sentence(error?.message ?? 'no reason was given');
  if (error?.code === 'outcome_unknown') {
    return `I lost sight of ${work}: ${why} Please check before starting it again.`;
  }
  const how = error?.code === 'timed_out' ? 'ran out of time' : 'failed';
  return `${capital(work)} ${how}: ${why} ${tryAgain}`;
}

export const tryAgain = 'Shall I try again?';

function resultWords(call: EndedCall): string {
  const result = readValue(call.value);
  switch (call.tool) {
    case 'batch_create_users_async':
      return batchWords(result, call.value?.json ?? '');
    case 'deploy_to_staging':
      return deployWords(call, result);
    case 'install_package':
      return installWords(call, result);
    case 'delete_all_users':
      return deletedWords(result);
    default:
      return sentence(
        `${capital(workOf(call))} is done: ${call.value?.json ?? 'without a result'}`,
      );
  }
}

/** The head of a long value is no JSON, but the numbers at its beginning and some names can be read. */
function batchWords(result: Fields, head: string): string {
  const number = (name: string) =>
    Number(result[name] ?? new RegExp(`"${name}":(\\d+)`).exec(head)?.[1] ?? 0);
  const [total, made, failed] = [number('total_requested'), number('successful'), number('failed')];
  const names = [...head.matchAll(/"name":"((?:[^"\\]|\\.)*)"/g)].map(([, name = '']) => name);
  const who = names.length === 0 ? '' : `: ${listed(names, 6, made)}`;
  const all = made === 1 ? 'The user is' : `All ${made} users are`;
  const took = durationWords(result.duration_seconds);
  return [
    failed === 0 ? `${all} created${who}.` : `${made} of ${total} users are created${who}.`,
    ...(failed === 0 ? [] : [`${counted(failed, 'entry', 'entries')} had no valid data.`]),
    ...(took === undefined ? [] : [`It took ${took}.`]),
  ].join(' ');
}

function deployWords({ arguments: args }: EndedCall, result: Fields): string {
  const { version, environment } = fieldsOf(args);
  const where = textOf(environment) || 'staging';
  const ended = textOf(result.status);
  const went = /fail|error/i.test(ended) ? `ended as "${ended}"` : 'completed successfully';
  const took = durationWords(result.duration ?? result.duration_seconds);
  return [
    `Deployment of ${textOf(version)} to ${where} ${went}${went.startsWith('c') ? '!' : '.'}`,
    ...(textOf(result.url) === '' ? [] : [`URL: ${textOf(result.url)}`]),
    ...(took === undefined ? [] : [`Duration: ${took}.`]),
  ].join('\n');
}

const deletedWords = ({ status, deleted }: Fields): string =>
  status === 'deleted'
    ? `${counted(Number(deleted), 'user is', 'users are')} deleted.`
    : 'As you wish: nobody was deleted.';

function installWords({ arguments: args }: EndedCall, result: Fields): string {
  const name = textOf(fieldsOf(args).package);
  const stages = listOf(result.stages).map((stage) => textOf(stage).toLowerCase());
  return `${name} is installed${stages.length === 0 ? '' : `: ${listed(stages)}`}.`;
}
