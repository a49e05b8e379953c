/** The conversation in the real program: a write with its diff, a search, a jump to an error, by keys on a terminal. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatPiece, ChatRequest } from '../support/chat-server.js';
import { withProgram } from './program.js';

const claim = { risk: 'low', mutation: false, privesc: false, why: 'To look.' };
const size = { cols: 100, rows: 40 };

test('a write shows what it changes; another hand on the file meanwhile is not overwritten', () => {
  const write = (content: string) => ({ name: 'write_file', arguments: { path: 'app.conf', content, why: 'A larger limit.' } });
  function* reply({ prompt, results }: ChatRequest): Iterable<ChatPiece> {
    if (results.length > 0) yield { content: `${prompt}: done` };
    else yield { calls: [write(prompt === 'first' ? 'a = 1\nlimit = 200\nb = 2\n' : 'all new\n')] };
  }
  return withProgram(reply, size, async (program) => {
    const file = join(program.home.folder, 'app.conf');
    writeFileSync(file, 'a = 1\nlimit = 20\nb = 2\n');
    program.line('first');
    await program.until(/write_file {2}write .*app\.conf/);
    await program.pressUntil('y', /first: done/);
    await program.until(/┊ {2}2 - limit = 20 [\s\S]*┊ {2}2 \+ limit = 200[\s\S]*wrote 24 B · \+1 −1/);
    expect(readFileSync(file, 'utf8')).toBe('a = 1\nlimit = 200\nb = 2\n');
    program.line('second');
    await program.until(/write_file {2}write .*app\.conf/);
    writeFileSync(file, 'mine\n');
    await program.pressUntil('y', /second: done/);
    await program.until(/failed/);
    expect(readFileSync(file, 'utf8')).toBe('mine\n');
  });
});

test('an error far up is jumped to, unfolded, searched in, and left again', () => {
  const shell = (command: string) => ({ name: 'run_shell', arguments: { command, ...claim } });
  function* reply({ results }: ChatRequest): Iterable<ChatPiece> {
    if (results.length > 0) yield { content: `${'Many more words.\n\n'.repeat(60)}That is all.` };
    else yield { calls: [shell('echo a needle in it; false')] };
  }
  return withProgram(reply, size, async (program) => {
    program.line('go');
    await program.until(/run_shell {2}run/);
    await program.pressUntil('y', /That is all\./);
    program.send('\t');
    await program.until(/ f fold/);
    program.send('!');
    await program.until(/exit 1/);
    program.send('/more');
    await program.until(/│\/more +\d+ of 60/);
    program.send('\x15needle');
    await program.until(/│\/needle +1 of 2/);
    program.send('\x1b');
    await program.shows('the search is closed', () => (program.terminal.text().includes('│/needle') ? null : true));
    program.send('G');
    await program.until(/That is all\./);
  });
});
