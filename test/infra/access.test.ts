import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { grantsOf, subject } from './grants.ts';
import { actionsOf, resources, roomOf, statementsByRoom, synthesize, target } from './template.ts';

const template = synthesize();
const rooms = statementsByRoom(template);
const propertiesOf = (type: string) =>
  [...resources(template, type).values()].map((resource) => resource.Properties);

const logsOnly = ':iam::aws:policy/service-role/AWSLambdaBasicExecutionRole';

const on = (subject: string, service: string, actions: string) =>
  actions.split(' ').map((action) => `${subject} ${service}:${action}`);

/** Any model of any region, and whatever profile of this account leads to one. */
const bedrock = [
  'arn:AWS::Partition:bedrock:*::foundation-model/*',
  'arn:AWS::Partition:bedrock:AWS::Region:AWS::AccountId:inference-profile/*',
  'arn:AWS::Partition:bedrock:AWS::Region:AWS::AccountId:application-inference-profile/*',
];

const tools = [
  ...on('StorageUsers', 'dynamodb', 'GetItem Query PutItem UpdateItem DeleteItem'),
  ...on('StorageObjects/*', 's3', 'GetObject PutObject'),
];

/** Whoever ends something asks who listens, and sends. */
const telling = [
  ...on('StorageWebhooks', 'dynamodb', 'GetItem Query'),
  ...on('QueuesWebhooks', 'sqs', 'SendMessage'),
];

describe('a room may do exactly what it needs', () => {
  test.each([
    [
      'Api',
      [
        ...tools,
        ...telling,
        ...on('StorageTasks', 'dynamodb', 'GetItem BatchGetItem Query PutItem UpdateItem'),
        ...on('StorageWebhooks', 'dynamodb', 'BatchGetItem PutItem UpdateItem DeleteItem'),
        ...on('StorageWebhooks/index/newest', 'dynamodb', 'Query'),
        ...on('StorageTasks/index/newest', 'dynamodb', 'Query'),
        ...on('StorageSessions', 'dynamodb', 'GetItem BatchGetItem Query PutItem'),
        ...on('StorageSessions/index/newest', 'dynamodb', 'Query'),
        ...on('QueuesWork', 'sqs', 'SendMessage'),
        ...on('QueuesResumes', 'sqs', 'SendMessage'),
        ...on('SecretsServer', 'secretsmanager', 'GetSecretValue'),
        ...on('SecretsApiKey', 'secretsmanager', 'GetSecretValue'),
      ],
    ],
    [
      'Worker',
      [
        ...tools,
        ...telling,
        ...on('StorageWebhooks', 'dynamodb', 'PutItem'),
        ...on('StorageTasks', 'dynamodb', 'GetItem PutItem UpdateItem'),
        ...on('QueuesWork', 'sqs', 'SendMessage ReceiveMessage DeleteMessage'),
        ...on('QueuesWork', 'sqs', 'ChangeMessageVisibility GetQueueAttributes GetQueueUrl'),
        ...on('QueuesResumes', 'sqs', 'SendMessage'),
        ...on('SecretsServer', 'secretsmanager', 'GetSecretValue'),
      ],
    ],
    [
      'Resume',
      [
        ...tools,
        ...telling,
        ...on('StorageSessions', 'dynamodb', 'GetItem Query PutItem UpdateItem'),
        ...on('StorageTasks', 'dynamodb', 'GetItem BatchGetItem PutItem UpdateItem'),
        ...on('StorageTasks/index/newest', 'dynamodb', 'Query'),
        ...on('QueuesWork', 'sqs', 'SendMessage'),
        ...on('QueuesResumes', 'sqs', 'SendMessage ReceiveMessage DeleteMessage'),
        ...on('QueuesResumes', 'sqs', 'ChangeMessageVisibility GetQueueAttributes GetQueueUrl'),
        ...on('SecretsServer', 'secretsmanager', 'GetSecretValue'),
        ...bedrock.flatMap((model) =>
          on(model, 'bedrock', 'InvokeModel InvokeModelWithResponseStream'),
        ),
      ],
    ],
    [
      'Notify',
      [
        ...on('StorageWebhooks', 'dynamodb', 'GetItem PutItem UpdateItem'),
        ...on('StorageTasks', 'dynamodb', 'GetItem'),
        ...on('StorageObjects/*', 's3', 'GetObject'),
        ...on('QueuesWebhooks', 'sqs', 'SendMessage ReceiveMessage DeleteMessage'),
        ...on('QueuesWebhooks', 'sqs', 'ChangeMessageVisibility GetQueueAttributes GetQueueUrl'),
      ],
    ],
    [
      'Sweep',
      [
        ...on('StorageWebhooks', 'dynamodb', 'GetItem BatchGetItem Query UpdateItem'),
        ...on('StorageWebhooks/index/due', 'dynamodb', 'Query'),
        ...on('QueuesWebhooks', 'sqs', 'SendMessage'),
        ...on('QueuesDeadWebhooks', 'sqs', 'ReceiveMessage DeleteMessage ChangeMessageVisibility'),
        ...on('StorageTasks', 'dynamodb', 'GetItem PutItem UpdateItem'),
        ...on('StorageTasks/index/due', 'dynamodb', 'Query'),
        ...on('StorageSessions', 'dynamodb', 'Query'),
        ...on('StorageObjects/*', 's3', 'GetObject'),
        ...on('QueuesWork', 'sqs', 'SendMessage'),
        ...on('QueuesDeadWork', 'sqs', 'ReceiveMessage DeleteMessage ChangeMessageVisibility'),
        ...on('QueuesResumes', 'sqs', 'SendMessage'),
        ...on('QueuesDeadResumes', 'sqs', 'ReceiveMessage DeleteMessage ChangeMessageVisibility'),
      ],
    ],
  ])('%s', (room, grants) => {
    expect(grantsOf(rooms.get(room) ?? [])).toEqual(grants.toSorted());
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

describe('the model', () => {
  const keySecret = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:model-key-AbCdEf';

  test.each([
    ['', 'bedrock:global.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['bedrock:eu.amazon.nova-pro-v1:0', 'bedrock:eu.amazon.nova-pro-v1:0'],
  ])('with context "%s" is %s', (model, MODEL) => {
    synthesize({ model }).hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ MODEL }) },
      MemorySize: 256,
      Timeout: 600,
    });
  });

  test('of another provider needs no Bedrock, and reads its key where it was told', () => {
    const made = synthesize({ model: 'anthropic:claude', modelKeySecretArn: keySecret });
    made.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: Match.objectLike({
          MODEL: 'anthropic:claude',
          MODEL_API_KEY_SECRET_ARN: keySecret,
        }),
      },
    });
    const statements = statementsByRoom(made).get('Resume') ?? [];
    expect(statements.flatMap(actionsOf).filter((a) => a.startsWith('bedrock:'))).toEqual([]);
    const readers = statements.filter((statement) =>
      [statement.Resource].flat().includes(keySecret),
    );
    expect(readers.flatMap(actionsOf)).toEqual(['secretsmanager:GetSecretValue']);
  });

  test.each([
    [{ model: 'Claude, please' }, 'The context "model" must read provider:id'],
    [
      { modelKeySecretArn: 'sk-ant-a-key-itself' },
      'The context "modelKeySecretArn" must be the ARN of a secret',
    ],
  ])('stops a deployment that says %o, without repeating it', (context, sentence) => {
    expect(() => synthesize(context)).toThrow(new Error(sentence));
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

  test('by one queue each: worker, resume and notify, one message at a time, failing only what failed', () => {
    const mappings = propertiesOf('AWS::Lambda::EventSourceMapping');
    for (const mapping of mappings)
      expect(mapping).toMatchObject({
        BatchSize: 1,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      });
    const readers = mappings.map((mapping) => [
      subject(mapping['EventSourceArn']),
      roomOf(target(mapping['FunctionName'])),
    ]);
    expect(readers).toEqual([
      ['QueuesWork', 'Worker'],
      ['QueuesResumes', 'Resume'],
      ['QueuesWebhooks', 'Notify'],
    ]);
  });

  test('each minute: the sweep', () => {
    const rules = propertiesOf('AWS::Events::Rule');
    expect(rules).toHaveLength(1);
    expect(rules[0]).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
    const targets = rules.flatMap((rule) => rule['Targets'] as { Arn: unknown }[]);
    expect(targets.map(({ Arn }) => roomOf(target(Arn)))).toEqual(['Sweep']);
  });
});
