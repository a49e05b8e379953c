/** 200 prompts in one session that goes from model to model of all three protocols: no strict server ever refuses a request. */

import { createRandom } from '../../screen/fuzz/random.js';
import { settle } from '../../support/fake-clock.js';
import { exited, fakeTarget } from '../../support/fake-target.js';
import { asksForSummary, eventCount, type StrictReply, type StrictRequest, startStrictServer } from '../../support/strict/server.js';
import { type ServedModel, startSession } from '../../support/strict/session.js';
import { withCalls, withoutCalls } from './sorts.js';

const models: readonly ServedModel[] = [
  { name: 'gpt', api: 'chat', provider: 'openai', model: 'gpt-4.1' },
  { name: 'sonnet', api: 'anthropic', provider: 'anthropic', model: 'claude-sonnet-4-5', reasoningEffort: 'low' },
  { name: 'codex', api: 'responses', provider: 'openai', model: 'gpt-5-codex', reasoningEffort: 'medium' },
  { name: 'mistral', api: 'chat', provider: 'mistral', model: 'devstral-medium' },
  { name: 'opus', api: 'anthropic', provider: 'anthropic', model: 'claude-opus-4-1', reasoningEffort: 'high' },
  { name: 'deepseek', api: 'chat', provider: 'deepseek', model: 'deepseek-v3.2', reasoningEffort: 'high' },
  { name: 'mini', api: 'responses', provider: 'openai', model: 'gpt-5-mini', reasoningEffort: 'low' },
  { name: 'kimi', api: 'chat', provider: 'moonshot', model: 'kimi-k2.5' },
  { name: 'haiku', api: 'anthropic', provider: 'anthropic', model: 'claude-haiku-4-5' },
  { name: 'groq', api: 'chat', provider: 'groq', model: 'gpt-oss-120b' },
  { name: 'gemini', api: 'chat', provider: 'gemini', model: 'gemini-3-pro' },
  { name: 'ministral', api: 'chat', provider: 'vllm', model: 'Ministral-3-8B' },
  // These two have windows that the session is soon too large for.
  { name: 'small', api: 'chat', provider: 'openai', model: 'gpt-small', contextTokens: 24_000 },
  { name: 'narrow', api: 'anthropic', provider: 'anthropic', model: 'claude-3-haiku', contextTokens: 24_000 },
];

const PROMPTS = 200;
/** Calls in a row before the model has to speak. */
const DEEPEST = 3;

/** What the person does about a prompt. */
type Deed = 'waits' | 'interrupts' | 'steers';

test.each([1])(
  'seed %d',
  async (seed) => {
    const random = createRandom(seed);
    let depth = 0;
    const reply = (request: StrictRequest): StrictReply => {
      const { api } = request;
      if (asksForSummary(request)) return { says: { text: ['There were prompts of all sorts.'] } };
      depth++;
      const calls = depth <= DEEPEST && !random.rarely(3);
      const says = random.one(calls ? withCalls : withoutCalls);
      if (!random.rarely(12)) return { says };
      return { says, events: random.number(eventCount(api, says)), end: random.one(['cut', 'failure'] as const) };
    };
    const server = await startStrictServer({ reply });
    // A screen whose last 2500 characters begin within an emoji.
    const fake = fakeTarget(({ command }) => exited(`output of ${command}\n`.repeat(20), command === 'true' ? 0 : 1), {
      screen: `${'😀'.repeat(1500)}$`,
    });
    fake.files.set('/a', Buffer.from('a'.repeat(500)));
    fake.files.set('/b', Buffer.from('😀'.repeat(100)));
    const session = await startSession(server, models, fake);
    let deed: Deed = 'waits';
    let countdown = 0;
    let task = '';
    let running = 0;
    session.runtime.onEvent(({ event }) => {
      if (event.type === 'task.started') {
        task = event.task;
        running++;
      }
      if (event.type === 'task.ended') running--;
      if (event.type === 'approval.requested') session.answer(random.one(['once', 'once', 'deny'] as const));
      if (countdown-- !== 0) return;
      if (deed === 'interrupts') session.runtime.send({ type: 'task.cancel', task });
      if (deed === 'steers') session.runtime.send({ type: 'prompt.steer', text: 'and be quick' });
    });
    const spoken = new Set<string>();
    const ends: Record<string, number> = {};
    for (let prompt = 0; prompt < PROMPTS; prompt++) {
      const model = random.one(models);
      session.runtime.send({ type: 'model.switch', profile: model.name });
      spoken.add(model.name);
      depth = 0;
      deed = random.one(['waits', 'waits', 'waits', 'interrupts', 'steers'] as const);
      countdown = 1 + random.number(25);
      const { outcome, error } = await session.prompt(`prompt ${prompt}`);
      // What was said too late for this prompt is one of its own.
      await settle();
      while (running > 0) await session.next('task.ended');
      const end = error?.code ?? outcome;
      ends[end] = (ends[end] ?? 0) + 1;
      expect({ seed, prompt, model: model.name, faults: server.faults }).toEqual({ seed, prompt, model: model.name, faults: [] });
    }
    await session.close();
    await server.close();
    // It was a session of all sorts, on all models, and it never came to a standstill.
    expect([...spoken].sort()).toEqual(models.map(({ name }) => name).sort());
    expect(server.requests.length).toBeGreaterThan(PROMPTS);
    expect(Object.keys(ends)).toEqual(expect.arrayContaining(['completed', 'cancelled', 'model.stream', 'model.server']));
    expect(ends['completed']).toBeGreaterThan(PROMPTS / 2);
  },
  120_000,
);
