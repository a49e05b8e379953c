/** The page that a browser of this machine comes back to: what it answers, and to whom. */

import { request } from 'node:http';
import { listenOnLoopback } from '../../lib/base/loopback-server.js';

/** The status of an answer to exactly that line and host. */
const statusOf = (port: number, path: string, host = `127.0.0.1:${port}`, method = 'GET'): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject).end();
  });

test('its own address is answered; another name, another method and what is no address are refused', async () => {
  const paths: string[] = [];
  const server = await listenOnLoopback(0, ({ path }) => {
    paths.push(path);
    return { status: 200, text: 'here' };
  });
  try {
    expect(await statusOf(server.port, '/callback?code=1')).toBe(200);
    expect(await statusOf(server.port, '/callback', 'evil.example')).toBe(403);
    expect(await statusOf(server.port, '/callback', undefined, 'POST')).toBe(405);
    for (const path of ['//', 'http://[', '//:x']) expect(await statusOf(server.port, path)).toBe(400);
    expect(paths).toEqual(['/callback']);
  } finally {
    await server.close();
  }
});
