/** What can be copied: the last answer, its code, what tools printed, all of the conversation. */

import type { PickerItem } from '../picker.js';
import type { State } from '../state.js';
import { answerEndingAt, type Block, blockAt, type Transcript } from '../transcript.js';

/** Blocks that are looked back at for code and outputs. */
const LOOKED_BACK = 200;
const MOST_ITEMS = 60;

/** What can be copied, newest first, each with its whole text. */
interface Copyable {
  readonly label: string;
  readonly says: string;
  readonly text: string;
}

export function copyItems(state: State): readonly PickerItem[] {
  return copyables(state.transcript).map(({ label, says, text }, at) => ({
    id: String(at),
    label,
    says,
    note: `${text.split('\n').length} ${text.includes('\n') ? 'lines' : 'line'}`,
    disabled: null,
  }));
}

/** The text of an entry of `copyItems`. */
export function copiedText(state: State, id: string): string {
  return copyables(state.transcript)[Number(id)]?.text ?? '';
}

/** The last whole answer; '' when there is none. Pieces of one answer belong together. */
export function lastAnswer(transcript: Transcript): string {
  const parts: string[] = [];
  for (let id = transcript.length - 1; id >= 0; id--) {
    const block = blockAt(transcript, id);
    if (block?.kind === 'user' && parts.length > 0) break;
    if (block?.kind !== 'assistant') continue;
    parts.unshift(block.text);
    if (!block.continued) break;
  }
  return parts.join('').trim();
}

/** All of the conversation as markdown, as it was written: no borders, no wraps of ours. */
export function transcriptText(transcript: Transcript): string {
  const parts: string[] = [];
  for (let id = 0; id < transcript.length; id++) {
    const block = blockAt(transcript, id);
    const text =
      block?.kind === 'assistant' ? (answerEndingAt(transcript, id)?.text.trim() ?? '') : block === undefined ? '' : blockText(block);
    if (text !== '') parts.push(text);
  }
  return `${parts.join('\n\n')}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'user':
      return `> ${block.text.trim().replaceAll('\n', '\n> ')}`;
    case 'tool': {
      const shown = (block.result === '' ? block.tail : block.result).trimEnd();
      return `\`${block.name}\` ${block.preview}${block.summary === '' ? '' : ` (${block.summary})`}${shown === '' ? '' : `\n${fenced(shown)}`}`;
    }
    case 'notice':
      return `*${block.text}*`;
    default:
      return '';
  }
}

/** As a code block whose fence is longer than any in the text (CommonMark 4.5). */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/^ {0,3}(`{3,})/gm)].map(([, ticks = '']) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

const FENCE = /^( {0,3})(`{3,}|~{3,})[^\S\n]*([^\n`]*)\n([\s\S]*?)^ {0,3}\2[^\S\n]*$/gm;

function copyables(transcript: Transcript): readonly Copyable[] {
  const found: Copyable[] = [];
  const answer = lastAnswer(transcript);
  if (answer !== '') found.push({ label: 'the last answer', says: '', text: answer });
  for (let id = transcript.length - 1; id >= Math.max(0, transcript.length - LOOKED_BACK) && found.length < MOST_ITEMS; id--) {
    const block = blockAt(transcript, id);
    if (block?.kind === 'assistant') {
      const codes = [...(answerEndingAt(transcript, id)?.text ?? '').matchAll(FENCE)].map(([, , , language = '', code = '']): Copyable => {
        const text = code.replace(/\n$/, '');
        return { label: firstLine(text), says: `code${language.trim() === '' ? '' : `, ${language.trim()}`}`, text };
      });
      found.push(...codes.reverse().filter(({ text }) => text !== ''));
    } else if (block?.kind === 'tool') {
      const text = (block.result === '' ? block.tail : block.result).trimEnd();
      if (text !== '') found.push({ label: firstLine(block.preview), says: `output of ${block.name}`, text });
      if (block.name === 'run_shell') found.push({ label: firstLine(block.preview), says: 'command', text: block.preview });
    }
  }
  if (transcript.length > 0) found.push({ label: 'the whole conversation', says: 'as markdown', text: transcriptText(transcript) });
  return found;
}

function firstLine(text: string): string {
  const [first = ''] = text.split('\n', 1);
  return first.length > 60 ? `${first.slice(0, 59)}…` : first;
}
