/** The catalogue of models and the system prompt, as they are shipped. */

import { readFileSync, statSync } from 'node:fs';
import { BuddyError } from '../../lib/base/errors.js';
import { bundledProfiles, demoProfile } from '../../lib/config/profiles.js';
import { loadCatalogue, parseCatalogue } from '../../lib/models/catalogue.js';
import { parseCompactPrompt, renderCompactPrompt } from '../../lib/models/compact-prompt.js';
import { summarize } from '../../lib/models/index.js';
import { parseSystemPrompt, renderSystemPrompt } from '../../lib/models/system-prompt.js';
import { modelHost } from './provider-under-test.js';

describe('models.toml', () => {
  test('is compact', () => {
    expect(statSync('templates/models.toml').size).toBeLessThan(47_000);
  });

  test('knows the usual models, under the names that servers and routers give them', async () => {
    const catalogue = await loadCatalogue(process.cwd());
    const tokens = (model: string) => catalogue.facts(model).contextTokens;
    expect({
      codex: tokens('gpt-5.3-codex'),
      newer: tokens('gpt-5.9-unheard-of'),
      routed: tokens('openai/gpt-4o-mini'),
      free: tokens('DeepSeek/DeepSeek-V3.2:free'),
      kimi: tokens('kimi-k2.5'),
      local: tokens('qwen3:8b'),
      unknown: tokens('my-own-model'),
    }).toEqual({ codex: 400_000, newer: 400_000, routed: 128_000, free: 163_840, kimi: 262_144, local: 262_144, unknown: 32_768 });
    expect(catalogue.facts('gpt-4.1')).toMatchObject({ inputPrice: 2, outputPrice: 8, cacheReadPrice: 0.5 });
  });

  test('the first rule that fits decides; a broken rule is passed over', async () => {
    const catalogue = await parseCatalogue(
      'default_context_window = 7\n[[rule]]\nmatch = "prefix"\npattern = "A-"\ncontext_window = 1\n[[rule]]\nmatch = "near"\npattern = "b"\ncontext_window = 2\n[[rule]]\nmatch = "contains"\npattern = "b"\ncontext_window = 3\n',
    );
    expect(['a-b', 'x/a-c', 'cba', 'zzz'].map((model) => catalogue.facts(model).contextTokens)).toEqual([1, 1, 3, 7]);
  });

  test('profiles are told with their window; their own word goes first', async () => {
    const profiles = [...bundledProfiles, { ...demoProfile, name: 'own', contextLimit: 5 }];
    expect((await summarize(profiles, modelHost())).map(({ profile, contextTokens }) => [profile, contextTokens])).toEqual([
      ['gpt-codex', 400_000],
      ['chatgpt', 272_000],
      ['openrouter-deepseek', 163_840],
      ['openrouter-glm', 202_752],
      ['kimi', 262_144],
      ['claude-sonnet', 200_000],
      ['claude-haiku', 200_000],
      ['own', 5],
    ]);
  });
});

test("prices are told where the list is right: not of a server of one's own, a subscription or the demo", async () => {
  const codex = bundledProfiles.find(({ name }) => name === 'gpt-codex') ?? demoProfile;
  const own = { ...codex, name: 'own', provider: 'other' } as const;
  const login = { ...codex, name: 'login', auth: 'login' } as const;
  const told = await summarize([codex, own, login, demoProfile], modelHost());
  expect(told.map(({ profile, prices }) => [profile, prices])).toEqual([
    ['gpt-codex', { input: 1.75, output: 14, cacheRead: 0.175, cacheWrite: null }],
    ['own', undefined],
    ['login', undefined],
    ['demo', undefined],
  ]);
});

describe('system_prompt.template', () => {
  const template = parseSystemPrompt(readFileSync('templates/system_prompt.template', 'utf8'), 'system_prompt.template');

  test('everything that can stand in it', () => {
    const prompt = renderSystemPrompt(template, {
      remoteTarget: 'web-01 (ssh)',
      toolNames: ['run_shell', 'time'],
      customInstructions: ' Be kind. ',
    });
    expect(prompt).toContain('Commands and files are those of web-01 (ssh)');
    expect(prompt).toContain('no others:\n- run_shell\n- time\n\nEvery');
    expect(prompt).toMatch(/## Instructions of the operator\nThey rank below everything above\.\n\nBe kind\.\n$/);
    expect(prompt).not.toMatch(/\{\{|\n{3}/);
  });

  test('what is empty leaves no gap', () => {
    const prompt = renderSystemPrompt(template, { remoteTarget: null, toolNames: [], customInstructions: '' });
    expect(prompt).toContain('real effects.\n\n## Order');
    expect(prompt).toContain('- none');
    expect(prompt).not.toMatch(/operator\nThey|\n{3}/);
  });

  test('values are never read for placeholders or patterns themselves', () => {
    const prompt = renderSystemPrompt(template, {
      remoteTarget: null,
      toolNames: [],
      customInstructions: 'say {{ENABLED_TOOLS_LIST}} and $& $1',
    });
    expect(prompt).toContain('say {{ENABLED_TOOLS_LIST}} and $& $1');
  });

  test('an unknown placeholder is an error with its line', () => {
    const parse = () => parseSystemPrompt('a\n\n{{TARGET_NOTE}}\n', 'my.template');
    expect(parse).toThrow(BuddyError);
    expect(parse).toThrow('my.template:3: the placeholder {{TARGET_NOTE}} is unknown');
  });
});

describe('compact.template', () => {
  const template = parseCompactPrompt(readFileSync('templates/compact.template', 'utf8'), 'compact.template');

  test('says what a summary has, how long it may be, and what the user wants of it', () => {
    const prompt = renderCompactPrompt(template, { wishes: ' the exit codes {{WORDS}} ', words: 400 });
    for (const part of ['Goal', 'Decisions', 'Done', 'Files and hosts', 'Failed', 'Open']) expect(prompt).toContain(`\n## ${part}\n`);
    expect(prompt).toContain('At most 400 words');
    expect(prompt).toMatch(/\nThe user wants of this summary:\nthe exit codes \{\{WORDS\}\}\n$/);
  });

  test('what is empty leaves no gap, and an unknown placeholder is an error', () => {
    const prompt = renderCompactPrompt(template, { wishes: '', words: 100 });
    expect(prompt).not.toMatch(/\{\{|\n{3}|The user wants of this summary/);
    expect(() => parseCompactPrompt('{{WISHES}}', 'my.template')).toThrow('my.template:1: the placeholder {{WISHES}} is unknown');
  });
});
