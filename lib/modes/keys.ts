/** keys: shows for each key that is pressed what the terminal sends, what the key is called and what it does. */

import { exitCodes } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { visible } from '../base/visible.js';
import type { Options } from '../cli-options.js';
import type { LoadedConfig } from '../config/load.js';
import { createFrames } from '../tui/frames.js';
import { openTerminal, type Terminal } from '../tui/terminal.js';
import { ASK_ATTRIBUTES, ASK_MODIFY_OTHER_KEYS, type KeyTest, keyTestFrame, withHeard } from '../view/key-test.js';
import { keyList } from '../view/key-uses.js';
import { configOf } from './assembly-config.js';
import { multiplexerNotes } from './extended-keys.js';
import { bindingsOf } from './key-choice.js';
import { needScreen } from './needed-terminal.js';
import { Themes } from './themes.js';

/** These take every `m` for a look, whatever stands before it. */
const SIMPLE_TERMS = /^(linux|screen|vt|ansi|cygwin)/;

export interface KeysRequest {
  readonly options: Options;
  readonly list: boolean;
}

/** Resolves with the exit code when the list is printed. The tester ends the process by itself, once the terminal is given back. */
export async function keys(host: Host, { options, list }: KeysRequest): Promise<number> {
  const config = await configOf(host, options);
  const notices: string[] = [];
  const bindings = bindingsOf(host, config, (notice) => notices.push(notice));
  if (list) {
    host.stdout.on('error', () => undefined);
    for (const notice of notices) host.stderr.write(`buddy-tui: ${visible(notice)}\n`);
    for (const line of keyList(bindings)) host.stdout.write(`${visible(line)}\n`);
    return exitCodes.ok;
  }
  needScreen(host, 'the key tester', 'What keys can do is printed by "buddy-tui keys --list".');
  const vi = config.settings['editor.mode'] === 'vi';
  const test: KeyTest = { bindings, vi, terminal: termOf(host), protocol: 'asked', notes: notices, heard: [], last: '', over: false };
  return host.exit(await untilOver(host, config, test));
}

function termOf({ env }: Host): string {
  const term = env['TERM'] ?? '';
  const program = env['TERM_PROGRAM'] ?? '';
  return `${term === '' ? 'TERM is not set' : `TERM=${term}`}${program === '' ? '' : ` in ${program}`}`;
}

/** Shows what comes until two keys end it, or a signal; answers the exit code. */
async function untilOver(host: Host, config: LoadedConfig, start: KeyTest): Promise<number> {
  let test = start;
  let end: (code: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const asking = new AbortController();
  const setting = config.sources.has('display.theme') ? config.settings['display.theme'] : null;
  const theme = new Themes(host, config).chosen(setting, () => undefined);
  const terminal: Terminal = openTerminal(host, {
    color: config.settings['display.color'],
    glyphs: config.settings['display.glyphs'],
    title: false,
    onStop: (code) => end(code),
    onSpelled({ bytes, events }) {
      test = withHeard(test, bytes, events);
      frames.requestNow();
      if (test.over) end(exitCodes.ok);
    },
  });
  const frames = createFrames({
    clock: host.clock,
    draw: () => terminal.present(keyTestFrame(test, terminal.size, theme)),
    sink: terminal,
  });
  const resizes = terminal.onResize(() => frames.request());
  frames.requestNow();
  const modify = SIMPLE_TERMS.test(host.env['TERM'] ?? '') ? '' : ASK_MODIFY_OTHER_KEYS;
  terminal.ask(`${modify}${ASK_ATTRIBUTES}`);
  const noted = multiplexerNotes(host, asking.signal).then((notes) => {
    test = { ...test, notes: [...test.notes, ...notes] };
    frames.request();
  });
  try {
    return await ended;
  } finally {
    asking.abort();
    resizes.dispose();
    frames.dispose();
    terminal.close();
    await noted;
  }
}
