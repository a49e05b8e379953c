/** Reports made out of real results. */

import type { CallResult } from './results.js';

const SHOWN_LINES = 12;

/** `text` as a fenced block that its own backticks cannot close; long text keeps its end. */
function fenced(text: string): string {
  const lines = text.replace(/\s+$/, '').split('\n');
  const kept = lines.slice(-SHOWN_LINES);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  const left = lines.length > kept.length ? `The last ${kept.length} of ${lines.length} lines:\n\n` : '';
  return `${left}${fence}\n${kept.join('\n')}\n${fence}`;
}

interface FileSystem {
  readonly size: string;
  readonly used: string;
  readonly free: string;
  readonly percent: number;
  readonly mount: string;
}

/** File systems in memory say nothing about disks. */
const IN_MEMORY = /^(?:tmpfs|devtmpfs|udev|shm|none|devfs|efivarfs|squashfs|ramfs)$/;

function fileSystems(output: string): readonly FileSystem[] {
  const found: FileSystem[] = [];
  for (const line of output.split('\n')) {
    const row = /^(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\d+)%.*?\s(\/\S*)\s*$/.exec(line);
    if (row === null || IN_MEMORY.test(row[1] ?? '')) continue;
    found.push({ size: row[2] ?? '', used: row[3] ?? '', free: row[4] ?? '', percent: Number(row[5]), mount: row[6] ?? '' });
  }
  return found.sort((a, b) => b.percent - a.percent);
}

function diskReport(output: string): string | null {
  const all = fileSystems(output);
  const fullest = all[0];
  if (fullest === undefined) return null;
  const verdict =
    fullest.percent >= 90 ? 'That is nearly full.' : fullest.percent >= 80 ? 'That is worth watching.' : 'No file system is close to full.';
  const rows = all.slice(0, 5).map(({ mount, size, used, free, percent }) => `| ${mount} | ${size} | ${used} | ${free} | ${percent} % |`);
  return [
    `The fullest file system is **${fullest.mount}** at **${fullest.percent} %**: ${fullest.used} of ${fullest.size} used, ${fullest.free} free. ${verdict}`,
    '',
    '| mounted on | size | used | free | full |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function memoryReport(output: string): string | null {
  const row = /^Mem:\s+(\S+)\s+(\S+)\s+(\S+)(?:\s+\S+\s+\S+\s+(\S+))?/m.exec(output);
  if (row === null) return null;
  return `**${row[2]}** of ${row[1]} memory is in use, **${row[4] ?? row[3]}** is available.`;
}

function loadReport(output: string): string | null {
  const row = /up\s+(.*?),\s+(?:\d+ users?,\s+)?load averages?:\s+([\d.,]+)[,\s]+([\d.,]+)[,\s]+([\d.,]+)/.exec(output);
  if (row === null) return null;
  return `The machine has been up for ${row[1]?.trim()}; its load was **${row[2]?.replace(/,$/, '')}** over one minute, ${row[3]?.replace(/,$/, '')} over five and ${row[4]} over fifteen.`;
}

/** Output that the demonstration can read, by the command that printed it. */
const readers: readonly { readonly command: RegExp; readonly read: (output: string) => string | null }[] = [
  { command: /^df\b/, read: diskReport },
  { command: /^free\b/, read: memoryReport },
  { command: /^uptime\b/, read: loadReport },
];

function commandReport({ subject, exitCode, text }: CallResult): string {
  if (exitCode === 0) {
    const known = readers.find(({ command }) => command.test(subject))?.read(text);
    if (known !== undefined && known !== null) return known;
  }
  const first = subject.split('\n')[0] ?? '';
  const ended = `\`${first.replaceAll('`', "'")}\` ended with exit code **${exitCode ?? 'unknown'}**`;
  return text.trim() === '' ? `${ended} and printed nothing.` : `${ended}.\n\n${fenced(text)}`;
}

/** One result as markdown. */
export function reportOn(result: CallResult): string {
  const what = result.subject === '' ? result.tool : `\`${(result.subject.split('\n')[0] ?? '').replaceAll('`', "'")}\``;
  switch (result.end) {
    case 'denied':
      return `You said no to ${what}, so nothing was run and nothing was changed.`;
    case 'not run':
      return `${what} was not run: ${result.text.trim()}`;
    case 'cancelled':
      return `${what} was cancelled.`;
    case 'running':
      return `${what} goes on in the background; \`/ps\` shows it and \`/kill\` stops it.`;
    case 'failed':
      return `${what} did not work: ${result.text.trim() || 'the tool gave no reason'}`;
    case 'done':
      break;
  }
  switch (result.tool) {
    case 'run_shell':
      return commandReport(result);
    case 'read_file':
      return result.text === '' ? `${what} is empty.` : `${what} holds:\n\n${fenced(result.text)}`;
    case 'capture-pane':
      return result.text.trim() === '' ? 'The pane is empty.' : `The pane shows:\n\n${fenced(result.text)}`;
    case 'time':
      return `It is **${result.text.replace('T', ' ').replace('Z', ' UTC')}**.`;
    case 'write_file':
      return `${what} is written.`;
    default:
      return result.text === '' ? `${result.tool} is done.` : `${result.tool} answers: ${result.text}`;
  }
}
