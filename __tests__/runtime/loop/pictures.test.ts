/** Pictures of a person and of tools before the strict servers of all protocols, and a model of each after the other: none refuses what it gets. */

import { exited } from '../../support/fake-target.js';
import { png } from '../../support/pictures.js';
import { startStrictServer } from '../../support/strict/server.js';
import { oneOfEach, startSession, targetWithScreen } from '../../support/strict/session.js';

const picture = png(20, 10);

test.each(oneOfEach)('$name', async (model) => {
  let given = 0;
  const server = await startStrictServer({
    reply: () => {
      given++;
      const calls = [
        { name: 'read_file', args: [JSON.stringify({ path: '/srv/x.png', why: 'to see' })] },
        { name: 'time', args: ['{"why":"to know"}'] },
      ];
      return given === 1 ? { says: { calls } } : { says: { text: ['I see.'] } };
    },
  });
  const fake = targetWithScreen(() => exited('done\n'));
  fake.files.set('/srv/x.png', picture);
  const bodies: string[] = [];
  const session = await startSession(server, [model, ...oneOfEach.filter(({ name }) => name !== model.name)], fake, {}, (body) => {
    bodies.push(JSON.stringify(body));
  });
  const prompts = [await session.prompt('what is in @x.png?')];
  for (const { name } of oneOfEach) {
    session.runtime.send({ type: 'model.switch', profile: name });
    await session.next('model.switched');
    prompts.push(await session.prompt(`and now, ${name}? @x.png`));
  }
  await session.close();
  await server.close();
  expect(prompts.map(({ outcome, error }) => [outcome, error])).toEqual(prompts.map(() => ['completed', null]));
  const data = picture.toString('base64');
  // The one that was named first, that of read_file, and one for each prompt that followed.
  expect(bodies.map((body) => body.split(data).length - 1)).toEqual([1, 2, 3, 4, 5]);
});
