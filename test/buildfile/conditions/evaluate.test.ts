import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConditionError, variableNames } from '../../../src/buildfile/conditions/condition.ts'
import type { ConditionData } from '../../../src/buildfile/conditions/data.ts'
import { evaluate, holds } from '../../../src/buildfile/conditions/evaluate.ts'
import { explain } from '../../../src/buildfile/conditions/explain.ts'
import { parseCondition } from '../../../src/buildfile/conditions/parse.ts'
import { corpus, readCorpus } from '../../support/corpus.ts'
import { needs } from '../../support/needs.ts'

const push: ConditionData = {
  type: 'push',
  repo: 'octavia/hello',
  branch: 'main',
  tag: null,
  fork: false,
  commit_message: 'Say hello\n\nto everyone',
  env: ['A=1 B="two words"', { C: true, N: 1, Q: "'x'", S: { secure: 'c2VjcmV0' } }],
}

const decide = (text: string, data: ConditionData = push) => evaluate(parseCondition(text), data)

interface Line {
  data?: ConditionData
  if: string
  result?: boolean
  error?: string
}

describe('the conditions of the corpus', needs(corpus), () => {
  const [first, ...lines] = readCorpus<Line>('conditions')

  function answerTo(text: string): Partial<Line> {
    try {
      return { result: decide(text, first?.data) }
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error
      return { error: 'syntax' }
    }
  }

  test('there are 127', () => {
    expect(lines).toHaveLength(127)
  })

  test.each(lines)('$if', ({ if: text, ...answer }) => {
    expect(answerTo(text)).toEqual(answer)
  })
})

describe('the result of the condition', () => {
  test.each([
    // Keywords in any case, variables and words as they are.
    ['branch = main And not fork OR false', true],
    ['Branch = Branch', true],
    ['branch = MAIN', false],
    // A line break is white space, a backslash in front of it is none of the text.
    ['branch = main\r\nand type = push', true],
    ['branch = main\\\r\n and type = push', true],
    // And binds tighter than or; two negations are none.
    ['true or false and false', true],
    ['(true or false) and false', false],
    ['not not not branch = main', false],
    ['!!fork', false],
    // Equality converts nothing but the texts true and false.
    ['env(N) = 1', false],
    ['env(A) = 1', true],
    ['env(C) = "TRUE"', true],
    ['tag = ""', false],
    ['tag = sudo', true],
    ['branch not in (main)', false],
    ['tag not in (a, b)', true],
    ['fork in (false)', true],
    // Blank is what is not there, empty, or false.
    ['env(N) is present', true],
    ['"" is blank', true],
    ['" " is blank', false],
    ['tag is false', true],
    ['tag is not true', true],
    ['env(N) is true', true],
    // Null matches nothing, so that it does match the opposite.
    ['tag =~ //', false],
    ['tag !~ //', true],
    ['branch =~', false],
    ['branch !~', true],
    ['(branch =~ ) or true', true],
    ['branch =~ env(NOTHING)', false],
    ['fork =~ fal', true],
    ['env(N) =~ ^1$', true],
    // Between slashes, or up to white space; parentheses at its end are not part of it.
    ['commit_message =~ /hello$/', true],
    ['commit_message =~ /^to every/', true],
    ['(branch =~ ^main)', true],
    ['(branch =~ ^(main|dev)$)', true],
    [String.raw`repo =~ /^octavia\/h/`, true],
    ['branch =~ concat(ma, in)', true],
    ['branch =~ env(B)', false],
    // Calls.
    ['concat(env(A), tag, "-", branch, true) = 1-maintrue', true],
    ['concat() = ""', true],
    ['env(concat(A)) = 1', true],
    ['ENV( A ) = 1', true],
    ['env(B) = "two words"', true],
    ['env(Q) = x', true],
    ['env(S) is blank', true],
    ['env(secure) is blank', true],
    ['env(tag) is blank', true],
  ])('%j: %j', (text, result) => {
    expect(decide(text)).toBe(result)
  })
})

describe('definitions in the environment', () => {
  test.each([
    [['A=1', 'A=2'], 'A', '2'],
    [['A=1', { A: '2' }], 'A', '2'],
    [['A=1 A=2'], 'A', '2'],
    [['A'], 'A', ''],
    [['A='], 'A', ''],
    [['"A=1 2"'], 'A', '1'],
    [['A="x \\" y" B=1'], 'B', '1'],
    [["A='x y'z B=1"], 'B', '1'],
    [['A=a\\ b'], 'A', 'a\\ b'],
    [['A=$(x y) B=1'], 'A', '$(x y) B=1'],
    [['A="$(x y)" B=1'], 'B', '1'],
    [['A=1 B="open'], 'A', null],
    [['=1 A=1'], 'A', null],
    [['A = 1'], 'A', null],
    [['A="x"y'], 'A', '"x"y'],
    [[{ secure: 'A=1' }], 'A', null],
    [[{ A: null }], 'A', null],
    [[], 'A', null],
  ])('%j give %s the value %j', (env, name, value) => {
    const [term] = explain(parseCondition(`env(${name})`), { env }).terms
    expect(term?.saw).toEqual([{ text: `env(${name})`, value }])
  })
})

describe('a term that cannot be evaluated', () => {
  const text = 'branch =~ env(PATTERN)'

  test.each([
    ['(', 'bad regular expression /(/: this parenthesis is not closed (at character 1 of it)'],
    [
      'a(?=b)',
      'the regular expression /a(?=b)/ cannot be used: ' +
        'looking ahead is not supported (at character 2 of it)',
    ],
  ])('is an error if a pattern is made of %s', (pattern, message) => {
    const data = { branch: 'main', env: [{ PATTERN: pattern }] }
    expect(() => decide(text, data)).toThrow(message)
    expect(holds(text, data)).toBe(false)
  })

  test.each(['', '$A', 'branch =~ /(/', 'branch =~ /(?=a)/'])('counts as false: %j', (broken) => {
    expect(holds(broken, push)).toBe(false)
  })

  test('is one that exceeds the effort left for a build', () => {
    const data = { ...push, commit_message: 'x'.repeat(1000), effort: { left: 3_500_000 } }
    const long = 'commit_message !~ /x[xy]{900}[yz]/'
    const results = Array.from({ length: 5 }, () => holds(long, data))
    expect(results).toEqual([true, true, true, false, false])
  })
})

test('an explanation shows each term with its position, its values and its result', () => {
  const text = 'type = push AND NOT (branch in (dev, env(A)) OR tag =~ env(B)) and commit_message'
  expect(explain(parseCondition(text), push)).toEqual({
    result: true,
    terms: [
      term('type = push', 0, [['type', 'push']], true),
      term(
        'branch in (dev, env(A))',
        21,
        [
          ['branch', 'main'],
          ['env(A)', '1'],
        ],
        false,
      ),
      term(
        'tag =~ env(B)',
        48,
        [
          ['tag', null],
          ['env(B)', 'two words'],
        ],
        false,
      ),
      term('commit_message', 67, [['commit_message', push.commit_message]], true),
    ],
  })
})

test('an explanation shows terms that could not be evaluated', () => {
  const data = { branch: 'main', env: ['P=('] }
  const error = 'bad regular expression /(/: this parenthesis is not closed (at character 1 of it)'
  const saw = [
    { text: 'branch', value: 'main' },
    { text: 'env(P)', value: '(' },
  ]
  expect(explain(parseCondition('not branch =~ env(P)'), data)).toEqual({
    result: false,
    terms: [{ text: 'branch =~ env(P)', offset: 4, saw, result: false, error }],
  })
})

function term(text: string, offset: number, saw: [string, unknown][], result: boolean) {
  return {
    text,
    offset,
    saw: saw.map(([name, value]) => ({ text: name, value })),
    result,
    error: null,
  }
}

const pieces = [
  ...variableNames,
  ...[' ', ' ', '(', ')', ',', '=', '!=', '=~', '!~', '~=', 'and', 'OR', 'not', '&&', '||', '!'],
  ...['in', 'not in', 'is', 'is not', 'present', 'blank', 'true', 'env(', 'concat(', 'A', '"', "'"],
  ...['/', '\\', '\n', '$', '^v', 'x', '\u{1F600}', '\uD800', '*', '(?='],
]
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((parts) => parts.join('')),
)

test.each(['v0', 'v1'] as const)('any condition is read or refused (%s)', (version) => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(outcome(text, version)).toEqual(outcome(text, version))
    }),
    { numRuns: 2000 },
  )
})

function outcome(text: string, version: 'v0' | 'v1') {
  try {
    const condition = parseCondition(text, version)
    return { result: evaluate(condition, push), explained: explain(condition, push) }
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    return { offset: error.offset, reason: error.reason }
  }
}
