import type { Ports } from '../../ports.ts';
import type { ApiNeeds } from '../rest.ts';

export type McpNeeds = ApiNeeds & Pick<Ports, 'sealer'>;
