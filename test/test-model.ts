import { profileFor } from '../functions/core/profile.ts';
import type { Model, ModelReply, ModelRequest } from '../functions/core/model.ts';

/** A model of known words: it says `ok` unless a test gives it something else to say. */
export const testModel = (
  speak: (request: ModelRequest) => Partial<ModelReply> = () => ({}),
): Model => ({
  name: 'test',
  profile: profileFor('scripted', 'test'),
  async generate(request) {
    const said = speak(request);
    const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
    const reply = { text: 'ok', calls: [], usage, ...said };
    request.onText(reply.text);
    return { kind: 'reply', reply };
  },
});
