/** The screen before anything has happened, as the settings want it. */

import type { Host } from '../base/host.js';
import { filesInForce, type LoadedConfig } from '../config/load.js';
import { noProject, type ProjectView } from '../view/project.js';
import { type InitialState, initialState, type State } from '../view/state.js';

/** What is read from elsewhere. */
type Read = Required<Pick<InitialState, 'theme' | 'history' | 'bindings' | 'arrangements'>>;

/** The first state of a dashboard on this terminal. */
export function firstState(host: Host, config: LoadedConfig, read: Read): State {
  const { settings } = config;
  const { columns: cols, rows } = host.stdout;
  return initialState({
    ...read,
    size: { cols, rows },
    version: host.version,
    nowMs: host.clock.now(),
    editorMode: settings['editor.mode'],
    showTokens: settings['display.show_tokens'],
    showToolCalls: settings['display.show_tool_calls'],
    onExit: settings['tmux.on_exit'],
    header: settings['screen.header'],
    footer: settings['screen.footer'],
    project: projectView(config),
    mouse: {
      enabled: settings['mouse.enabled'],
      wheelRows: settings['mouse.wheel_rows'],
      copyOnRelease: settings['mouse.copy_on_release'],
    },
  });
}

/** What is known of the working folder when the configuration has been read. */
export function projectView(config: LoadedConfig): ProjectView {
  const { folder, trust, files } = config.project;
  return { ...noProject, folder: { folder, trust, files }, inForce: filesInForce(config) };
}
