/** The real vim as an oracle: what keys make of a text. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A text, a cursor, and whole commands that are typed one after the other. */
export interface VimCase {
  readonly lines: readonly string[];
  readonly line: number;
  /** In characters. */
  readonly column: number;
  readonly commands: readonly string[];
}

/** What vim made of it. */
export interface VimResult {
  readonly lines: readonly string[];
  readonly line: number;
  readonly column: number;
  readonly register: string;
}

const script = `
set nocompatible selection=inclusive backspace=indent,eol,start noautoindent nojoinspaces encoding=utf-8 whichwrap=b,s
set nosmartindent textwidth=0 undolevels=1000 belloff=all notimeout nottimeout noswapfile
let out = []
for case in json_decode(join(readfile('CASES'), ''))
  enew!
  call setreg('"', 'zz')
  setlocal undolevels=-1
  call setline(1, case.lines)
  setlocal undolevels=1000
  call cursor(1, 1)
  call setcursorcharpos(case.line + 1, case.column + 1)
  for command in case.commands
    silent! call feedkeys(command, 'xt')
  endfor
  call add(out, {'lines': getline(1, '$'), 'line': line('.') - 1, 'column': charcol('.') - 1, 'register': getreg('"')})
endfor
call writefile([json_encode(out)], 'RESULTS')
qall!
`;

/** Is there a vim to ask? */
export function hasVim(): boolean {
  const { status, stdout } = spawnSync('vim', ['--version'], { encoding: 'utf8' });
  return status === 0 && /VIM - Vi IMproved [89]/.test(stdout);
}

/** The results of all cases, from one run of vim. */
export function askVim(cases: readonly VimCase[]): readonly VimResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'buddy-vim-'));
  try {
    const [given, results, program] = [join(folder, 'cases.json'), join(folder, 'results.json'), join(folder, 'run.vim')];
    writeFileSync(given, JSON.stringify(cases));
    writeFileSync(program, script.replace('CASES', given).replace('RESULTS', results));
    const { stderr } = spawnSync('vim', ['-Nu', 'NONE', '-i', 'NONE', '-n', '-es', '-S', program], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      input: '',
      timeout: 120_000,
    });
    try {
      return JSON.parse(readFileSync(results, 'utf8')) as readonly VimResult[];
    } catch {
      throw new Error(`vim gave no results: ${stderr}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
