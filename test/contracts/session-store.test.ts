import { dynamoSessionStore } from '../../functions/adapters/dynamo-session-store.ts';
import { memorySessionStore } from '../../functions/adapters/memory-session-store.ts';
import { tables } from '../../infra/definitions.ts';
import { makeTable } from '../../local/make-resources.ts';
import { documentClient, tableEngines } from './engines.ts';
import { namingUses, withoutMore } from './held-to-needs.ts';
import { sessionStoreContract } from './session-store-contract.ts';

sessionStoreContract('memory', async () => ({
  sessions: memorySessionStore(),
  stop: async () => {},
}));

for (const engine of tableEngines) {
  sessionStoreContract(
    engine.name,
    async () => {
      const { url, stop } = await engine.start();
      const client = withoutMore(documentClient(url));
      const table = await makeTable(client, `sessions-${Date.now()}`, tables.sessions);
      return { sessions: namingUses('sessions', dynamoSessionStore({ client, table })), stop };
    },
    engine.missing,
  );
}
