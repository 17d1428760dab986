import { dynamoAuditStore } from '../../functions/adapters/dynamo-audit-store.ts';
import { dynamoWebhookStore } from '../../functions/adapters/dynamo-webhook-store.ts';
import { memoryAuditStore } from '../../functions/adapters/memory-audit-store.ts';
import { memoryWebhookStore } from '../../functions/adapters/memory-webhook-store.ts';
import { tables } from '../../infra/definitions.ts';
import { makeTable } from '../../local/make-resources.ts';
import { documentClient, tableEngines } from './engines.ts';
import { namingUses, withoutMore } from './held-to-needs.ts';
import { webhookStoreContract } from './webhook-store-contract.ts';

webhookStoreContract('memory', async () => ({
  webhooks: memoryWebhookStore(),
  audit: memoryAuditStore(),
  stop: async () => {},
}));

for (const engine of tableEngines) {
  webhookStoreContract(
    engine.name,
    async () => {
      const { url, stop } = await engine.start();
      const client = withoutMore(documentClient(url));
      const table = await makeTable(client, `webhooks-${Date.now()}`, tables.webhooks);
      const dynamo = { client, table };
      const webhooks = namingUses('webhooks', dynamoWebhookStore(dynamo));
      return { webhooks, audit: namingUses('audit', dynamoAuditStore(dynamo)), stop };
    },
    engine.missing,
  );
}
