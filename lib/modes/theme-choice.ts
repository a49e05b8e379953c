/** Which theme the screen wears: of the settings, of the last choice, by the terminal's background, or as a person picks one. */

import { messageOf } from '../base/errors.js';
import type { Host } from '../base/host.js';
import type { LoadedConfig } from '../config/load.js';
import type { OfferedThemes } from '../runtime/hooks.js';
import type { Action } from '../view/reducer.js';
import type { State } from '../view/state.js';
import type { Theme } from '../view/theme.js';
import { AUTO_THEME, Themes, themeForBackground } from './themes.js';

/** OSC 11 with `?`: which colour is the background? (xterm "ctlseqs") */
const ASK_BACKGROUND = '\x1b]11;?\x1b\\';

export interface ThemeChoiceOptions {
  readonly host: Host;
  readonly config: LoadedConfig;
  state(): State;
  dispatch(action: Action): void;
  toast(level: 'info' | 'warning', text: string): void;
  /** Writes a question to the terminal; its answer, if any, comes to `heard`. */
  ask(question: string): void;
}

export class ThemeChoice {
  readonly #options: ThemeChoiceOptions;
  readonly #themes: Themes;
  /** The setting; null when it is left open, so that the theme that was picked last holds. */
  #setting: string | null;
  /** The terminal was asked for its background. */
  #asked: { readonly keep: boolean } | null = null;

  constructor(options: ThemeChoiceOptions) {
    const { host, config } = options;
    this.#options = options;
    this.#themes = new Themes(host, config);
    this.#setting = config.sources.has('display.theme') ? config.settings['display.theme'] : null;
  }

  /** The one to start with; trouble is told, never thrown. */
  first(onNotice: (text: string) => void): Theme {
    return this.#themes.chosen(this.#setting, onNotice);
  }

  /** Themes that are no files, and come and go. */
  follow(offered: OfferedThemes): void {
    offered.onChange(() => {
      this.#themes.offer(offered.list());
      void this.names().then((names) => this.#options.dispatch({ type: 'theme.names', names }));
    });
  }

  /** Never rejects. */
  names(): Promise<readonly string[]> {
    return this.#themes.names();
  }

  /** The terminal is there and can be asked, when that is what was chosen. */
  begin(): void {
    if ((this.#setting ?? this.#themes.picked()) === AUTO_THEME) this.#askBackground(true);
  }

  /** The theme `name` from now on; `keep`: at the next start as well. `configured`: the settings name it by now. */
  async wear(name: string, keep: boolean, configured = false): Promise<void> {
    const { config, state, dispatch, toast } = this.#options;
    if (configured) this.#setting = name;
    if (name === AUTO_THEME) this.#askBackground(keep);
    try {
      const theme = this.#themes.load(name === AUTO_THEME ? 'terminal' : name);
      const isNews = keep && name !== state().themeName;
      dispatch({ type: 'theme', name, theme, keep });
      if (!isNews || configured) return;
      await this.#themes.pick(name);
      if (this.#setting !== null) toast('info', `${config.sources.get('display.theme')} sets another theme for the next start`);
    } catch (thrown) {
      toast('warning', messageOf(thrown));
    }
  }

  /** What the terminal answered, to whatever question. */
  heard(reply: string): void {
    const name = themeForBackground(reply);
    const asked = this.#asked;
    if (name === null || asked === null) return;
    this.#asked = null;
    this.#options.dispatch({ type: 'theme', name: AUTO_THEME, theme: this.#themes.load(name), keep: asked.keep });
  }

  /** A terminal that does not answer leaves the theme as it is. */
  #askBackground(keep: boolean): void {
    this.#asked = { keep };
    this.#options.ask(ASK_BACKGROUND);
  }
}
