import { RemovalPolicy, type Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat, type BundlingOptions } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { join } from 'node:path';

interface RoomProps {
  /** Folder under functions/ whose handler.ts this Lambda runs. */
  readonly room: 'api' | 'worker' | 'resume' | 'notify' | 'sweep';
  readonly timeout: Duration;
  readonly memoryMb?: number;
  readonly environment: Readonly<Record<string, string>>;
}

const projectRoot = join(import.meta.dirname, '..');

/** Lambda hands credentials over in the environment: the other ways to find them are never loaded. */
const credentialsFromElsewhere = ['ini', 'login', 'process', 'sso', 'web-identity'].map(
  (source) => `@aws-sdk/credential-provider-${source}`,
);

/** Each setting here is cold-start time: together a fifth less than what CDK does by default. */
const bundling: BundlingOptions = {
  format: OutputFormat.ESM,
  mainFields: ['module', 'main'],
  minify: true,
  sourceMap: true,
  sourcesContent: false,
  bundleAwsSDK: true,
  externalModules: credentialsFromElsewhere,
  // Packages that are still CommonJS inside call require, which an ES module does not have.
  banner: "import{createRequire as r}from'node:module';const require=r(import.meta.url);",
  forceDockerBundling: false,
};

/** Memory buys processor time as well: this much starts fast. */
const memoryDefaultMb = 512;

/** One Lambda per room, all built alike; what differs is only what stands in the props. */
export class RoomFunction extends NodejsFunction {
  constructor(scope: Construct, id: string, props: RoomProps) {
    const { room, timeout, memoryMb = memoryDefaultMb, environment } = props;
    super(scope, id, {
      entry: join(projectRoot, 'functions', room, 'handler.ts'),
      projectRoot,
      depsLockFilePath: join(projectRoot, 'package-lock.json'),
      bundling,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMb,
      timeout,
      environment: { ...environment, NODE_OPTIONS: '--enable-source-maps' },
      logGroup: new LogGroup(scope, `${id}Log`, {
        retention: RetentionDays.ONE_MONTH,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    });
  }

  /** By name only: CDK's own grants bring more than a room asks for, and wildcards with it. */
  allow(resourceArn: string, ...actions: readonly string[]): void {
    this.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [resourceArn] }));
  }
}
