import type { User, ObjectStore, UserStore } from '../ports.ts';

export function memoryObjectStore(): ObjectStore {
  const objects = new Map<string, string>();
  return {
    async put(key, text) {
      objects.set(key, text);
    },
    async get(key) {
      const text = objects.get(key);
      if (text === undefined) throw new Error(`No object ${key}.`);
      return text;
    },
  };
}

export function memoryUserStore(): UserStore {
  const users = new Map<string, User>();
  const nameOf = (owner: string, id: string) => `${owner}#${id}`;
  return {
    async create(owner, user) {
      const name = nameOf(owner, user.id);
      const found = users.get(name);
      if (!found) users.set(name, user);
      return found ?? user;
    },
    get: async (owner, id) => users.get(nameOf(owner, id)),
    async change(owner, id, { name, email }) {
      const found = users.get(nameOf(owner, id));
      if (!found) return undefined;
      const changed = { id, name: name ?? found.name, email: email ?? found.email };
      users.set(nameOf(owner, id), changed);
      return changed;
    },
    remove: async (owner, id) => users.delete(nameOf(owner, id)),
    async list(owner, { limit, cursor = '' }) {
      const own = [...users].filter(([name]) => name.startsWith(nameOf(owner, '')));
      const after = own.map(([, user]) => user).filter(({ id }) => id > cursor);
      const sorted = after.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const items = sorted.slice(0, limit);
      const last = items.at(-1);
      return last && sorted.length > limit ? { items, cursor: last.id } : { items };
    },
  };
}
