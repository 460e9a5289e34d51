import { describe, expect, test } from 'vitest'
import { ConditionError } from '../../../src/buildfile/conditions/condition.ts'
import { parseCondition } from '../../../src/buildfile/conditions/parse.ts'

function errorOf(text: string, version?: 'v0' | 'v1') {
  try {
    parseCondition(text, version)
    return undefined
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    const { message, offset, reason } = error
    return { message, offset, reason }
  }
}

describe('an invalid condition is refused, with its position and the expected terms:', () => {
  const operand = 'a variable, a call or a value'
  const end = 'the end, or "and" or "or",'
  test.each([
    ['', 0, `${operand} is missing at the end`],
    [' ', 1, `${operand} is missing at the end`],
    ['branch = ', 9, `${operand} is missing at the end`],
    ['= master', 0, `there is "=" where ${operand} should be`],
    ['not', 3, `${operand} is missing at the end`],
    ['branch AND', 10, `${operand} is missing at the end`],
    ['branch = master extra', 16, `there is "extra" where ${end} should be`],
    ['branch = master, x', 15, `there is "," where ${end} should be`],
    ['branch = master)', 15, `there is ")" where ${end} should be`],
    [
      '(branch = master',
      16,
      'the parenthesis that closes the one at character 1 is missing at the end',
    ],
    ['branch = "master', 9, 'this quote is not closed'],
    [
      'branch IS master',
      10,
      'there is "master" where "present", "blank", "true" or "false" should be',
    ],
    ['branch NOT  IN (a)', 7, `there is "NOT" where ${end} should be`],
    [
      'branch IS  NOT blank',
      11,
      'there is "NOT" where "present", "blank", "true" or "false" should be',
    ],
    ['branch IN master', 10, 'there is "master" where a list in parentheses should be'],
    ['branch IN ()', 11, `there is ")" where ${operand} should be`],
    ['branch IN (a b)', 13, 'there is "b)" where a comma or a closing parenthesis should be'],
    ['branch IN (a,,)', 13, `there is ",)" where ${operand} should be`],
    ['env(A', 5, 'a comma or a closing parenthesis is missing at the end'],
  ])('%j', (text, offset, message) => {
    expect(errorOf(text)).toEqual({ message, offset, reason: null })
  })

  test.each([
    ['$A = 1', 0],
    ['branch = $X', 9],
    ['$branch', 0],
    ['concat($A)', 7],
    ['branch IN (a, $B)', 14],
  ])('%j, because of its dollar sign', (text, offset) => {
    const reason = 'unquoted words must not start with a dollar sign'
    const message = `${reason}: write env(NAME), or put quotes around it`
    expect(errorOf(text)).toEqual({ message, offset, reason })
  })

  test.each([
    [`${'('.repeat(101)}a${')'.repeat(101)}`, 100, 'parentheses are nested more than 100 deep'],
    [`${'env('.repeat(101)}a${')'.repeat(101)}`, 400, 'calls are nested more than 100 deep'],
    ['('.repeat(100_000), 100, 'parentheses are nested more than 100 deep'],
    ['env('.repeat(100_000), 400, 'calls are nested more than 100 deep'],
  ])('%.20s…, because of its depth', (text, offset, message) => {
    expect(errorOf(text)).toEqual({ message, offset, reason: null })
  })
})

describe('an invalid regular expression', () => {
  test.each([
    [
      'branch =~ ^(a|b)',
      11,
      'bad regular expression /^(a|b/',
      ': this parenthesis is not closed (at character 2 of it)',
    ],
    [
      'branch =~ /a*+b?+c(?=d)/ and x',
      18,
      'the regular expression /a*+b?+c(?=d)/ cannot be used: ' +
        'looking ahead is not supported (at character 8 of it)',
      '',
    ],
    [
      `branch =~ ${'a'.repeat(2000)}`,
      1010,
      `the regular expression /${'a'.repeat(100)}…/ cannot be used: ` +
        'more than 1000 characters are not supported (at character 1001 of it)',
      '',
    ],
  ])('is refused with its position in the condition: %.30s', (text, offset, reason, details) => {
    expect(errorOf(text)).toEqual({ message: `${reason}${details}`, offset, reason })
  })
})

describe('the position of a term is known:', () => {
  test.each([
    [' branch = master ', { start: 1, end: 16 }],
    ['branch in (a, b)', { start: 0, end: 16 }],
    ['branch  is  present', { start: 0, end: 19 }],
    ['branch =~ /a b/', { start: 0, end: 15 }],
    ['branch =~', { start: 0, end: 9 }],
    ['env( A ) ', { start: 0, end: 8 }],
    ['a \\\n = b', { start: 0, end: 8 }],
  ])('%j', (text, span) => {
    expect(parseCondition(text)).toMatchObject({ text, expression: span })
  })
})

describe('version v0', () => {
  test.each([
    'branch = master AND type IN (push)',
    'branch=master',
    'branch!=master',
    'branch = "a b" or not (tag IS present and env(A) =~ ^v)',
    'branch !~ /^x/ OR NOT fork IS blank',
    'sender IN (a, "b")',
  ])('takes %j', (text) => {
    expect(errorOf(text, 'v0')).toBeUndefined()
  })

  test.each([
    ['1', 0, 'there is "1" where a variable or env(NAME) should be'],
    ['master = branch', 0, 'there is "master" where a variable or env(NAME) should be'],
    ['concat(a) = b', 0, 'there is "concat(a)" where a variable or env(NAME) should be'],
    ['branch', 6, 'an operator, such as "=" or "IN", is missing at the end'],
    ['branch == master', 8, 'there is "=" where a value should be'],
    ['branch = env(A)', 12, 'there is "(A)" where the end, or "and" or "or", should be'],
    ['branch IS true', 10, 'there is "true" where "present" or "blank" should be'],
    ['branch = a && fork = b', 11, 'there is "&&" where the end, or "and" or "or", should be'],
  ])('refuses %j', (text, offset, message) => {
    expect(errorOf(text, 'v0')).toEqual({ message, offset, reason: null })
  })
})
