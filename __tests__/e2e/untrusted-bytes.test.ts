/**
 * Nothing that comes from a model, a command or a file reaches the terminal as more than text: every byte the program emits is
 * judged, for each of the 73 payloads, in each place where such text can stand.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatPiece, ChatRequest } from '../support/chat-server.js';
import { foreignBytes, parted } from '../support/emitted-bytes.js';
import { pasted, type Running, withProgram } from './program.js';

const corpus = join(process.cwd(), '..', 'shared', 'corpora', 'own', 'terminal-payloads.json');
const isThere = existsSync(corpus);
const named = isThere ? (JSON.parse(readFileSync(corpus, 'utf8')) as Readonly<Record<string, string>>) : {};
const payloads = Object.values(named);
/** Without the corpus these tests say so and are skipped. */
const withCorpus = isThere ? test : test.skip;
if (!isThere) test('skipped: ../shared/corpora/own/terminal-payloads.json is missing', () => undefined);

const size = { cols: 160, rows: 45 };
const claim = { risk: 'low', mutation: false, privesc: false, why: 'To look.' };
/** `p07 ` and ` q07` stand before and after a payload. */
const label = (n: number) => String(n).padStart(2, '0');
const marked = (n: number) => `p${label(n)} ${payloads[n]} q${label(n)}`;

/** What a person must see of untrusted text: written here anew, so that the program is not judged by itself. */
function spelled(text: string): string {
  const shown = Array.from(text.toWellFormed(), (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return character === '\n' ? '' : String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    if (code < 0x7f || character === '\ufffd') return character;
    if (/[\p{L}\p{M}]/u.test(character) && !/\u3164|[\u{e0100}-\u{e01ef}]/u.test(character)) return character;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
  return shown.join('').replace(/(\p{M}{8})\p{M}+/gu, '$1');
}

const dense = (text: string) => text.replace(/[\s┊]+/g, '');

/** How often the dense `text` holds `part`. */
const countOf = (text: string, part: string) => text.split(dense(part)).length - 1;

/** The text in some columns of a line, cell by cell. */
function cellsOf({ terminal }: Running, y: number, from: number, to: number): string {
  return Array.from({ length: to - from }, (_, i) => terminal.cell(from + i, y))
    .map((cell) => (cell.width === 0 ? '' : cell.text || ' '))
    .join('')
    .trimEnd();
}

/** Columns of the conversation and of the mirror between their borders, at 160 columns. */
const conversation = [1, 87] as const;
const mirror = [89, 159] as const;

/** The rows inside the border of the conversation. */
function conversationRows(program: Running): readonly string[] {
  const rows = Array.from({ length: size.rows }, (_, y) => cellsOf(program, y, 0, conversation[1]));
  return rows
    .slice(
      2,
      rows.findIndex((row) => row.startsWith('└')),
    )
    .map((row) => row.slice(1));
}

/** The whole conversation with every call expanded, page by page from its `first` prompt on, without white space. */
async function wholeConversation(program: Running, first: string): Promise<string> {
  program.send('\x0f\x1b[1;5H');
  await program.shows('the start is shown', () => conversationRows(program)[0] === `● ${first}` || null);
  let rows = conversationRows(program);
  for (let page = rows; /└.*↓/.test(program.terminal.text()); ) {
    program.send('\x1b[6~');
    const last = page.join('\n');
    page = await program.shows('the next page is shown', () => {
      const now = conversationRows(program);
      return now.join('\n') === last ? null : now;
    });
    let common = page.length;
    while (common > 0 && rows.slice(-common).join('\n') !== page.slice(0, common).join('\n')) common -= 1;
    rows = [...rows, ...page.slice(common)];
  }
  return dense(rows.join('\n'));
}

/** The title of the window in our own words; nothing of anybody else is ever in it on this host. */
const OWN_TITLE = /\x1b\]2;(buddy-tui · (?:ready|working|needs you))\x1b\\/g;

/** Ends the program and judges all it ever wrote. */
async function judge(program: Running): Promise<void> {
  await program.quit();
  const { frames, after } = parted(program.raw());
  expect(foreignBytes(frames.replace(OWN_TITLE, ''))).toEqual([]);
  expect(foreignBytes(after, '\r\n')).toEqual([]);
  expect(program.terminal.answers).toEqual([]);
  expect(program.terminal.titles.map((title) => `\x1b]2;${title}\x1b\\`.replace(OWN_TITLE, '')).join('')).toBe('');
  expect(program.terminal.bells()).toBe(0);
}

withCorpus('the oracle knows every payload but those of which frames are made: these would spoil the text around them', () => {
  const unknown = Object.entries(named).flatMap(([name, payload]) => (foreignBytes(payload).length === 0 ? [name] : []));
  expect(unknown).toEqual(['clear', 'cup', 'hide cursor', 'combining flood']);
});

withCorpus('as the text of a model: reasoning, prose, code, the name of a tool, an id, an error', () => {
  const all = payloads.map((_, n) => marked(n));
  const calls = payloads.map((payload, n) => ({ name: `t${payload}`, id: `c${n}${payload}`, arguments: `{"${payload}` }));
  function* reply({ prompt, results }: ChatRequest): Iterable<ChatPiece> {
    if (prompt === 'fail') yield { fail: { status: 400, message: all.join(' ') } };
    else if (results.length === 0) yield* [{ reasoning: all.join('\n') }, { content: `${all.join('\n\n')}\n` }, { calls }];
    else yield { content: `\`\`\`\n${all.join('\n')}\n\`\`\`\n\nThat is all.` };
  }
  return withProgram(reply, size, async (program) => {
    program.line('go');
    await program.done('That is all.');
    const text = await wholeConversation(program, 'go');
    for (const [n, payload] of payloads.entries()) {
      // Markdown takes a lone CR as the end of a line, so it parts what it would have overwritten.
      const lines = spelled(payload.replaceAll('\r', '\n'));
      const shown = [lines, spelled(payload)].map((words) => countOf(text, `p${label(n)} ${words} q${label(n)}`));
      expect([payload, shown]).toEqual([payload, payload.includes('\r') ? [2, 1] : [3, 3]]);
      expect([payload, countOf(text, `▶ t${spelled(payload)} {"${spelled(payload)}`)]).toEqual([payload, 1]);
    }
    program.line('fail');
    await program.until(/✗ #2[\s\S]*> Ask, or/);
    expect(dense(conversationRows(program).join('\n'))).toContain(dense(spelled(marked(0))));
    await judge(program);
  });
});

withCorpus.each([0, 25, 50])('as the output of commands, and so in the mirror: 25 from payload %i on', (start) => {
  const shell = (command: string) => ({ name: 'run_shell', arguments: { command, ...claim } });
  const numbers = [...payloads.keys()].slice(start, start + 25);
  const batches = Array.from({ length: Math.ceil(numbers.length / 9) }, (_, i) => numbers.slice(9 * i, 9 * i + 9));
  // A terminal that is asked something types its answer: what it typed is read up to the answer to a last question (DSR 5).
  const drain = "printf '\\033[5n'; until [[ $r == *$'\\033[0' ]]; do IFS= read -rsd n r; done; r=";
  const printed = (n: number) => `echo p${label(n)}; cat file-${label(n)}; ${drain}; echo; echo q${label(n)}`;
  const concealed = payloads.findIndex((payload) => payload.startsWith('safe \x1b[8m'));
  const black = payloads.findIndex((payload) => payload.startsWith('\x1b[30;40m'));
  function* reply({ prompt, results }: ChatRequest): Iterable<ChatPiece> {
    if (results.length > 0) yield { content: `${prompt} is done` };
    else if (prompt === 'look') yield { calls: [shell(`printf '\\033c'; cat file-${label(concealed)} file-${label(black)}`)] };
    else yield { calls: (batches[Number(prompt.slice(3))] ?? []).map((n) => shell(printed(n))) };
  }
  return withProgram(reply, size, async (program) => {
    for (const [n, payload] of payloads.entries()) writeFileSync(join(program.home.folder, `file-${label(n)}`), payload);
    await program.approveAll();
    for (const i of batches.keys()) {
      program.line(`go ${i}`);
      await program.done(`◆ go ${i} is done`);
    }
    const results = program.server.seen.flatMap(({ results: of }) => of.map((result) => result.content ?? ''));
    expect(results.map((result) => /"exit_code":0/.exec(result)?.[0] ?? result)).toEqual(numbers.map(() => '"exit_code":0'));
    // What is concealed, or black on black, is shown as well.
    program.line('look');
    await program.done('◆ look is done');
    const y = await program.shows('the mirror shows what was hidden', () => {
      const row = program.terminal.lines().findIndex((_, at) => cellsOf(program, at, ...mirror).startsWith('safe ; rm -rf ~hidden'));
      return row < 0 ? null : row;
    });
    for (let x = mirror[0]; x < mirror[0] + 21; x += 1) {
      const { fg, bg } = program.terminal.cell(x, y);
      expect([x, fg === null || fg !== bg]).toEqual([x, true]);
    }
    const text = await wholeConversation(program, 'go 0');
    for (const n of numbers) expect([n, countOf(text, `p${label(n)}; cat file-${label(n)}`)]).toEqual([n, 1]);
    await judge(program);
  });
});

withCorpus('as the name of a file and of a folder: read, written, listed, entered', () => {
  const names = payloads.filter((payload) => !/[/\0]/.test(payload) && Buffer.byteLength(payload) < 256);
  const folders = names.map((_, n) => `d${label(n)}`);
  function* reply({ results }: ChatRequest): Iterable<ChatPiece> {
    if (results.length > 0) yield { content: 'That is all.' };
    else
      yield {
        calls: [
          ...payloads.map((path) => ({ name: 'read_file', arguments: { path, why: `Because of ${path}.` } })),
          ...payloads.map((path) => ({ name: 'write_file', arguments: { path, content: 'x', why: `Because of ${path}.` } })),
          ...['ls -N', "printf '%s\\n' *", `for i in ${folders.join(' ')}; do cd $i/*/; cd ../..; done`, 'cd d00/*/'].map((command) => ({
            name: 'run_shell',
            arguments: { command, ...claim },
          })),
        ],
      };
  }
  return withProgram(reply, size, async (program) => {
    const at = (name: string) => Buffer.from(join(program.home.folder, name), 'utf8');
    for (const [n, name] of names.entries()) {
      writeFileSync(at(name), `inside ${n}`);
      mkdirSync(at(`${folders[n]}/${name}`), { recursive: true });
    }
    await program.approveAll();
    program.line('go');
    await program.done('That is all.');
    const results = program.server.seen.at(-1)?.results.map((result) => result.content ?? '') ?? [];
    expect(results.slice(0, payloads.length).filter((result) => result.includes('"content":"inside ')).length).toBe(names.length);
    const written = results.slice(payloads.length, 2 * payloads.length);
    expect(written.map((result) => /the path is refused because it holds /.test(result))).toEqual(payloads.map(() => true));
    const text = await wholeConversation(program, 'go');
    for (const payload of payloads) {
      expect(text).toContain(dense(`▶ read_file ${spelled(payload)}`));
      expect(text).toContain(dense(`▶ write_file ${spelled(payload)} (1 B)`));
    }
    await judge(program);
  });
});

withCorpus('as a command or as keys: refused with the reason, also when nothing is asked about', () => {
  function* reply({ results }: ChatRequest): Iterable<ChatPiece> {
    if (results.length > 0) yield { content: 'That is all.' };
    else
      yield {
        calls: [
          ...payloads.map((command) => ({ name: 'run_shell', arguments: { command, ...claim, why: command } })),
          ...payloads.map((text) => ({ name: 'send-keys', arguments: { literal_text: text, ...claim } })),
        ],
      };
  }
  return withProgram(reply, size, async (program) => {
    await program.approveAll();
    const pane = () => program.home.tmux('capture-pane', '-p', '-t', '=buddy-agent-mo:');
    const untouched = await pane();
    program.line('go');
    await program.done('That is all.');
    const results = program.server.seen.at(-1)?.results.map((result) => result.content ?? '') ?? [];
    const refused = results.map((result) => /is refused because it holds [^"]+\. Nothing ran\./.test(result));
    expect(refused).toEqual([...payloads, ...payloads].map(() => true));
    expect(await pane()).toBe(untouched);
    const text = await wholeConversation(program, 'go');
    for (const payload of payloads) {
      expect(text).toContain(dense(`▶ run_shell ${spelled(payload)}`));
      expect(text).toContain(dense(`▶ send-keys ${spelled(payload)}`));
    }
    await judge(program);
  });
});

withCorpus('in a question, and pasted into the draft', () => {
  const content = payloads.map((_, n) => marked(n)).join('\n');
  function* reply({ results }: ChatRequest): Iterable<ChatPiece> {
    if (results.length > 0) yield { content: 'That is all.' };
    else
      yield {
        calls: [
          { name: 'write_file', arguments: { path: 'notes', content, why: content } },
          { name: 'run_shell', arguments: { command: 'true', ...claim, why: content } },
        ],
      };
  }
  return withProgram(reply, size, async (program) => {
    program.line('go');
    await program.until(/write_file {2}write .*notes/);
    await program.pressUntil('x', /smaller/);
    const seen = new Set<string>();
    const collect = () => {
      for (const [, row = ''] of program.terminal.text().matchAll(/^│(.*)[│┃]$/gm)) seen.add(row);
    };
    const place = () => /rows (\d+–\d+) of \d+/.exec(program.terminal.text())?.[1];
    while (!/rows \d+–(\d+) of \1/.test(program.terminal.text())) {
      collect();
      const last = place();
      program.send(' ');
      await program.shows('the next page of the question is shown', () => place() !== last || null);
    }
    collect();
    for (const n of payloads.keys()) expect([n, dense([...seen].join('')).includes(`p${label(n)}`)]).toEqual([n, true]);
    program.send('\x1b');
    await program.until(/run_shell {2}run[\s\S]*the model says: low risk[\s\S]*p00/);
    program.send('\x1b');
    await program.done('That is all.');
    for (const payload of payloads) {
      program.send(pasted(`begin ${payload} end`));
      await program.until(/> begin [\s\S]* end$|pasted/m);
      program.send('\x03');
      await program.until(/> Ask, or/);
    }
    await judge(program);
  });
});
