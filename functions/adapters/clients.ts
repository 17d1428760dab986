import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Clients that take region, credentials and endpoints from the environment alone: AWS, LocalStack and
 * the embedded engines differ in nothing else. The queue URL's host is not an endpoint: emulators give
 * one that does not resolve.
 */
export const dynamoClient = () =>
  DynamoDBDocumentClient.from(new DynamoDBClient({}), {
    marshallOptions: { removeUndefinedValues: true },
  });

export const sqsClient = () => new SQSClient({ useQueueUrlAsEndpoint: false });
