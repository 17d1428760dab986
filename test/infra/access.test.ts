import { describe, expect, test } from 'vitest';
import { actionsOf, resources, roomOf, statementsByRoom, synthesize, target } from './template.ts';

const template = synthesize();
const rooms = statementsByRoom(template);
const propertiesOf = (type: string) =>
  [...resources(template, type).values()].map((resource) => resource.Properties);

/** `Storage/Tasks`, `…/index/due`: what a statement is about, without the hash CDK puts behind it. */
function subject(resource: unknown): string {
  const joined = (resource as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join'];
  if (joined)
    return joined[1].map((part) => (typeof part === 'string' ? part : subject(part))).join('');
  return target(resource).replace(/[0-9A-F]{8}$/, '');
}

/** One line per action and resource, sorted, so that a grant added or lost shows as one line. */
function grantsOf(room: string): readonly string[] {
  const lines = (rooms.get(room) ?? []).flatMap((statement) =>
    [statement.Resource]
      .flat()
      .flatMap((resource) =>
        actionsOf(statement).map((action) => `${subject(resource)} ${action}`),
      ),
  );
  return lines.toSorted();
}

const logsOnly = ':iam::aws:policy/service-role/AWSLambdaBasicExecutionRole';

const on = (subject: string, service: string, actions: string) =>
  actions.split(' ').map((action) => `${subject} ${service}:${action}`);

const tools = [
  ...on('StorageUsers', 'dynamodb', 'GetItem Query PutItem UpdateItem DeleteItem'),
  ...on('StorageObjects/*', 's3', 'GetObject PutObject'),
];

describe('a room may do exactly what it needs', () => {
  test.each([
    [
      'Api',
      [
        ...tools,
        ...on('StorageTasks', 'dynamodb', 'GetItem BatchGetItem Query PutItem UpdateItem'),
        ...on('StorageTasks/index/newest', 'dynamodb', 'Query'),
        ...on('QueuesWork', 'sqs', 'SendMessage'),
        ...on('SecretsServer', 'secretsmanager', 'GetSecretValue'),
        ...on('SecretsApiKey', 'secretsmanager', 'GetSecretValue'),
      ],
    ],
    [
      'Worker',
      [
        ...tools,
        ...on('StorageTasks', 'dynamodb', 'GetItem PutItem UpdateItem'),
        ...on('QueuesWork', 'sqs', 'SendMessage ReceiveMessage DeleteMessage'),
        ...on('QueuesWork', 'sqs', 'ChangeMessageVisibility GetQueueAttributes GetQueueUrl'),
      ],
    ],
    [
      'Sweep',
      [
        ...on('StorageTasks', 'dynamodb', 'GetItem PutItem'),
        ...on('StorageTasks/index/due', 'dynamodb', 'Query'),
        ...on('QueuesWork', 'sqs', 'SendMessage'),
        ...on('QueuesDeadWork', 'sqs', 'ReceiveMessage DeleteMessage ChangeMessageVisibility'),
      ],
    ],
  ])('%s', (room, grants) => {
    expect(grantsOf(room)).toEqual(grants.toSorted());
  });

  test('by named actions only, and nothing beyond writing logs comes from elsewhere', () => {
    const actions = [...rooms.values()].flat().flatMap(actionsOf);
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
    for (const role of propertiesOf('AWS::IAM::Role')) {
      expect(role).not.toHaveProperty('Policies');
      expect(role['ManagedPolicyArns']).toEqual([
        { 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, logsOnly]] },
      ]);
    }
  });
});

describe('a function is started', () => {
  test('by its URL, by the clock, and by nothing else', () => {
    const invokers = propertiesOf('AWS::Lambda::Permission').map((permission) => [
      roomOf(target(permission['FunctionName'])),
      permission['Principal'],
      permission['FunctionUrlAuthType'] ?? permission['InvokedViaFunctionUrl'] ?? 'direct',
    ]);
    expect(invokers).toEqual([
      ['Api', '*', 'NONE'],
      ['Api', '*', true],
      ['Sweep', 'events.amazonaws.com', 'direct'],
    ]);
  });

  test('by one queue: the worker, one message at a time, failing only what failed', () => {
    const mappings = propertiesOf('AWS::Lambda::EventSourceMapping');
    expect(mappings).toHaveLength(1);
    expect(mappings[0]).toMatchObject({
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    expect(roomOf(target(mappings[0]?.['FunctionName']))).toBe('Worker');
    expect(subject(mappings[0]?.['EventSourceArn'])).toBe('QueuesWork');
  });

  test('each minute: the sweep', () => {
    const rules = propertiesOf('AWS::Events::Rule');
    expect(rules).toHaveLength(1);
    expect(rules[0]).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
    const targets = rules.flatMap((rule) => rule['Targets'] as { Arn: unknown }[]);
    expect(targets.map(({ Arn }) => roomOf(target(Arn)))).toEqual(['Sweep']);
  });
});
