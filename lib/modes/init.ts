/** init: writes a first configuration out of what there is on this machine; asks where there is a person to ask. */

import { dirname, join, resolve } from 'node:path';
import { BuddyError, exitCodes } from '../base/errors.js';
import { fileTrouble, lstat, mkdir, readFile, writeAtomically, writeFile } from '../base/files.js';
import type { Host } from '../base/host.js';
import { createHttpClient, type Fetch } from '../base/http.js';
import type { Options } from '../cli-options.js';
import { configDir } from '../config/load.js';
import { demoProfile } from '../config/profiles.js';
import { type InitChoice, initFile } from './init-file.js';
import { chatgptTable, type Finding, findModels, type LocalServer, localServers } from './init-findings.js';
import { login } from './login.js';
import { Questions, untilStopped } from './questions.js';

/** What `init` is asked. */
export interface InitRequest {
  readonly options: Options;
  /** Also when there is a file; the old one is kept under another name. */
  readonly force: boolean;
}

const CONNECT_TIMEOUT_MS = 1000;
/** More models of one server are not offered. */
const MOST_MODELS = 30;
/** What is done once the file is written. */
type After = 'nothing' | 'login';

/** Resolves with the exit code. Throws BuddyError `config.*`. */
export async function init(host: Host, request: InitRequest): Promise<number> {
  host.stdout.on('error', () => undefined);
  return untilStopped(host, async (signal) => {
    const http = createHttpClient({ connectTimeoutMs: CONNECT_TIMEOUT_MS });
    try {
      return await new InitRun(host, request, http.fetch, localServers).run(signal);
    } finally {
      await http.close();
    }
  });
}

/** One run of the command. */
export class InitRun {
  readonly #host: Host;
  readonly #request: InitRequest;
  readonly #fetch: Fetch;
  readonly #servers: readonly LocalServer[];
  readonly #questions: Questions;
  readonly #path: string;

  constructor(host: Host, request: InitRequest, fetch: Fetch, servers: readonly LocalServer[]) {
    this.#host = host;
    this.#request = request;
    this.#fetch = fetch;
    this.#servers = servers;
    this.#questions = new Questions(host);
    const { config } = request.options;
    this.#path = config === undefined ? join(configDir(host), 'buddy.toml') : resolve(host.cwd, config);
  }

  async run(signal: AbortSignal): Promise<number> {
    const isThere = await lstat(this.#path).then(
      () => true,
      () => false,
    );
    if (isThere && !this.#request.force) {
      throw new BuddyError('config.exists', `${this.#path} is there already, and is left as it is`, {
        hint: 'init --force writes a new one and keeps the old one under another name.',
      });
    }
    const tell = (text: string) => this.#questions.say(text);
    tell('Looking for models: logins, keys in the environment, servers on this machine …');
    const found = await findModels(this.#host, this.#fetch, this.#servers, signal);
    for (const { profile, says, table } of found) tell(`  found  ${profile}: ${table['model']} (${says})`);
    if (found.length === 0) tell('  found nothing');
    const [choice, after] = this.#questions.canAsk
      ? await this.#ask(found, signal)
      : [choiceOf(found, found[0]?.profile), 'nothing' as const];
    await this.#write(choice, isThere);
    if (after === 'login')
      await login(this.#host, { options: this.#options(), provider: 'openai', check: false, reset: false, method: null });
    else this.#sayNext(choice);
    return exitCodes.ok;
  }

  async #ask(found: readonly Finding[], signal: AbortSignal): Promise<readonly [InitChoice, After]> {
    const choices = [
      ...found.map(({ profile, table, says }) => `${profile}: ${table['model']} (${says})`),
      ...(found.some(({ profile }) => profile === 'chatgpt') ? [] : ['log in with a ChatGPT account now']),
      'the demo: a scripted model without network, to look around',
    ];
    const chosen = await this.#questions.choice('\nWhich model do you want to start with?', choices, 0, signal);
    const finding = found[chosen];
    if (finding !== undefined) {
      const named = await this.#modelOf(finding, signal);
      return [
        choiceOf(
          found.map((of) => (of === finding ? named : of)),
          finding.profile,
        ),
        'nothing',
      ];
    }
    if (chosen === choices.length - 1) return [choiceOf(found, demoProfile.name), 'nothing'];
    const { profiles } = choiceOf(found, undefined);
    return [{ profiles: [['chatgpt', chatgptTable], ...profiles], start: 'chatgpt' }, 'login'];
  }

  async #modelOf(finding: Finding, signal: AbortSignal): Promise<Finding> {
    const models = finding.models.slice(0, MOST_MODELS);
    if (models.length < 2) return finding;
    const chosen = await this.#questions.choice(`\nWhich of its models?`, models, 0, signal);
    return { ...finding, table: { ...finding.table, model: models[chosen] ?? '' } };
  }

  async #write(choice: InitChoice, isThere: boolean): Promise<void> {
    try {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      if (isThere) {
        const kept = `${this.#path}.${new Date(this.#host.clock.now()).toISOString().replace(/[-:]|\.\d+/g, '')}`;
        await this.#keep(kept);
        this.#questions.say(`The old file is kept as ${kept}`);
      }
      await writeAtomically(this.#path, Buffer.from(initFile(choice)), 0o600);
    } catch (thrown) {
      throw new BuddyError('config.unwritable', `${this.#path} cannot be written: ${fileTrouble(thrown)}`, { cause: thrown });
    }
    this.#questions.say(`Written: ${this.#path}`);
  }

  /** A copy, since the file may be a link to where others are kept. */
  async #keep(path: string): Promise<void> {
    await writeFile(path, await readFile(this.#path), { mode: 0o600, flag: 'wx' });
  }

  #options(): Options {
    return { ...this.#request.options, config: this.#path };
  }

  #sayNext({ start, profiles }: InitChoice): void {
    const config = this.#request.options.config === undefined ? '' : ` -c ${this.#path}`;
    this.#questions.say('');
    this.#questions.say(`Next: buddy-tui${config}${start === demoProfile.name ? '          (the demo)' : ''}`);
    if (start !== demoProfile.name || profiles.length > 0) return;
    this.#questions.say('For a real model: "buddy-tui login", or set OPENAI_API_KEY; then "buddy-tui init --force".');
  }
}

/** All that was found, starting with that one, or the demo. */
function choiceOf(found: readonly Finding[], start: string | undefined): InitChoice {
  return { profiles: found.map(({ profile, table }) => [profile, table] as const), start: start ?? demoProfile.name };
}
