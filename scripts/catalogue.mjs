/**
 * node scripts/catalogue.mjs: writes templates/models.toml from one version of a package of metadata, and from the family rules beside
 * this script. The same version gives the same file, byte for byte; with --check nothing is written, and the exit code tells whether
 * it would be another one. To renew the catalogue, change version and integrity.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, root } from './setup.mjs';

const PACKAGE = '@earendil-works/pi-ai';
const VERSION = '1.6.0';
const INTEGRITY = 'sha512-9hL+eygFDEiFp//cydeUfmFsKmEqpmvsNPb10Y1W8+m5K9O+sx1hMStfu6nukrBD5sl6mP4RykCYBBNEgsVLfw==';
const TARGET = join(root, 'templates', 'models.toml');

/** Whose own names are told exactly, with prices. */
const PROVIDERS = [
  'openai',
  'openai-codex',
  'anthropic',
  'google',
  'deepseek',
  'xai',
  'mistral',
  'moonshotai',
  'zai',
  'minimax',
  'meta',
  'xiaomi',
];
/** Open models go under many roofs: of these authors the window is told, the price is the roof's own. */
const AUTHORS = ['deepseek', 'meta-llama', 'moonshotai', 'openai', 'qwen', 'z-ai'];
/** No chat with tools, or somebody else's model under this roof. */
const LEFT_OUT = /^(deep-research|gemini-robotics|gemini-2\.5-computer|labs-|voxtral|zai-|glm-5-2$|deepseek-v4-1)|customtools$/;
const LEVELS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'];

/** The package's table of models, unpacked into `folder`; nothing of the package is installed or run but this table of data. */
async function models(folder) {
  const packed = spawnSync('npm', ['pack', `${PACKAGE}@${VERSION}`, '--silent', '--pack-destination', folder], {
    stdio: ['ignore', 'ignore', 2],
  });
  const [name] = readdirSync(folder);
  if (packed.status !== 0 || name === undefined) fail('npm pack failed; see above', 1);
  const found = `sha512-${createHash('sha512')
    .update(readFileSync(join(folder, name)))
    .digest('base64')}`;
  if (found !== INTEGRITY) fail(`${PACKAGE}@${VERSION} is not the package that it was: ${found}`, 1);
  if (spawnSync('tar', ['xzf', join(folder, name), '-C', folder, 'package/dist']).status !== 0) fail('tar failed', 1);
  writeFileSync(join(folder, 'package', 'package.json'), '{"type":"module"}');
  return (await import(pathToFileURL(join(folder, 'package', 'dist', 'models.generated.js')).href)).MODELS;
}

/** The levels of effort that are sent as they are called; '' for a model that does not think. */
function effortsOf({ reasoning, thinkingLevelMap: map }) {
  if (reasoning !== true) return '';
  // A map that is not there says no more than that it thinks: these three every such model takes.
  const usual = { low: 'low', medium: 'medium', high: 'high' };
  const told = { ...usual, ...(map ?? {}), none: map?.off === 'none' ? 'none' : null };
  return LEVELS.filter((level) => told[level] === level).join(' ');
}

function rule(pattern, model, withPrices) {
  const { input, output, cacheRead, cacheWrite } = model.cost ?? {};
  const priced = withPrices && input > 0;
  const values = [
    `pattern = ${JSON.stringify(pattern)}`,
    `context_window = ${model.contextWindow}`,
    ...(withPrices ? [`max_output_tokens = ${model.maxTokens}`] : []),
    `efforts = ${JSON.stringify(effortsOf(model))}`,
    `images = ${(model.input ?? []).includes('image')}`,
    ...(priced ? [`input_price_per_mtok = ${input}`, `output_price_per_mtok = ${output}`] : []),
    ...(priced && cacheRead > 0 ? [`cache_read_price_per_mtok = ${cacheRead}`] : []),
    ...(priced && cacheWrite > 0 ? [`cache_write_price_per_mtok = ${cacheWrite}`] : []),
  ];
  return `  { ${[...values, ...(priced ? longPrompt(model) : [])].join(', ')} },`;
}

/** Some prompts cost more from a length on; that is left out when the window ends before. */
function longPrompt({ cost, contextWindow }) {
  const tier = cost.tiers?.[0];
  if (tier === undefined || tier.inputTokensAbove >= contextWindow) return [];
  const prices = {
    above: tier.inputTokensAbove,
    input: tier.input,
    output: tier.output,
    cache_read: tier.cacheRead,
    cache_write: tier.cacheWrite,
  };
  const told = Object.entries(prices).filter(([, value]) => value > 0);
  return [`long_prompt = { ${told.map(([name, value]) => `${name} = ${value}`).join(', ')} }`];
}

function lines(all) {
  const seen = new Set();
  const isNew = (name) => !seen.has(name) && seen.add(name) !== undefined;
  const ofChat = (provider) => Object.values(all[provider] ?? {}).filter((model) => (model.type ?? 'chat') === 'chat');
  const byName = (a, b) => (a[0] < b[0] ? -1 : 1);
  const exact = PROVIDERS.flatMap((provider) => {
    const found = ofChat(provider).map((model) => [model.id.toLowerCase(), model]);
    const kept = found.filter(([name]) => !LEFT_OUT.test(name) && isNew(name)).sort(byName);
    return kept.length === 0 ? [] : [`  # ${provider}`, ...kept.map(([name, model]) => rule(name, model, true))];
  });
  const open = ofChat('openrouter')
    .map((model) => [model.id.toLowerCase().split(':')[0], model])
    .filter(([name]) => AUTHORS.includes(name.split('/')[0]) && (!name.startsWith('openai/') || name.includes('gpt-oss')))
    .map(([name, model]) => [name.slice(name.indexOf('/') + 1), model])
    .sort(byName)
    .filter(([name]) => isNew(name))
    .map(([name, model]) => rule(name, model, false));
  return [...exact, '  # open models, as routers and local servers name them', ...open];
}

const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
try {
  const head = [
    '# What is known of models without asking their servers. The first rule that fits decides. Written by "node scripts/catalogue.mjs".',
    '# match: exact (when left out), prefix or contains, on the name in lower case, without what follows a colon, whole and after the last slash.',
    '# Windows and outputs in tokens, prices in dollars for a million tokens. efforts: how much it can be told to think; "" when it does not.',
    '# images: whether it takes pictures; left out where that is not known.',
    '# long_prompt: the prices of an answer whose prompt has more tokens than "above".',
    `# Facts from ${PACKAGE} ${VERSION} (MIT).`,
    'schema_version = 2',
    `source = "npm:${PACKAGE}@${VERSION}"`,
    'default_context_window = 32768',
    '',
    'rule = [',
  ];
  const families = readFileSync(join(root, 'scripts', 'catalogue', 'families.toml'), 'utf8').trimEnd();
  const text = [...head, ...lines(await models(folder)), families, ']', ''].join('\n');
  if (!process.argv.includes('--check')) writeFileSync(TARGET, text);
  else if (readFileSync(TARGET, 'utf8') !== text) fail('templates/models.toml is not what scripts/catalogue.mjs writes', 1);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
