/** A prompt with a call, a follow-up and a second prompt, before servers that refuse what only they refuse. */

import { type StrictServer, startStrictServer } from '../../support/strict/server.js';
import { type ServedModel, startSession } from '../../support/strict/session.js';

let server: StrictServer;
afterEach(() => server.close());

const models: readonly ServedModel[] = [
  { name: 'Mistral', api: 'chat', provider: 'mistral', model: 'devstral-medium' },
  { name: 'DeepSeek', api: 'chat', provider: 'deepseek', model: 'deepseek-v3.2', reasoningEffort: 'high' },
  { name: 'Moonshot', api: 'chat', provider: 'moonshot', model: 'kimi-k2.5' },
  { name: 'Groq', api: 'chat', provider: 'groq', model: 'gpt-oss-120b' },
  { name: 'Gemini', api: 'chat', provider: 'gemini', model: 'gemini-3-pro' },
  { name: 'Ministral on an own server', api: 'chat', provider: 'vllm', model: 'mistralai/Ministral-3-8B-Instruct' },
];

test.each(models)('$name', async (model) => {
  server = await startStrictServer({
    reply: ({ number }) =>
      number % 2 === 0
        ? { says: { reasoning: 'Hm.', calls: [{ name: 'time', args: ['{"why":"to know"}'] }] } }
        : { says: { text: ['It is late.'] } },
  });
  const session = await startSession(server, [model]);
  for (const text of ['how late is it?', 'and now?']) {
    const { outcome, error } = await session.prompt(text);
    expect({ outcome, error, faults: server.faults }).toEqual({ outcome: 'completed', error: null, faults: [] });
  }
  await session.close();
  expect(server.requests).toHaveLength(4);
});
