import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ProjectionType,
  TableV2,
  type Attribute,
} from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { tlsOnly } from './tls-only.ts';
import { tables, type KeyDefinition, type TableDefinition } from './definitions.ts';

/** Longer than any task that points at an object lives. What a session points at stays with it. */
const taskValuesExpireAfter = Duration.days(90);

/** What must outlive the stack: a mistaken delete of the deployment leaves every task and value where it is. */
export class Storage extends Construct {
  readonly tasks: TableV2;
  readonly sessions: TableV2;
  readonly webhooks: TableV2;
  readonly users: TableV2;
  readonly objects: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.tasks = table(this, 'Tasks', tables.tasks);
    this.sessions = table(this, 'Sessions', tables.sessions);
    this.webhooks = table(this, 'Webhooks', tables.webhooks);
    this.users = table(this, 'Users', tables.users);
    this.objects = new Bucket(this, 'Objects', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      lifecycleRules: [{ prefix: 'tasks/', expiration: taskValuesExpireAfter }],
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const everyObject = this.objects.arnForObjects('*');
    this.objects.addToResourcePolicy(tlsOnly([everyObject], ['s3:GetObject', 's3:PutObject']));
  }
}

function table(scope: Construct, id: string, definition: TableDefinition): TableV2 {
  const { partitionKey, sortKey, ttlAttribute, indexes } = definition;
  return new TableV2(scope, id, {
    partitionKey: attribute(partitionKey),
    sortKey: attribute(sortKey),
    ...(ttlAttribute && { timeToLiveAttribute: ttlAttribute }),
    globalSecondaryIndexes: indexes.map((index) => ({
      indexName: index.name,
      partitionKey: attribute(index.partitionKey),
      sortKey: attribute(index.sortKey),
      projectionType: ProjectionType.KEYS_ONLY,
    })),
    billing: Billing.onDemand(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    removalPolicy: RemovalPolicy.RETAIN,
  });
}

const attribute = ({ name, type }: KeyDefinition): Attribute => ({
  name,
  type: type === 'S' ? AttributeType.STRING : AttributeType.NUMBER,
});
