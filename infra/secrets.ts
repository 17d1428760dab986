import { RemovalPolicy } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/** 62 characters to choose from: 48 of them are more than 256 bits, and none needs escaping anywhere. */
const generateSecretString = { passwordLength: 48, excludePunctuation: true };

/** Made at deploy and never seen by it: templates, logs and the environment hold only where they are. */
export class Secrets extends Construct {
  /** Task ids of identified calls derive from it, so it stays as long as the tables that hold them. */
  readonly server: Secret;
  /** The one key a fresh deployment accepts. More are added to it as lines: `owner:sha256:<digest>`. */
  readonly apiKey: Secret;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.server = new Secret(this, 'Server', {
      description: 'Boomerang: derives task ids',
      generateSecretString,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.apiKey = new Secret(this, 'ApiKey', {
      description: 'Boomerang: the API keys of its callers',
      generateSecretString,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}
