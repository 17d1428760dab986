import { grantsOf } from './grants.ts';
import { neededFor } from './needs.ts';
import { statementsByRoom, synthesize } from './template.ts';

/**
 * The engines on one's own machine ask for no rights. What each room does to the stores while everything
 * breaks around it is seen in the simulation, and must be allowed to it on AWS.
 */

/** Each room and what it needs a right for that it does not have. */
export function rightsMissing(seen: Iterable<string>): readonly string[] {
  const rooms = statementsByRoom(synthesize());
  return [...seen].flatMap((fact) => {
    const [, room = '', use] = /^(\w+) uses (\S+)$/.exec(fact) ?? [];
    if (use === undefined) return [];
    const granted = new Set(grantsOf(rooms.get(room) ?? []));
    const lacking = neededFor(use).filter((right) => !granted.has(right));
    return lacking.map((right) => `${room} lacks ${right} for ${use}`);
  });
}
