/** Identifiers are branded so that a call id can never be passed where a task id is meant. */
type Brand<Name extends string> = string & { readonly brand: Name };

/** The authenticated principal. Every key begins with it, so another owner's id is simply not found. */
export type Owner = Brand<'Owner'>;
/** Ours, and unguessable. */
export type TaskId = Brand<'TaskId'>;
/** Minted by the model: the address every later response is written back to. Never a JSON-RPC id. */
export type CallId = Brand<'CallId'>;
export type SessionId = Brand<'SessionId'>;

export const asOwner = (value: string) => value as Owner;
export const asTaskId = (value: string) => value as TaskId;
export const asCallId = (value: string) => value as CallId;
export const asSessionId = (value: string) => value as SessionId;

/** Whoever works on their own machine, without a key. */
export const devOwner = asOwner('dev');
/** Whose the key is that is made at deploy. */
export const deployOwner = asOwner('default');

/**
 * The owner's name becomes part of a key, so it may not contain the key's separator; and the name of a
 * folder, so it may not be one that leads elsewhere.
 */
export const isOwnerName = (value: string) => /^(?!\.+$)[A-Za-z0-9_.@-]{1,64}$/.test(value);

/** What could be an id of ours. Anything else is not found without a look, like an id nobody has. */
export const isTaskId = (value: string) => /^[\x21-\x7e]{1,128}$/.test(value);
export const isSessionId = (value: string) => /^sess_[A-Za-z0-9_-]{32}$/.test(value);
