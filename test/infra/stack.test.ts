import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { queues, tables, workerTimeoutS, type TableDefinition } from '../../infra/definitions.ts';
import { unreachedFact } from '../../functions/notify/settle.ts';
import { overdueFact } from '../../functions/sweep/late-webhooks.ts';
import { untoldFact } from '../../functions/tasks/untold.ts';
import { resources, roomOf, synthesize, target, type Properties } from './template.ts';

const template = synthesize();
const functions = resources(template, 'AWS::Lambda::Function');
const deployedQueues = resources(template, 'AWS::SQS::Queue');
const deployedTables = [...resources(template, 'AWS::DynamoDB::GlobalTable').values()];
const propertiesOf = (type: string) =>
  [...resources(template, type).values()].map((resource) => resource.Properties);

describe('queues', () => {
  const dead = new Map(
    [...deployedQueues.values()].flatMap(({ Properties }) => {
      const policy = Properties['RedrivePolicy'] as
        { deadLetterTargetArn: unknown; maxReceiveCount: number } | undefined;
      return policy ? [[target(policy.deadLetterTargetArn), policy.maxReceiveCount] as const] : [];
    }),
  );

  test('each has dead letters of its own, after as many receives as defined', () => {
    const live = [...deployedQueues.keys()].filter((id) => !dead.has(id));
    expect(live).toHaveLength(Object.keys(queues).length);
    expect(dead.size).toBe(live.length);
    expect([...dead.values()]).toEqual(Object.values(queues).map((queue) => queue.receivesMax));
  });

  test('hide a message at least six times as long as its function may live', () => {
    for (const mapping of propertiesOf('AWS::Lambda::EventSourceMapping')) {
      const queue = deployedQueues.get(target(mapping['EventSourceArn']));
      const reader = functions.get(target(mapping['FunctionName']));
      const visibilityS = Number(queue?.Properties['VisibilityTimeout']);
      expect(visibilityS).toBeGreaterThanOrEqual(6 * Number(reader?.Properties['Timeout']));
    }
  });

  test('keep messages 14 days, encrypted, dead letters too', () => {
    for (const { Properties } of deployedQueues.values())
      expect(Properties).toMatchObject({
        MessageRetentionPeriod: 1_209_600,
        SqsManagedSseEnabled: true,
      });
    template.resourceCountIs('AWS::SQS::QueuePolicy', deployedQueues.size);
  });
});

describe('storage', () => {
  const names = (definition: TableDefinition) => [
    definition.partitionKey.name,
    definition.sortKey.name,
  ];

  test('has every defined table under its keys, and no other', () => {
    const keys = deployedTables.map(({ Properties }) =>
      (Properties['KeySchema'] as { AttributeName: string }[]).map((key) => key.AttributeName),
    );
    expect(keys).toEqual(Object.values(tables).map(names));
  });

  test('can be restored to a point in time, is paid on demand and outlives the stack', () => {
    for (const table of deployedTables) {
      expect(table.Properties).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
      });
      expect([table.DeletionPolicy, table.UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
    }
  });

  const index = (IndexName: string) =>
    Match.objectLike({ IndexName, Projection: { ProjectionType: 'KEYS_ONLY' } });

  test('tasks expire, and both of their indexes hold keys only', () => {
    template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      GlobalSecondaryIndexes: [index('due'), index('newest')],
    });
  });

  test('sessions stay, and their index holds keys only', () => {
    template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      TimeToLiveSpecification: Match.absent(),
      GlobalSecondaryIndexes: [index('newest')],
    });
  });

  test('far values are private, encrypted, kept 90 days', () => {
    const bucket = [...resources(template, 'AWS::S3::Bucket').values()];
    expect(bucket).toHaveLength(1);
    expect(bucket[0]).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        LifecycleConfiguration: { Rules: [{ ExpirationInDays: 90, Status: 'Enabled' }] },
      },
    });
    expect(bucket[0]?.Properties).toHaveProperty('BucketEncryption');
  });
});

describe('functions', () => {
  test('are one per room, on nodejs24.x and arm64', () => {
    expect([...functions.keys()].map(roomOf).toSorted()).toEqual([
      'Api',
      'Notify',
      'Resume',
      'Sweep',
      'Worker',
    ]);
    for (const { Properties } of functions.values())
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
  });

  test('the worker knows the address at which callbacks arrive', () => {
    const [url] = resources(template, 'AWS::Lambda::Url').keys();
    template.hasResourceProperties('AWS::Lambda::Function', {
      Timeout: workerTimeoutS,
      Environment: {
        Variables: Match.objectLike({ PUBLIC_URL: { 'Fn::GetAtt': [url, 'FunctionUrl'] } }),
      },
    });
  });

  test.each([
    [{}, 'RESPONSE_STREAM', 'true'],
    [{ streaming: 'false' }, 'BUFFERED', 'false'],
  ])('with context %o the URL answers in mode %s', (context, InvokeMode, STREAMING) => {
    const made = synthesize(context);
    made.hasResourceProperties('AWS::Lambda::Url', { AuthType: 'NONE', InvokeMode });
    made.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ STREAMING }) },
    });
  });

  test('the API alone knows whose tokens it takes', () => {
    const context = { publicUrl: 'https://b.example', oauthIssuer: 'https://issuer.example' };
    const told = [...resources(synthesize(context), 'AWS::Lambda::Function')].filter(
      ([, { Properties }]) => JSON.stringify(Properties).includes('OAUTH_'),
    );
    expect(told.map(([id]) => roomOf(id))).toEqual(['Api']);
    expect(told[0]?.[1].Properties).toMatchObject({
      Environment: {
        Variables: { PUBLIC_URL: 'https://b.example', OAUTH_ISSUER: 'https://issuer.example' },
      },
    });
  });
});

describe('ends that nobody is told of', () => {
  const filters = propertiesOf('AWS::Logs::MetricFilter');

  test('are counted from what the rooms write into their logs', () => {
    const counted = filters.map((filter) => {
      const [{ MetricName }] = filter['MetricTransformations'] as [{ MetricName: string }];
      return [MetricName, filter['FilterPattern']];
    });
    const untold = [
      'EndedButNotTold',
      `{ ($.message = "${untoldFact}") || ($.message = "${overdueFact}") }`,
    ];
    expect(counted).toEqual([
      untold,
      untold,
      ['ReceiverNotReached', `{ $.message = "${unreachedFact}" }`],
    ]);
  });

  test('raise an alarm', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'EndedButNotTold',
      Namespace: 'Boomerang',
      Threshold: 1,
      TreatMissingData: 'notBreaching',
    });
  });

  test('raise another when their messages are taken by nobody', () => {
    const alarms = propertiesOf('AWS::CloudWatch::Alarm');
    const watched = alarms.flatMap((alarm) => (alarm['Metrics'] as Properties[]) ?? []);
    const names = watched.map(
      (metric) => (metric['MetricStat'] as { Metric: Properties } | undefined)?.Metric,
    );
    expect(watched[0]).toMatchObject({ Expression: 'MAX([resumes, webhooks])' });
    const queues = names.slice(1).map((one) => JSON.stringify(one?.['Dimensions']));
    expect(queues).toEqual([
      expect.stringContaining('QueuesResumes'),
      expect.stringContaining('QueuesWebhooks'),
    ]);
  });
});
