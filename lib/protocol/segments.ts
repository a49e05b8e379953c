/** The parts that the lines at the top and at the bottom of the screen can be made of: settings name them, the screen draws them. */

/** Name and meaning of each. */
export const segmentSays = {
  name: 'the name of the program',
  agent: 'the name of the agent',
  session: 'the session',
  unsaved: 'that the session is not saved, while that is so',
  model: 'the model profile and its protocol',
  target: 'where commands run',
  cwd: 'the folder there',
  trust: 'that files of the working folder wait to be trusted, while that is so',
  context: 'how full the context window is, with a gauge',
  rate: 'tokens a second while an answer streams, with a sparkline',
  tokens: 'tokens so far, in and out',
  cost: 'what the session has cost, where prices are known',
  policy: 'what may happen without asking',
  hints: 'the keys that matter now',
  gap: 'the place where the left part ends and the right one begins',
} as const;

/** One of them. */
export type SegmentName = keyof typeof segmentSays;

/** All of them, in the order of the manual. */
export const segmentNames = Object.keys(segmentSays) as readonly SegmentName[];

/** The line at the top when nothing is set. */
export const defaultHeader: readonly SegmentName[] = [
  'name',
  'model',
  'target',
  'cwd',
  'gap',
  'unsaved',
  'trust',
  'context',
  'rate',
  'cost',
  'policy',
];

/** The line at the bottom. */
export const defaultFooter: readonly SegmentName[] = ['hints'];
