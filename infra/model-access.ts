import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { contextText } from './context-text.ts';
import type { RoomFunction } from './room-function.ts';

/** Whose id begins with `global.` can be asked from every region, and the stack names none. */
const modelDefault = 'bedrock:global.anthropic.claude-sonnet-4-5-20250929-v1:0';

/** The model of a deployment: `-c model=bedrock:<id>`, or another provider with the secret of its key. */
interface ModelChoice {
  readonly model: string;
  /** `-c modelKeySecretArn=…`: made by whoever deploys, so that no key ever stands in a template. */
  readonly keySecretArn: string | undefined;
}

export function modelChoice(scope: Construct): ModelChoice {
  return {
    model: contextText(scope, 'model', 'read provider:id', /^[a-z-]+(:\S+)?$/) ?? modelDefault,
    keySecretArn: contextText(
      scope,
      'modelKeySecretArn',
      'be the ARN of a secret',
      /^arn:[\w-]+:secretsmanager:\S+$/,
    ),
  };
}

export const modelEnvironment = ({ model, keySecretArn }: ModelChoice) => ({
  MODEL: model,
  ...(keySecretArn === undefined ? {} : { MODEL_API_KEY_SECRET_ARN: keySecretArn }),
});

/** A session may name another model of the same provider; a profile may answer from another region. */
export function allowModel(room: RoomFunction, { model, keySecretArn }: ModelChoice): void {
  if (keySecretArn !== undefined) room.allow(keySecretArn, 'secretsmanager:GetSecretValue');
  if (!model.startsWith('bedrock:')) return;
  const { partition, region, account } = Stack.of(room);
  const bedrock = `arn:${partition}:bedrock`;
  for (const arn of [
    `${bedrock}:*::foundation-model/*`,
    `${bedrock}:${region}:${account}:inference-profile/*`,
    `${bedrock}:${region}:${account}:application-inference-profile/*`,
  ])
    room.allow(arn, 'bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream');
}
