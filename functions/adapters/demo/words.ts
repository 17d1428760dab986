import { capital, counted, listed, sentence } from './phrases.ts';
import { fieldsOf, fieldWords, listOf, textOf } from './values.ts';
import type { CallEvent, EndedCall } from '../scripted-news.ts';

/** How the demo speaks of calls while they run. */

type AnyCall = Pick<EndedCall, 'tool' | 'arguments'>;

/** What a call is about: "the installation of redis". */
export function workOf({ tool, arguments: args }: AnyCall): string {
  const { version, environment, package: name, users_data: users, seconds } = fieldsOf(args);
  switch (tool) {
    case 'deploy_to_staging':
      return `the deployment of ${textOf(version)} to ${textOf(environment) || 'staging'}`;
    case 'install_package':
      return `the installation of ${textOf(name)}`;
    case 'batch_create_users_async':
      return `the batch of ${counted(listOf(users).length, 'user')}`;
    case 'delete_all_users':
      return 'the deletion of all users';
    case 'demo_wait':
      return `the wait of ${counted(Number(seconds), 'second')}`;
    default:
      return tool === '' ? 'an earlier call' : tool;
  }
}

/** Said when a long-running call is made. */
export function beginWords(call: AnyCall): string {
  const { users_data: users, seconds } = fieldsOf(call.arguments);
  const work = workOf(call).replace(/^the /, '');
  switch (call.tool) {
    case 'batch_create_users_async': {
      const names = listOf(users).map((user) => textOf(fieldsOf(user).name));
      return `Creating ${counted(names.length, 'user')}: ${listed(names)}.`;
    }
    case 'deploy_to_staging':
      return `${work.replace('deployment of', 'Deploying')}.`;
    case 'install_package':
      return `${work.replace('installation of', 'Installing')}.`;
    case 'delete_all_users':
      return 'That cannot be undone, so it needs your approval first.';
    case 'demo_wait':
      return `Waiting for ${counted(Number(seconds), 'second')}.`;
    default:
      return `Starting ${call.tool}.`;
  }
}

export function progressWords(call: AnyCall, percent: string, message: string): string {
  const reached = percent === '' ? 'is under way' : `is at ${percent}`;
  return `${capital(workOf(call))} ${reached}${message === '' ? '' : ` (${message})`}.`;
}

/** Progress, one result of several, or a correction. */
export function eventWords(event: CallEvent): string {
  const { kind, status, words } = event;
  switch (kind) {
    case 'progress':
      return progressWords(event, /\d+%/.exec(status)?.[0] ?? '', words);
    case 'partial': {
      const [count] = /\d+ of \w+/.exec(status) ?? ['one more'];
      return sentence(
        `${capital(workOf(event))} has brought result ${count}: ${fieldWords(words) || words}`,
      );
    }
    case 'question': {
      const asked = [...words.matchAll(/"message":"((?:[^"\\]|\\.)*)"/g)].map(([, one]) => one);
      return sentence(`${capital(workOf(event))} asks: ${asked.join(' ')}`);
    }
    case 'correction': {
      const fields = fieldWords(words);
      const end = `A late word on ${workOf(event)}: in the end it ${lateWords(status)}`;
      return fields === '' ? sentence(`${end}. ${words}`) : `${end} (${fields}).`;
    }
  }
}

const lateWords = (status: string) => (status.endsWith('failed') ? 'failed' : 'was done after all');
