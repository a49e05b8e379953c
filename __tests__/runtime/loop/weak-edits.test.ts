/**
 * A weak model edits files before a strict server: what it sends is taken as it is meant, or it learns from the error, and from that alone,
 * what its second try must be.
 */

import { lastResults, startStrictServer } from '../../support/strict/server.js';
import { oneOfEach, startSession, targetWithScreen } from '../../support/strict/session.js';

const config = 'server {\n\tlisten 8080;\n\tserver_name “old”;\n\troot /srv/www;\n}\nserver {\n\troot /srv/www;\n}\n';
const edit = { oldText: 'listen 8080;', newText: 'listen 9090;' };
const wanted = config.replace('8080', '9090');

/** What it sends first; what it makes of the error that comes back, null: it succeeds at once; what becomes of the file. */
interface Try {
  readonly name: string;
  readonly first: unknown;
  readonly learns: ((error: string) => unknown) | null;
  readonly becomes: string;
}

/** The shape that the error shows, filled in. */
const shown = (error: string) => {
  const shape = /The right shape is (\{.*?\}\]?, "why": "…"\})/.exec(error)?.[1] ?? '';
  const { edits } = JSON.parse(shape) as { edits: readonly object[] };
  return {
    path: '/srv/f',
    edits: edits.map((item) => Object.fromEntries(Object.keys(item).map((key, at) => [key, Object.values(edit)[at]]))),
  };
};
/** A line that the error shows, by its number. */
const line = (error: string, number: number) => new RegExp(`^${number}\\| (.*)$`, 'm').exec(error)?.[1] ?? '';

const tries: readonly Try[] = [
  { name: 'the list as a text', first: { path: '/srv/f', edits: JSON.stringify([edit]) }, learns: null, becomes: wanted },
  {
    name: 'the list as a text with real line ends',
    first: { path: '/srv/f', edits: '[{"oldText":"\tlisten 8080;\n","newText":"\tlisten 9090;\n"}]' },
    learns: null,
    becomes: wanted,
  },
  {
    name: 'one object, other names, further fields',
    first: { file_path: '/srv/f', edits: { old_string: edit.oldText, new_string: edit.newText, line: 2 }, mode: 'edit' },
    learns: null,
    becomes: wanted,
  },
  {
    name: 'the older shape, empty list',
    first: { path: '/srv/f', search: edit.oldText, replace: edit.newText, edits: [] },
    learns: null,
    becomes: wanted,
  },
  { name: 'all in a text', first: JSON.stringify({ path: '/srv/f', ...edit }), learns: null, becomes: wanted },
  {
    name: 'straight quotes, blanks for tabs',
    first: {
      path: '/srv/f',
      edits: [{ oldText: '    listen 8080;\n    server_name "old";', newText: '    listen 9090;\n    server_name "old";' }],
    },
    learns: null,
    becomes: wanted,
  },
  { name: 'a text that is no JSON', first: { path: '/srv/f', edits: 's/8080/9090/' }, learns: shown, becomes: wanted },
  { name: 'texts in the list', first: { path: '/srv/f', edits: ['listen 8080;', 'listen 9090;'] }, learns: shown, becomes: wanted },
  { name: 'no new text', first: { path: '/srv/f', edits: [{ oldText: 'listen 8080;' }] }, learns: shown, becomes: wanted },
  { name: 'nothing', first: {}, learns: shown, becomes: wanted },
  {
    name: 'a line from memory',
    first: { path: '/srv/f', oldText: 'server_name "new";', newText: 'server_name "newer";' },
    learns: (error) => ({ path: '/srv/f', edits: [{ oldText: line(error, 3), newText: '\tserver_name “newer”;' }] }),
    becomes: config.replace('old', 'newer'),
  },
  {
    name: 'a line that occurs twice',
    first: { path: '/srv/f', edits: [{ oldText: '\troot /srv/www;\n', newText: '' }] },
    learns: (error) =>
      error.includes('at lines 4, 7') && error.includes('replaceAll')
        ? { path: '/srv/f', edits: [{ oldText: '\troot /srv/www;\n', newText: '', replaceAll: true }] }
        : {},
    becomes: config.replaceAll('\troot /srv/www;\n', ''),
  },
];

test.each(oneOfEach.flatMap((model) => tries.map((of) => ({ model, ...of, name: `${model.name}: ${of.name}` }))))('$name', async (row) => {
  const { model, first, learns, becomes } = row;
  let asked = 0;
  const call = (args: unknown) => ({ says: { calls: [{ name: 'edit_file', args: [JSON.stringify(args)] }] } });
  const server = await startStrictServer({
    reply(request) {
      asked++;
      if (asked === 1) return call(first);
      const [result = ''] = lastResults(request);
      const { error } = (JSON.parse(result) as { result: { error?: string } }).result;
      return error === undefined || asked > 2 ? { says: { text: ['Done.'] } } : call(learns?.(error) ?? {});
    },
  });
  const fake = targetWithScreen();
  fake.files.set('/srv/f', Buffer.from(config));
  const session = await startSession(server, [model], fake, { policy: { kind: 'all' } });
  expect((await session.prompt('change the port')).error).toBeNull();
  expect(fake.files.get('/srv/f')?.toString()).toBe(becomes);
  expect(session.find('tool.ended').map(({ isError }) => isError)).toEqual(learns === null ? [false] : [true, false]);
  expect(server.faults).toEqual([]);
  await session.close();
  await server.close();
});
