/** `/session`, `/name`, `/fork`: conversations that outlive the run. */

import { oneSession } from '../view/pickers/session.js';
import { outcome, type SlashCommand, says, sends } from './command.js';

/** Opens the list of earlier sessions, goes on in one, or begins another. */
export const sessionCommand: SlashCommand = {
  name: 'session',
  aliases: [],
  args: '[resume|new|import]',
  says: 'go on in an earlier session of this folder, begin a new one, or import a file',
  whileBusy: false,
  // The first one is what Enter takes.
  complete: (_typed, { kept }) => [
    { value: 'list', says: 'look through them' },
    { value: 'resume last', says: 'go on in the newest one' },
    { value: 'new', says: 'begin a new one' },
    { value: 'import ', says: 'make one of a file of buddy, pi or this program' },
    ...(kept.listed ?? []).filter(({ foreign }) => foreign === null).map((of) => ({ value: `resume ${of.session}`, says: oneSession(of) })),
  ],
  run(args) {
    if (args === '' || args === 'list')
      return outcome({ actions: [{ type: 'picker.open', kind: 'session' }], sends: [{ type: 'session.list' }] });
    if (args === 'new') return sends({ type: 'session.new' });
    const session = /^resume\s+(\S+)$/.exec(args)?.[1];
    if (session !== undefined) return sends({ type: 'session.resume', session });
    const path = /^import\s+(\S.*)$/s.exec(args)?.[1];
    if (path !== undefined) return sends({ type: 'session.import', path });
    return says('Write /session, /session resume <id|last>, /session new or /session import <file>.', 'warning');
  },
};

/** The same, for those who look for it under this name. */
export const resumeCommand: SlashCommand = {
  name: 'resume',
  aliases: [],
  args: '[id|last]',
  says: 'go on in an earlier session of this folder',
  whileBusy: false,
  run: (args, state) => sessionCommand.run(args === '' ? '' : `resume ${args}`, state),
};

/** Names the session, or says what it is called. */
export const nameCommand: SlashCommand = {
  name: 'name',
  aliases: [],
  args: '[words]',
  says: 'give this session a name, to find it by',
  whileBusy: true,
  run(args, { kept, session }) {
    if (args !== '') return sends({ type: 'session.rename', name: args });
    return says(
      kept.name === null ? `This session has no name; its id is ${session}.` : `This session is called ${kept.name}; its id is ${session}.`,
    );
  },
};

/** Goes on in a copy, so that something else can be tried. */
export const forkCommand: SlashCommand = {
  name: 'fork',
  aliases: [],
  args: '',
  says: 'go on in a copy of this session; the session stays as it is',
  whileBusy: false,
  run: () => sends({ type: 'session.fork' }),
};
