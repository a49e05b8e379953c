/** Themes of pi and its kin (`{name, vars, colors}`) in our words. */

/** Their colours, and the tokens of ours that show the same thing. */
const tokensOf: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'tool_call_args', 'approval_body'],
  muted: ['muted', 'tool_result_text'],
  accent: ['accent', 'border_focused', 'prompt_symbol'],
  border: ['border'],
  success: ['success', 'risk_low', 'agent_label'],
  error: ['error', 'risk_high', 'takeover'],
  warning: ['warning', 'progress', 'risk_medium', 'approval_border', 'approval_key'],
  thinkingText: ['reasoning_label'],
  userMessageText: ['user_text'],
  toolTitle: ['tool_call_name', 'tool_call_glyph'],
  mdHeading: ['markdown_heading'],
  mdLink: ['markdown_link'],
  mdLinkUrl: ['markdown_link_target'],
  mdCode: ['markdown_code'],
  mdCodeBlock: ['markdown_code_block'],
  mdQuote: ['markdown_quote'],
  mdListBullet: ['markdown_marker'],
  customMessageLabel: ['banner'],
};
const bold: ReadonlySet<string> = new Set([
  'error',
  'takeover',
  'approval_border',
  'approval_key',
  'markdown_heading',
  'user_text',
  'tool_call_name',
]);

/** The same theme; what it does not name looks as in `dark`. Colours: hex, 0–255, a var, or "" for the terminal's. */
export function fromPiTheme(file: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const colors = (file['colors'] ?? {}) as Readonly<Record<string, unknown>>;
  const tokens: Record<string, string> = {};
  for (const [color, names] of Object.entries(tokensOf)) {
    const value = colors[color];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    for (const name of names) tokens[name] = `${bold.has(name) ? 'bold ' : ''}${value}`.trim();
  }
  const selected = colors['selectedBg'];
  const text = colors['text'];
  if (typeof selected === 'string' && selected !== '') tokens['selected'] = `${typeof text === 'string' ? text : ''} on ${selected}`.trim();
  return { name: file['name'], extends: 'dark', vars: file['vars'] ?? {}, tokens };
}
