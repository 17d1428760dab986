import type { Tool, Tools } from '../core/tool.ts';
import type { Ports } from '../ports.ts';
import { backgroundTools, type BackgroundNeeds } from './background.ts';
import { batchCreateUsers } from './batch-create-users.ts';
import { toolsByName } from './define-tool.ts';
import { deleteAllUsers } from './delete-all-users.ts';
import { deployToStaging } from './deploy-to-staging.ts';
import { installPackage } from './install-package.ts';
import { userTools } from './users.ts';

type ToolNeeds = Omit<BackgroundNeeds, 'tools'> & Pick<Ports, 'users' | 'github'>;

/** The tools of this deployment. Add your own here. */
const deployed = (ports: ToolNeeds): readonly Tool[] => [
  ...userTools(ports),
  batchCreateUsers(ports),
  installPackage(ports),
  deployToStaging(ports),
  deleteAllUsers(ports),
];

/** The deployed tools, and the background tools that can start any of them. */
export function registry(ports: ToolNeeds, more: readonly Tool[] = []): Tools {
  const all: Tools = toolsByName([
    ...deployed(ports),
    ...more,
    ...backgroundTools({
      ...ports,
      get tools() {
        return all;
      },
    }),
  ]);
  return all;
}
