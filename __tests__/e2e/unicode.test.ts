/** Emoji, CJK, combining marks and joined sequences in every pane: every border stays straight, and nothing is left behind. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatPiece, ChatRequest } from '../support/chat-server.js';
import { until } from '../support/until.js';
import { pasted, type Running, type Size, withProgram } from './program.js';

/** Texts whose width terminals count in many ways. */
const samples = [
  ['emoji', '👍🏽 👨‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 ❤️ ☺️ 1️⃣ 🧑🏿‍🚀'],
  ['cjk', '漢字かな交じり文、カタカナ。한국어 中文（全角）ｶﾀｶﾅ'],
  ['combining', 'é ñ ạ̈ Z͑ͫ̓ G̷ l̴ e̸ ö́'],
  ['scripts', 'नमस्ते क्षि தமிழ் ไทยกำลัง עִבְרִית العربية ᄒᆞᆫ'],
  ['odd', '◌́ ⚠️ ⚠ ✔️ ✔ ™️ ™ ㎏ ① 𝔘𝔫𝔦 🀄 🈚 Ⅷ ½'],
] as const;
const all = samples.map(([, text]) => text).join(' ');

/** Parts of them that every terminal shows whole, whatever it makes of the rest. */
const whole = [
  '🇩🇪',
  '漢字かな交じり文、',
  '中文（全角）ｶﾀｶﾅ',
  'é ñ ạ̈',
  'नमस्ते क्षि',
  'தமிழ்',
  'ไทยกำลัง',
  'עִבְרִית',
  'العربية ᄒᆞᆫ',
  '𝔘𝔫𝔦 🀄 🈚 Ⅷ ½',
];

/** Boxes of the screen, found by their corners, each side followed cell by cell; throws at the first cell that is no border. */
function boxesOf({ terminal }: Running, { cols, rows }: Size): readonly string[] {
  const at = (x: number, y: number) => terminal.cell(x, y);
  const found: string[] = [];
  const side = (x: number, from: number, ends: string, what: string): number => {
    for (let y = from + 1; y < rows; y += 1) {
      const { text, width } = at(x, y);
      if (ends.includes(text) && text !== '') return y;
      // Thick where the thumb of a scrollbar is.
      if (!['│', '┃'].includes(text) || width !== 1)
        throw new Error(`${what}: cell ${x},${y} is ${JSON.stringify(text)}:\n${terminal.text()}`);
    }
    throw new Error(`${what} has no end:\n${terminal.text()}`);
  };
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < cols; x += 1) {
      const corner = at(x, y).text;
      if (corner !== '┌' && corner !== '├') continue;
      let right = x + 1;
      while (right < cols && at(right, y).text !== (corner === '┌' ? '┐' : '┤')) right += 1;
      if (right === cols) throw new Error(`the upper side at ${x},${y} has no end:\n${terminal.text()}`);
      const bottom = side(x, y, '└├', 'left side');
      const other = side(right, y, '┘┤', 'right side');
      if (bottom !== other) throw new Error(`the sides of the box at ${x},${y} end in rows ${bottom} and ${other}:\n${terminal.text()}`);
      found.push(`${x},${y} ${right - x + 1}×${bottom - y + 1}`);
    }
  }
  return found;
}

/** What is in each cell; how long something runs, and how fast an answer came a moment ago, is left out. */
function picture({ terminal }: Running, { cols, rows }: Size): readonly string[] {
  return Array.from({ length: rows }, (_, y) =>
    Array.from({ length: cols }, (_cell, x) => terminal.cell(x, y))
      .map(({ text, width }) => (width === 0 ? '' : text || ' '))
      .join('')
      .replace(/ +ctx (\S+) .*$/, ' ctx $1')
      .replace(/ *\d+ ?s\b/g, '#')
      .replace(/─+/g, '─'),
  );
}

/** Checks the borders, then that painting everything anew shows the very same cells: no step before left anything behind. */
async function straight(program: Running, size: Size, boxes: number): Promise<void> {
  expect(boxesOf(program, size)).toHaveLength(boxes);
  const before = picture(program, size);
  await paintedAnew(program, () => program.send('\x0c'));
  expect(picture(program, size)).toEqual(before);
}

/** Columns of the shared pane, as tmux knows it. */
async function paneWidth({ home }: Running): Promise<string> {
  return (await home.tmux('display-message', '-p', '-t', '=buddy-agent-mo:', '#{pane_width}')).trim();
}

/** Does something after which the program clears the screen and paints everything, and waits for that. */
async function paintedAnew(program: Running, act: () => void): Promise<void> {
  const clears = () => program.raw().split('\x1b[2J').length;
  const before = clears();
  act();
  await program.shows('everything is painted anew', () => clears() > before || null);
}

const claim = { risk: 'low', mutation: false, privesc: false, why: all };
const answer = [
  ...samples.map(([name, text]) => `**${name}** ${text}\n`),
  `| name | text |\n|---|---|\n${samples.map(([name, text]) => `| ${name} | ${text} |`).join('\n')}\n`,
  `> ${all}\n`,
  `- ${samples.map(([, text]) => text).join('\n- ')}\n`,
  `\`\`\`\n${all}\n\`\`\`\n`,
].join('\n');

function* reply({ prompt, results }: ChatRequest): Iterable<ChatPiece> {
  if (results.length > 0) yield { content: `${prompt.slice(0, 4)} is done` };
  else if (prompt.startsWith('look')) {
    yield* [{ reasoning: all }, { content: answer }];
    yield { calls: [{ name: 'run_shell', arguments: { command: 'cat samples # 漢字 👍🏽 ❤️ e\u0301 ไทย', ...claim } }] };
  } else yield { calls: [{ name: 'run_shell', arguments: { command: 'cat samples; sleep 300', wait: false, ...claim } }] };
}

test.each([
  { cols: 160, rows: 45, panes: 3 },
  { cols: 100, rows: 30, panes: 2 },
])('$cols×$rows', ({ panes, ...size }) =>
  withProgram(reply, size, async (program) => {
    let shown = '';
    writeFileSync(join(program.home.folder, 'samples'), `${samples.map(([, text]) => text).join('\n')}\n${all}\n`);
    const width = String(size.cols === 160 ? 70 : 98);
    await until('the pane has the size of the mirror', async () => (await paneWidth(program)) === width);
    await program.until(/[$#] +│$/m);
    // Fewer than 10 rows are no terminal: the mirror shows a part of them.
    await program.until(size.cols === 160 ? /exit – ─/ : /exit – · rows 1–8\/10 ─/);
    await straight(program, size, panes);
    // The draft, typed and pasted.
    program.send(`look ${samples[0][1]}`);
    program.send(
      pasted(
        ` ${samples
          .slice(1)
          .map(([, text]) => text)
          .join(' ')}`,
      ),
    );
    await program.until(/> look[\s\S]*½/);
    await straight(program, size, panes);
    program.send('\r');
    // The question.
    await program.until(/approve on[\s\S]*cat samples/);
    await straight(program, size, panes + 1);
    await program.pressUntil('y', /^(?![\s\S]*approve on)/);
    await program.done('look is done');
    // The mirror and the tasks.
    await program.until(/pane shared · idle · exit 0/);
    await program.until(/½ +│\n.*[$#] +│$/m);
    await straight(program, size, panes);
    // The conversation, row by row under its edges.
    program.send('\x0f');
    await program.until(/\[collapse\]/);
    for (let page = program.terminal.text(); !/│● look/.test(page); page = program.terminal.text()) {
      const last = page;
      program.send('\x1b[5~');
      await program.shows('another page', () => program.terminal.text() !== last || null);
      await straight(program, size, panes);
      shown += program.terminal.text();
    }
    for (const words of whole) expect(shown).toContain(words);
    // Widths at which wide characters meet the edge in other places, and back.
    for (const cols of [size.cols - 1, size.cols - 2, size.cols - 3, size.cols]) {
      await paintedAnew(program, () => program.resize(cols, size.rows));
      expect(boxesOf(program, { ...size, cols })).toHaveLength(panes);
    }
    await program.approveAll();
    program.line(`job ${samples[2][1]}`);
    await program.done('job  is done');
    await program.until(/running sleep/);
    // Where there is no room for the tasks beside the others, they are gone to.
    while (!/─ tasks/.test(program.terminal.text())) {
      const last = picture(program, size).join('\n');
      program.send('\t');
      await program.shows('another pane has the focus', () => picture(program, size).join('\n') !== last || null);
    }
    await program.until(/⧗ #\d+ job cat samples[^\n]*\n[^\n]*👍/);
    await straight(program, size, panes);
  }),
);
