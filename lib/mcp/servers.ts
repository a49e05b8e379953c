/** All servers of a run, as one extension: their tools, their prompts as commands, their resources, and what a person does to them. */

import { Emitter } from '../base/emitter.js';
import { asBuddyError, BuddyError, isAbort } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import { settledWithin } from '../base/settled.js';
import type { McpServerConfig } from '../config/mcp-servers.js';
import type { Extension } from '../extensions/extension.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { McpAct, McpCommand } from '../protocol/mcp.js';
import type { MentionChoice } from '../protocol/mentions.js';
import type { OfferedCommand } from '../protocol/offered.js';
import type { Invoked } from '../runtime/offered-commands.js';
import type { ServerControl } from '../runtime/server-control.js';
import type { Tool } from '../tools/tool.js';
import type { LoginState } from './connection.js';
import { type ListedPrompt, promptArguments } from './listed.js';
import { asLoose, listIn, oneLine, textIn } from './loose.js';
import { launchHash } from './pins.js';
import { type Content, contentOf } from './results.js';
import { McpServer, type ServerContext } from './server.js';
import { serverTool } from './server-tool.js';

/** Logins at servers. All reject with BuddyError. */
export interface ServerLogins {
  stateOf(config: McpServerConfig): Promise<LoginState>;
  /** Lets the person log in. */
  logIn(config: McpServerConfig, signal: AbortSignal): Promise<void>;
  logOut(config: McpServerConfig): Promise<void>;
}

/** What this needs besides. */
export interface ServersOptions extends Omit<ServerContext, 'tell' | 'login'> {
  readonly servers: readonly McpServerConfig[];
  /** Those that there are now, and what is wrong with the files that name them; left out: the same. */
  readonly find?: () => Promise<{ readonly servers: readonly McpServerConfig[]; readonly warnings: readonly string[] }>;
  /** `say`: a sentence for the person. Null: there are no logins. */
  readonly logins: ((say: (text: string) => void) => ServerLogins) | null;
}

/** Leaving waits no longer for them. */
const CLOSE_MS = 1900;
/** Lines of a log that are shown. */
const SHOWN_LINES = 40;

/** Owns them. */
export class McpServers implements ServerControl {
  readonly #options: ServersOptions;
  readonly #context: ServerContext;
  #servers: readonly McpServer[];
  readonly #logins: ServerLogins | null;
  readonly #events = new Emitter<RuntimeEvent>();
  readonly onEvent = this.#events.event;
  readonly #offered = new Emitter<void>();
  #tools: readonly Tool[] = [];

  constructor(options: ServersOptions) {
    this.#options = options;
    const tell: ServerContext['tell'] = (type, message) => this.#events.fire({ type, message });
    const logins = options.logins?.((text) => tell('notice', text)) ?? null;
    this.#logins = logins;
    this.#context = { ...options, tell, login: logins === null ? null : (config) => logins.stateOf(config) };
    this.#servers = options.servers.map((config) => this.#made(config));
  }

  /** As an extension like any other. */
  get extension(): Extension {
    return {
      name: 'mcp',
      from: 'MCP servers',
      tools: { list: () => this.#tools, ready: (signal) => this.ready(signal) },
      commands: {
        list: () => this.#commands().map(({ command }) => command),
        onChange: this.#offered.event,
        invoke: (name, args, signal) => this.#invoke(name, args, signal),
      },
      reload: (signal, tell) => this.reload(signal, tell),
    };
  }

  /** Starts those that are not started, and waits for them within the limits of each. */
  async ready(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.ready(signal)));
  }

  /** Ends all, and looks anew at what names them; the next prompt starts them. Rejects with BuddyError `config.*`, or an AbortError. */
  async reload(signal: AbortSignal, tell: (warning: string) => void): Promise<void> {
    const found = await this.#options.find?.();
    signal.throwIfAborted();
    if (found === undefined) return void (await Promise.all(this.#servers.map((server) => server.reset())));
    for (const warning of found.warnings) tell(warning);
    const before = this.#servers;
    this.#servers = found.servers.map((config) => this.#made(config));
    this.#changed();
    await Promise.all(before.map((server) => server.close()));
  }

  #made(config: McpServerConfig): McpServer {
    const server = new McpServer(config, this.#context);
    server.onChange(() => this.#changed());
    return server;
  }

  /** Of all that there are. */
  get names(): readonly string[] {
    return this.#servers.map(({ config }) => config.name);
  }

  /** Ids of the processes that run. */
  get pids(): readonly number[] {
    return this.#servers.flatMap(({ pid }) => pid ?? []);
  }

  /** What a server says is at that address. Rejects with BuddyError, or an AbortError. */
  async readResource(name: string, uri: string, signal: AbortSignal): Promise<Content> {
    const server = this.#named(name);
    const answer = await server.ask(signal, (connection) => connection.readResource(uri, signal));
    const parts = listIn(answer, 'contents').flatMap((raw) => {
      const resource = asLoose(raw);
      if (resource === null) return [];
      return [
        resource['blob'] !== undefined && textIn(resource, 'mimeType').startsWith('image/') ? resource : { type: 'resource', resource },
      ];
    });
    return contentOf(parts, `MCP server ${name}`);
  }

  /** The resources of all servers that are there, as `server:uri` that begins like `typed`; without those that nobody could type. */
  completeResources(typed: string): readonly MentionChoice[] {
    return this.#servers.flatMap(({ config, resources }) =>
      resources
        .map(({ uri, name }) => ({ word: `${config.name}:${uri}`, says: oneLine(name.slice(0, 100)) }))
        .filter(({ word }) => word.startsWith(typed) && /^[\x21-\x7e]+$/.test(word)),
    );
  }

  announce(): void {
    if (this.#servers.length > 0) this.#tell(false);
  }

  perform(command: McpCommand, signal: AbortSignal): string | null {
    if (command.type === 'mcp.tell') {
      this.#tell(true);
      return null;
    }
    const server = this.#servers.find(({ config }) => config.name === command.server);
    if (server === undefined) return this.#unknown(command.server);
    if (command.act === 'log') {
      this.#events.fire({ type: 'mcp.logged', server: command.server, lines: server.log.slice(-SHOWN_LINES) });
      return null;
    }
    this.#act(server, command.act, signal).catch((thrown: unknown) => {
      if (isAbort(thrown)) return;
      const { message, hint } = asBuddyError(thrown, 'mcp.failed');
      this.#events.fire({ type: 'warning', message: `MCP server ${command.server}: ${message}${hint === undefined ? '' : `. ${hint}`}` });
    });
    return null;
  }

  async close(): Promise<void> {
    await settledWithin(Promise.all(this.#servers.map((server) => server.close())), CLOSE_MS, this.#options.clock);
  }

  async #act(server: McpServer, act: Exclude<McpAct, 'log'>, signal: AbortSignal): Promise<void> {
    switch (act) {
      case 'start':
        return server.enable();
      case 'restart':
        return server.restart();
      case 'enable':
        return server.enable();
      case 'disable':
        return server.disable();
      case 'approve':
        return server.approve();
      case 'login':
        if (this.#logins === null) throw new BuddyError('mcp.login', 'nobody can log in here');
        if (server.config.launch.kind === 'stdio') throw new BuddyError('mcp.login', 'it is started here and needs no login');
        await this.#logins.logIn(server.config, signal);
        // That takes minutes: by now another one may have its place.
        return this.#named(server.config.name).restart();
      case 'logout':
        await this.#logins?.logOut(server.config);
        return server.reset();
    }
  }

  #named(name: string): McpServer {
    const found = this.#servers.find(({ config }) => config.name === name);
    if (found === undefined) throw new BuddyError('mcp.unknown', this.#unknown(name));
    return found;
  }

  #unknown(name: string): string {
    const known = this.#servers.map(({ config }) => config.name);
    if (known.length === 0) return 'there are no MCP servers; [mcp.servers.NAME] in buddy.toml names them';
    const meant = nearest(name, known);
    return `there is no MCP server ${JSON.stringify(name)}${meant === null ? `; there are ${known.join(', ')}` : `; did you mean ${meant}?`}`;
  }

  #changed(): void {
    this.#tools = this.#servers.flatMap((server) =>
      server.tools.map(
        (tool) => serverTool(server.config.name, launchHash(server.config.launch), tool, (...call) => server.call(...call)) as Tool,
      ),
    );
    this.#offered.fire();
    this.#tell(false);
  }

  #tell(isAsked: boolean): void {
    this.#events.fire({ type: 'mcp.told', servers: this.#servers.map(({ status }) => status), isAsked });
  }

  #commands(): readonly { readonly command: OfferedCommand; readonly server: McpServer; readonly prompt: ListedPrompt }[] {
    return this.#servers.flatMap((server) =>
      server.prompts.map((prompt) => ({ server, prompt, command: commandOf(server.config.name, prompt) })),
    );
  }

  async #invoke(name: string, args: string, signal: AbortSignal): Promise<Invoked> {
    const found = this.#commands().find(({ command }) => command.name === name);
    if (found === undefined) throw new BuddyError('command.gone', 'it is not there any more');
    const { server, prompt } = found;
    const given = promptArguments(prompt, args);
    const answer = await server.ask(signal, (connection) => connection.getPrompt(prompt.name, given, signal));
    const texts = listIn(answer, 'messages').flatMap((raw) => {
      const message = asLoose(raw);
      const { text } = contentOf([message?.['content']], server.config.name);
      return text === '' ? [] : [textIn(message, 'role') === 'assistant' ? `[an answer that you gave:]\n${text}` : text];
    });
    if (texts.length === 0) throw new BuddyError('mcp.prompt', 'the server gave an empty prompt');
    return { kind: 'prompt', text: texts.join('\n\n'), from: name };
  }
}

function commandOf(server: string, { name, says, args }: ListedPrompt): OfferedCommand {
  const safe = (text: string) => text.replace(/[^A-Za-z0-9_-]/g, '_');
  const written = args.map((arg) => (arg.isRequired ? `<${arg.name}=…>` : `[${arg.name}=…]`)).join(' ');
  return { name: `${safe(server)}:${safe(name)}`, kind: 'server', args: written, says, from: `MCP server ${server}` };
}
