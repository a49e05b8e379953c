/** Two opinions of one command: both are shown, the stricter one counts, and it is told why somebody is asked. */

import type { ApprovalRequest, ComputedRisk, ModelClaim } from '../../lib/protocol/approvals.js';
import { claimPlan, claimRowWords } from '../../lib/view/claim-words.js';
import { stricter } from '../../lib/view/computed-risk.js';

const claimed = (risk: ModelClaim['risk']): ModelClaim => ({ risk, mutation: false, privesc: false, why: 'to look' });
const computed = (risk: ComputedRisk['risk'], ...reasons: string[]): ComputedRisk => ({
  risk,
  mutation: risk !== 'low',
  privesc: risk === 'high',
  network: false,
  reasons,
});
const rows = (request: Pick<ApprovalRequest, 'claim' | 'computed' | 'notes'>, cols: number, lines: number) =>
  claimRowWords(request, claimPlan(request, { cols, rows: lines })).map((words) => words.map(({ text }) => text).join(''));

test.each([
  ['high', 'low', 'computed'],
  ['low', 'high', 'claim'],
  ['medium', 'medium', 'both'],
] as const)('%s was computed, the model says %s: %s', (program, model, which) =>
  expect(stricter(computed(program), claimed(model))).toBe(which),
);

test('who says nothing counts for nothing', () => {
  expect([stricter(undefined, claimed('low')), stricter(computed('low'), null)]).toEqual(['claim', 'computed']);
  expect(rows({ claim: null }, 80, 24)).toEqual([]);
  expect(rows({ claim: claimed('low') }, 40, 10)).toEqual(['the model says: low risk, changes nothing: “to look”']);
  expect(rows({ claim: null, computed: computed('low') }, 80, 24)).toEqual(['computed: low, changes nothing']);
});

test('they share a row where both are whole in it, else each has one, and in a low window both are cut short', () => {
  const request = { claim: claimed('low'), computed: computed('high') };
  const beside = 'computed: high, mutates, sudo · the model says: low risk, changes nothing: “to look”';
  expect(rows(request, 100, 20)).toEqual([beside]);
  expect(rows(request, beside.length + 1, 24)).toEqual(beside.split(' · '));
  expect(rows(request, 60, 20)).toEqual(['computed: high, mutates, sudo · model: low: “to look”']);
});

test('why somebody is asked in every mode stands with what was computed', () => {
  const request = { claim: claimed('low'), computed: computed('high', 'it sends data out', 'it opens secrets') };
  expect(rows(request, 160, 45)).toEqual([
    'computed: high, mutates, sudo: it sends data out; it opens secrets',
    'the model says: low risk, changes nothing: “to look”',
  ]);
  expect(rows(request, 60, 20)).toEqual(['computed: high, mutates, sudo · model: low · it sends data out; it opens secrets']);
});

test('what the person should know stands above both, and in a low window before them', () => {
  const request = { claim: claimed('low'), computed: computed('high', 'it sends data out'), notes: ['you said no to this', 'it read x'] };
  expect(rows(request, 80, 24)).toEqual([
    'you said no to this',
    'it read x',
    'computed: high, mutates, sudo: it sends data out',
    'the model says: low risk, changes nothing: “to look”',
  ]);
  expect(rows(request, 60, 20)).toEqual([
    'you said no to this · it read x · computed: high, mutates, sudo · model: low · it sends data out',
  ]);
  expect(rows({ claim: claimed('low'), notes: ['it read x'] }, 60, 20)).toEqual([
    'it read x',
    'the model says: low risk, changes nothing: “to look”',
  ]);
  expect(rows({ claim: null, notes: ['it read x'] }, 60, 20)).toEqual(['it read x']);
});
