/** Sessions of other programs, written by hand in the shapes that they document. */

/** One of buddy, version 1. */
export const buddySession = {
  version: 1,
  id: '0a1b-2c3d-4e5f-6071',
  updated_at_millis: 1_772_000_000_000,
  state: {
    messages: [
      { role: 'system', content: 'You are buddy.' },
      { role: 'user', content: 'how full is the disk?' },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'I should look.',
        tool_calls: [
          { id: 'call_0', type: 'function', function: { name: 'run_shell', arguments: '{"command":"df -h","risk":"low"}' } },
          { id: 'call_1', type: 'function', function: { name: 'time', arguments: '{"why":' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_0',
        content: '{"harness_timestamp":{"source":"harness","unix_millis":1772000000000},"result":{"stdout":"/dev/sda1 80%","exit_code":0}}',
      },
      { role: 'assistant', content: 'It is 80 % full.', vendor_field: { kept: false } },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'and this picture?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      // The server gave the same id again.
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'read_file', arguments: '{"path":"/etc/fstab"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_0', content: 'UUID=1 / ext4' },
      { role: 'tool', tool_call_id: 'call_9', content: 'nobody asked' },
      { role: 'function', name: 'old', content: 'x' },
      { role: 'assistant', content: 'I see no picture.' },
    ],
    tracker: {
      context_limit: 128000,
      total_prompt_tokens: 10,
      total_completion_tokens: 5,
      last_prompt_tokens: 4,
      last_completion_tokens: 2,
    },
  },
};

const stamp = (minute: number) => `2026-03-04T10:${String(minute).padStart(2, '0')}:00.000Z`;
const usage = {
  input: 1,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 2,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
const answer = (content: readonly object[], stopReason = 'stop') => ({
  ...{
    role: 'assistant',
    content,
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    usage,
    stopReason,
    timestamp: 1,
  },
});

/** The lines of one of pi, version 3: a branch that was left, a picture, a cancelled answer, a command of the person's own. */
export const piLines: readonly object[] = [
  { type: 'session', version: 3, id: '0195-uuid', timestamp: stamp(0), cwd: '/srv/web' },
  { type: 'model_change', id: 'm0000001', parentId: null, timestamp: stamp(0), provider: 'anthropic', modelId: 'claude-sonnet-4-5' },
  {
    type: 'message',
    id: 'u0000001',
    parentId: 'm0000001',
    timestamp: stamp(1),
    message: { role: 'user', content: 'list the files', timestamp: 1 },
  },
  {
    ...{ type: 'message', id: 'a0000001', parentId: 'u0000001', timestamp: stamp(2) },
    message: answer(
      [
        { type: 'thinking', thinking: 'ls will do', thinkingSignature: 'EqQB' },
        { type: 'text', text: 'I look.' },
        { type: 'toolCall', id: 'toolu_01', name: 'bash', arguments: { command: 'ls -l' } },
        { type: 'toolCall', id: 'toolu_02', name: 'read', arguments: { path: 'a.png' } },
      ],
      'toolUse',
    ),
  },
  {
    ...{ type: 'message', id: 'r0000002', parentId: 'a0000001', timestamp: stamp(3) },
    message: {
      ...{ role: 'toolResult', toolCallId: 'toolu_02', toolName: 'read', isError: false, timestamp: 1 },
      content: [
        { type: 'text', text: 'a picture' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
    },
  },
  {
    ...{ type: 'message', id: 'r0000001', parentId: 'r0000002', timestamp: stamp(3) },
    message: {
      role: 'toolResult',
      toolCallId: 'toolu_01',
      toolName: 'bash',
      content: [{ type: 'text', text: 'a.png' }],
      isError: true,
      timestamp: 1,
    },
  },
  {
    type: 'message',
    id: 'a0000002',
    parentId: 'r0000001',
    timestamp: stamp(4),
    message: answer([{ type: 'text', text: 'There is a.png.' }]),
  },
  {
    type: 'message',
    id: 'u000000x',
    parentId: 'a0000002',
    timestamp: stamp(5),
    message: { role: 'user', content: 'a branch that was left', timestamp: 1 },
  },
  { type: 'label', id: 'l0000001', parentId: 'a0000002', timestamp: stamp(5), targetId: 'u0000001', label: 'begin' },
  {
    ...{ type: 'message', id: 'b0000001', parentId: 'l0000001', timestamp: stamp(6) },
    message: { role: 'bashExecution', command: 'pwd', output: '/srv/web', exitCode: 0, cancelled: false, truncated: false, timestamp: 1 },
  },
  {
    type: 'custom_message',
    id: 'c0000001',
    parentId: 'b0000001',
    timestamp: stamp(6),
    customType: 'note',
    content: 'an extension says',
    display: true,
  },
  {
    type: 'message',
    id: 'u0000002',
    parentId: 'c0000001',
    timestamp: stamp(7),
    message: { role: 'user', content: [{ type: 'text', text: 'remove it' }], timestamp: 1 },
  },
  {
    type: 'message',
    id: 'a0000003',
    parentId: 'u0000002',
    timestamp: stamp(8),
    message: answer([{ type: 'text', text: 'I wi' }], 'aborted'),
  },
  { type: 'session_info', id: 's0000001', parentId: 'a0000003', timestamp: stamp(9), name: 'the  pictures' },
];

/** The same, made smaller by pi after its first answer. */
export const compactedPiLines: readonly object[] = [
  ...piLines.slice(0, 7),
  {
    ...{ type: 'compaction', id: 'k0000001', parentId: 'a0000002', timestamp: stamp(5) },
    ...{
      summary: 'The files were listed.',
      firstKeptEntryId: 'a0000002',
      tokensBefore: 50_000,
      details: { readFiles: ['a.png'], modifiedFiles: [] },
    },
  },
  {
    type: 'message',
    id: 'u0000003',
    parentId: 'k0000001',
    timestamp: stamp(6),
    message: { role: 'user', content: 'and now?', timestamp: 1 },
  },
  { type: 'message', id: 'a0000004', parentId: 'u0000003', timestamp: stamp(7), message: answer([{ type: 'text', text: 'Nothing.' }]) },
];

/** As a file has it. */
export const asLines = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
