/** A time as every wire of the house shows it. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
