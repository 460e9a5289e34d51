import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alwaysSame } from '../../../src/buildfile/conditions/always-same.ts'
import { ConditionError } from '../../../src/buildfile/conditions/condition.ts'
import { constantTerms } from '../../../src/buildfile/conditions/constant.ts'
import { holds } from '../../../src/buildfile/conditions/evaluate.ts'
import { parseCondition } from '../../../src/buildfile/conditions/parse.ts'

describe('a condition with the same result for every build:', () => {
  test.each([
    ['true', true, 'literal', ['true']],
    ['not FALSE', true, 'literal', ['FALSE']],
    ['branch!=main', true, 'variable_as_word', ['branch!=main']],
    ['branch~= main', false, 'variable_as_word', ['branch~= main']],
    ['branch!~ ^main', true, 'variable_as_word', ['branch!~ ^main']],
    ['BRANCH = main', false, 'variable_in_capitals', ['BRANCH = main']],
    ['master', true, 'words_alone', ['master']],
    ['"branch" = main', false, 'words_alone', ['"branch" = main']],
    ['concat(a, b) in (ab)', true, 'words_alone', ['concat(a, b) in (ab)']],
    ['tag =~', false, 'no_pattern', ['tag =~']],
    ['tag !~', true, 'no_pattern', ['tag !~']],
    ['type = release', false, 'impossible_value', ['type = release']],
    ['pr = type', false, 'impossible_value', ['pr = type']],
    ['type IN (pr, release)', false, 'impossible_value', ['type IN (pr, release)']],
    ['type NOT IN (pr)', true, 'impossible_value', ['type NOT IN (pr)']],
    ['repo != hello', true, 'impossible_value', ['repo != hello']],
    ['fork = yes', false, 'impossible_value', ['fork = yes']],
    ['type = tag', false, 'impossible_value', ['type = tag']],
    ['tag = true', false, 'impossible_value', ['tag = true']],
    ['branch = main or branch!=dev', true, 'variable_as_word', ['branch!=dev']],
    ['branch = main and type = release', false, 'impossible_value', ['type = release']],
    ['a = b or type = release', false, 'words_alone', ['a = b']],
    ['type = push and type = cron', false, 'between_terms', ['type = push', 'type = cron']],
    ['type != push or type != cron', true, 'between_terms', ['type != push', 'type != cron']],
    ['not type = push or type != cron', true, 'between_terms', ['type = push', 'type != cron']],
    ['tag = a and tag != a', false, 'between_terms', ['tag = a', 'tag != a']],
    ['tag = a or tag != a', true, 'between_terms', ['tag != a', 'tag = a']],
    ['env(A) = 1 and env(A) in (2, 3)', false, 'between_terms', ['env(A) = 1', 'env(A) in (2, 3)']],
  ] as const)('%s is always %j: %s', (text, result, reason, terms) => {
    const found = terms.map((term) => ({ text: term, offset: text.indexOf(term) }))
    expect(alwaysSame(parseCondition(text))).toEqual({ result, reason, terms: found })
  })
})

test.each([
  'branch',
  'branch = main',
  'env(A) = 1',
  'env() = 1',
  'type = push',
  'tag = branch',
  'type IN (push, release)',
  'type = env(TYPE)',
  'fork = false',
  'repo = octavia/hello',
  'type != push or type = cron',
  'type = push or type = cron',
  'type != push and type != cron',
  'tag = a and branch = b',
  'tag = a and tag in (a, b)',
  'tag in (a, b) and tag != a',
  'tag in (a, b) or tag != a and fork',
  'a =~ env(B)',
  'branch = branch',
])('%s depends on the build', (text) => {
  expect(alwaysSame(parseCondition(text))).toBeUndefined()
})

test('terms without effect are found, whatever the result of the condition', () => {
  const text = 'branch!=main and (tag = a or type = release) and true'
  expect(constantTerms(parseCondition(text))).toEqual([
    { result: true, reason: 'variable_as_word', terms: [{ text: 'branch!=main', offset: 0 }] },
    { result: false, reason: 'impossible_value', terms: [{ text: 'type = release', offset: 29 }] },
  ])
})

const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    fc
      .tuple(
        fc.constantFrom('type', 'fork', 'tag', 'env(A)', 'branch', 'a', 'TAG'),
        fc.constantFrom(' = ', ' != ', '!=', ' in ', ' not in ', ' =~ ', ' !~ ', ' is '),
        fc.constantFrom('push', 'cron', 'a', 'b', 'true', '(a, b)', '(push, b)', 'blank', ''),
      )
      .map((parts) => parts.join('')),
    fc.constantFrom('true', 'fork', 'tag'),
    tie('condition').map((inner) => `not (${inner})`),
    fc
      .tuple(tie('condition'), fc.constantFrom('and', 'or'), tie('condition'))
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
  ),
}))

const builds = fc.record({
  type: fc.constantFrom('push', 'pull_request', 'api', 'cron'),
  fork: fc.boolean(),
  tag: fc.constantFrom(null, '', 'a', 'b', 'push'),
  branch: fc.constantFrom('a', 'b', 'true'),
  env: fc.constantFrom([], [{ A: 'a' }], ['A=b']),
})

test('a result reported as constant is the same for every build', () => {
  fc.assert(
    fc.property(condition, builds, (text, data) => {
      const same = sameOf(text)
      fc.pre(same !== undefined)
      expect(holds(text, data)).toBe(same.result)
    }),
    { numRuns: 500 },
  )
})

function sameOf(text: string) {
  try {
    return alwaysSame(parseCondition(text))
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    return undefined
  }
}
