/** The dashboard against a local OpenAI-compatible server, by both protocols, with two tool calls in one answer. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { answer, type Home, withEye } from './eye.js';

const mock = new LLMock({ port: 0 });
const claim = { risk: 'low', mutation: false, privesc: false, why: 'To see both at once.' };
const shell = (command: string) => ({ name: 'run_shell', arguments: JSON.stringify({ command, ...claim }) });

beforeAll(async () => {
  const said = (request: { readonly messages: readonly { readonly role: string }[] }, role: string) =>
    request.messages.some((message) => message.role === role);
  mock.on(
    { predicate: (request) => !said(request, 'tool') },
    { content: 'I look at **both**.', toolCalls: [shell('echo first-$((1+1))'), shell('echo second-$((2+2)); (exit 7)')] },
  );
  mock.on({ predicate: (request) => said(request, 'tool') }, { content: 'Both were run: the second one ended with *seven*.' });
  await mock.start();
});
afterAll(() => mock.stop());

function configure(home: Home, api: string): void {
  const folder = join(home.folder, '.config', 'buddy');
  mkdirSync(folder, { recursive: true });
  const profile = [`api_base_url = "${mock.url}/v1"`, `api = "${api}"`, 'model = "mock-1"', 'api_key = "key-for-tests-only"'];
  writeFileSync(join(folder, 'buddy.toml'), ['[models.mock]', ...profile, ''].join('\n'), { mode: 0o600 });
}

test.each(['completions', 'responses'])('%s: both commands are asked for, one by one; their results go back', (api) =>
  withEye(async (eye, home) => {
    configure(home, api);
    await eye.start();
    await eye.sees(/mock ▸ /);
    await eye.line('look at both');
    await eye.sees(/approve on this host[\s\S]*│ +echo first/);
    await answer(eye, 'y', 'echo first');
    await eye.sees(/approve on this host[\s\S]*│ +echo second/);
    await answer(eye, 'y', 'echo second');
    await eye.sees('Both were run: the second one ended with seven.');
    await eye.sees(/pane shared · idle · exit 7[\s\S]*first-2[\s\S]*second-4/);
    const sent = JSON.stringify(mock.getLastRequest()?.body);
    expect(sent).toContain('first-2');
    expect(sent).toContain('second-4');
    expect(sent).toContain('\\"exit_code\\":7');
  }),
);

test('no: the model is told and nothing ran', () =>
  withEye(async (eye, home) => {
    configure(home, 'completions');
    await eye.start();
    await eye.line('look at both');
    await eye.sees(/│ +echo first/);
    await answer(eye, 'n', 'echo first');
    await eye.sees(/│ +echo second/);
    await answer(eye, 'n', 'echo second');
    await eye.sees('Both were run');
    expect(await home.tmux('capture-pane', '-p', '-t', '=buddy-agent-mo:')).not.toContain('first');
    expect(JSON.stringify(mock.getLastRequest()?.body)).toContain('The user said no; nothing ran.');
  }));
