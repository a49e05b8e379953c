/** A command with lines on the screen: `/todo buy milk`, `/todo done 1`, `/todo` for the list; F9 shows it. */

import { defineExtension } from 'buddy-tui/extension';

const todos: { text: string; done: boolean }[] = [];

const lines = () => todos.map(({ text, done }, index) => `${index + 1}. [${done ? 'x' : ' '}] ${text}`);

export default defineExtension({
  name: 'todo',
  keys: [{ key: 'f9', line: '/todo', says: 'Show the list of things to do.' }],
  commands: [
    {
      name: 'todo',
      says: 'Keep a list of things to do above the draft.',
      args: '[TEXT | done N | clear]',
      run(args, { setWidget }) {
        const done = /^done (\d+)$/.exec(args);
        const entry = done === null ? undefined : todos[Number(done[1]) - 1];
        if (done !== null && entry === undefined) return `There is no entry ${done[1]}.`;
        if (entry !== undefined) entry.done = true;
        else if (args === 'clear') todos.length = 0;
        else if (args !== '') todos.push({ text: args, done: false });
        setWidget('list', todos.length === 0 ? null : { title: 'todo', lines: lines() });
        if (args === '') return todos.length === 0 ? 'Nothing is to be done.' : lines().join('\n');
      },
    },
  ],
});
