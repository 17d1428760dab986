/** The JSON of a body that others still have to read; nothing when it is none, which is for them to say. */
export async function peekJson(request: Request): Promise<unknown> {
  try {
    return await request.clone().json();
  } catch {
    return undefined;
  }
}
