/** Kept sessions, for pictures of their list. */

import type { SessionPreview, SessionSummary } from '../../../lib/protocol/sessions.js';
import { START_MS } from './picture.js';

const HOUR_MS = 3_600_000;

/** Three: one without a name, two with one. The newest first. */
export const listedSessions: readonly SessionSummary[] = [
  {
    ...{ session: 's-slow', name: null, title: 'why is it slow?', latest: 'and now?', prompts: 2, target: 'this host', labels: [] },
    ...{ bytes: 20_000, updatedMs: START_MS - HOUR_MS, foreign: null, open: false },
  },
  {
    ...{ session: 's-disks', name: 'disks of may', title: 'how full is /srv?', latest: 'how full is it now?', prompts: 12 },
    ...{ target: 'web-01 (ssh)', labels: [], bytes: 48_000, updatedMs: START_MS - 30 * HOUR_MS, foreign: null, open: false },
  },
  {
    ...{ session: 's-mail', name: 'mail', title: 'send it', latest: 'send it', prompts: 1, target: 'mail (container)' },
    ...{ labels: ['the good one', '日本語'], bytes: 1200, updatedMs: START_MS - 300 * HOUR_MS, foreign: null, open: false },
  },
];

/** The end of the second one. */
export const sessionPreview: SessionPreview = {
  session: 's-disks',
  cwd: '/srv/日本語',
  model: 'gpt',
  said: [
    { by: 'person', text: 'how full is /srv?' },
    { by: 'model', text: `I look at the largest folders first.\n\n${'They are many. '.repeat(40)}` },
    { by: 'person', text: 'how full is it now?' },
    { by: 'model', text: '78 %.' },
  ],
};
