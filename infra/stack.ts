import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Api } from './api.ts';
import { Notify } from './notify.ts';
import { Queues } from './queues.ts';
import { Resume } from './resume.ts';
import { Secrets } from './secrets.ts';
import { Storage } from './storage.ts';
import { Sweep } from './sweep.ts';
import { Untold } from './untold.ts';
import { Worker } from './worker.ts';

/** Everything in one stack: the rooms share tables and queues, and are only correct at one version. */
export class BoomerangStack extends Stack {
  readonly api: Api;
  readonly worker: Worker;
  readonly resume: Resume;
  readonly notify: Notify;
  readonly sweep: Sweep;
  readonly untold: Untold;

  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const storage = new Storage(this, 'Storage');
    const queues = new Queues(this, 'Queues');
    const secrets = new Secrets(this, 'Secrets');
    const shared = { storage, queues, secrets };
    this.api = new Api(this, 'Api', shared);
    this.worker = new Worker(this, 'Worker', { ...shared, publicUrl: this.api.url });
    this.resume = new Resume(this, 'Resume', shared);
    this.notify = new Notify(this, 'Notify', { storage, queues });
    this.sweep = new Sweep(this, 'Sweep', { storage, queues });
    const rooms = { worker: this.worker.room, sweep: this.sweep.room, notify: this.notify.room };
    this.untold = new Untold(this, 'Untold', { rooms, queues });
    output(this, 'ApiUrl', this.api.url, 'REST and callbacks');
    output(this, 'McpUrl', `${this.api.url}mcp`, 'What an MCP client is given');
    output(this, 'ApiKeySecretArn', secrets.apiKey.secretArn, 'Where the API key can be read');
  }
}

function output(scope: Construct, id: string, value: string, description: string): CfnOutput {
  return new CfnOutput(scope, id, { value, description });
}
