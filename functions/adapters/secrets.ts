import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** Read secrets at cold start; a secret without a value stops the function there. */
export async function readSecrets(arns: readonly string[]): Promise<readonly string[]> {
  const client = new SecretsManagerClient({});
  const read = async (SecretId: string) => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
    if (!SecretString) throw new Error(`The secret ${SecretId} has no value.`);
    return SecretString;
  };
  return Promise.all(arns.map(read));
}
