import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  readRegularExpression,
  RegularExpressionError,
} from '../../src/buildfile/regular-expression.ts'

const found = (source: string, text: string) => readRegularExpression(source).test(text)

function errorOf(source: string) {
  try {
    readRegularExpression(source)
    return undefined
  } catch (error) {
    if (!(error instanceof RegularExpressionError)) throw error
    const { message, offset, unsupported } = error
    return { message, offset, unsupported }
  }
}

const nothingBack = 'does not backtrack, which works only where that makes no difference'

describe("Ruby's dialect:", () => {
  test.each([
    ['anywhere in a text', 'b', 'abc', 'ac'],
    ['the empty expression', '^(|x)$', '', 'y'],
    ['^ at each line', '^b$', 'a\nb\nc', 'a\nbb\nc'],
    [String.raw`\A at the start alone`, String.raw`\Ab`, 'b\na', 'a\nb'],
    [String.raw`\z at the end alone`, String.raw`b\z`, 'a\nb', 'b\na'],
    [String.raw`\z not before a line break`, String.raw`b\z`, 'b', 'b\n'],
    [String.raw`\Z before a last line break`, String.raw`b\Z`, 'b\n', 'b\n\n'],
    [String.raw`\G at the start`, String.raw`\Gb`, 'bc', 'ab'],
    ['a dot without line breaks', 'a.b', 'a b', 'a\nb'],
    ['option m: with line breaks', '(?m)a.b', 'a\nb', 'ab'],
    ['option i', '(?i)MAIN', 'main', 'mian'],
    ['option i of a group', '(?i:A)b', 'ab', 'aB'],
    ['option i turned off again', '(?i)a(?-i:b)C', 'Abc', 'aBc'],
    ['options apply to later alternatives', 'a(?i)b|c', 'aC', 'c'],
    ['option x: spaces and comments', '(?x) a b # and so on\n c', 'abc', 'a b c'],
    ['option x: not in brackets', '(?x)a[ ]b', 'a b', 'ab'],
    ['a comment', 'a(?#b)c', 'ac', 'abc'],
    ['a named group', '(?<name>a)b', 'ab', 'b'],
    ['a named group in quotes', "(?'name'a)b", 'ab', 'b'],
    ['lookbehind', '(?<=a)b', 'ab', 'cb'],
    ['negative lookbehind', '(?<!a)b', 'cb', 'ab'],
    [String.raw`\h`, String.raw`^\h+$`, 'c0ffee', 'coffee'],
    [String.raw`\H`, String.raw`\H`, 'g', 'a'],
    [String.raw`\d, ASCII alone`, String.raw`^\d$`, '7', '\u0667'],
    [String.raw`\w, ASCII alone`, String.raw`^\w$`, '_', '\u00E9'],
    [String.raw`\s with a vertical tab`, String.raw`a\sb`, 'a\vb', 'a\u00A0b'],
    [String.raw`\S`, String.raw`a\Sb`, 'axb', 'a\vb'],
    [String.raw`\R`, String.raw`^\A\R\z`, '\r\n', ' '],
    [String.raw`\b`, String.raw`\bb`, 'a b', 'ab'],
    [String.raw`\K`, String.raw`a\Kb`, 'ab', 'b'],
    [String.raw`\x`, String.raw`^\x41$`, 'A', 'x41'],
    [String.raw`\u`, String.raw`^\u0041\u{1F600}$`, 'A\u{1F600}', 'A'],
    ['octal', String.raw`^\0101$`, '\b1', 'A'],
    ['a control character', String.raw`^\cI\C-I$`, '\t\t', 'II'],
    ['an escaped letter without a meaning', String.raw`\y\_\-\/`, 'y_-/', String.raw`\y`],
    ['braces without a count', '^a{,}b{x}$', 'a{,}b{x}', 'ab'],
    ['up to', '^a{,2}b', 'aab', 'aaab'],
    ['lazy', '^a{1,2}?b+?$', 'aabb', 'aaab'],
    ['a question mark after a single count', '^a{2}?$', '', 'a'],
    ['quantifiers of quantifiers', '^(?:ab){1}+*$', 'ababab', 'aba'],
    ['brackets', '^[^]a-c-]$', 'd', '-'],
    ['a dash next to a set', String.raw`^[a-\d-z]+$`, 'a-1z', 'b'],
    ['brackets in brackets', '^[a[bc]]+$', 'abc', 'd'],
    ['all but some, in brackets', '^[a[^a-y]]+$', 'az', 'b'],
    ['neither of two', '^[^a[b]]$', 'c', 'b'],
    [String.raw`\b in brackets`, String.raw`[\b]`, '\b', 'b'],
    [String.raw`\S in brackets`, String.raw`^[ \S]$`, ' ', '\t'],
    ['a doubly negated space', String.raw`^[^\S]$`, ' ', 'a'],
    ['a closing bracket first in brackets', '^[]]$', ']', '['],
    ['a closing bracket alone', '^a]}$', 'a]}', 'a'],
    ['POSIX classes, beyond ASCII', '^[[:alpha:]]+$', 'h\u00E9', '1'],
    ['POSIX classes, negated', '^[[:^alpha:]]$', '1', '\u00E9'],
    ['a property', String.raw`^\p{Upper}\p{^Upper}\P{Upper}$`, 'Abb', 'ABB'],
    ['a category', String.raw`^\p{Lu}$`, '\u00C9', '\u00E9'],
    ['a script', String.raw`^\p{greek}$`, '\u03B1', 'a'],
    ['any character', String.raw`^\p{Any}$`, '\n', ''],
    ['characters beyond the first plane', '^.$', '\u{1F600}', 'ab'],
    ['possessive at the end', '^(?:a|ab)++', 'ab', 'b'],
    [
      'possessive before characters that it cannot match',
      String.raw`^\d++\.[^/]*+/`,
      '12.ab/',
      '12',
    ],
    ['possessive before the end of a line', String.raw`\d++$`, '12\n', 'a'],
    ['possessive before the end', String.raw`\d++\z`, '12', 'a'],
    ['atomic at the end', '^a(?>b|bc)', 'abc', 'ac'],
    ['atomic with one way to match', '(?>ab{2})b', 'abbb', 'abb'],
  ])('%s: %s', (_rule, source, text, other) => {
    expect([found(source, text), found(source, other)]).toEqual([true, false])
  })
})

describe('an expression that cannot run in linear time is refused with a reason:', () => {
  test.each([
    ['a(?=b)', 1, 'looking ahead is not supported'],
    ['a(?!b)', 1, 'looking ahead is not supported'],
    [String.raw`(a)\1`, 3, 'a reference back to a group is not supported'],
    [String.raw`(?<n>a)\k<n>`, 7, 'a reference back to a group is not supported'],
    [String.raw`(?<n>a)\g<n>`, 7, 'calling a group is not supported'],
    ['(a)(?(1)b)', 3, 'a condition inside an expression is not supported'],
    ['(?~a)', 0, 'an absence operator is not supported'],
    ['(?u)a', 0, 'the options a, d and u are not supported'],
    [String.raw`\X`, 0, String.raw`\X is not supported`],
    [String.raw`\M-a`, 0, String.raw`a character of more than seven bits (\M-) is not supported`],
    [String.raw`\p{Klingon}`, 0, 'the property "Klingon" is not supported'],
    ['[a-z&&[^b]]', 4, 'what two classes share (&&) is not supported'],
    ['[^a[^b]]', 8, 'a negated class with negated classes in it is not supported'],
    ['[[^[^b]]]', 1, 'a negated class with negated classes in it is not supported'],
    ['a{1001}', 1, 'more than 1000 repetitions ({1001}) are not supported'],
    ['(?:a{40}){40}', 0, 'repetitions of more than 1000 parts in total are not supported'],
    ['a'.repeat(1001), 1000, 'more than 1000 characters are not supported'],
    ['('.repeat(101), 100, 'groups nested this deep are not supported'],
    ['['.repeat(30), 21, 'brackets nested this deep are not supported'],
    ['a******', 6, 'this many quantifiers in a row are not supported'],
    ['a++b?c', 1, `this quantifier ${nothingBack}`],
    ['a++a', 1, `this quantifier ${nothingBack}`],
    ['(?>a|ab)c', 0, `the group (?>…) ${nothingBack}`],
    ['(?<=a++)b', 5, `this quantifier ${nothingBack}`],
    ['(?:a++b*)*', 4, `this quantifier ${nothingBack}`],
  ])('%.20s', (source, offset, message) => {
    expect(errorOf(source)).toEqual({ message, offset, unsupported: true })
  })

  test('a text that would take too long', () => {
    const expression = readRegularExpression('[ab]*a[ab]{900}[cd]')
    expect(() => expression.test('a'.repeat(100_000))).toThrow(
      'a text this long, for this pattern, is not supported',
    )
    expect(expression.test('a'.repeat(1000))).toBe(false)
  })
})

describe('an invalid regular expression is refused, with its position:', () => {
  test.each([
    ['(', 0, 'this parenthesis is not closed'],
    ['a(b(c)', 1, 'this parenthesis is not closed'],
    ['a)', 1, 'this parenthesis closes nothing'],
    ['(?#a', 0, 'this comment is not closed'],
    ['*a', 0, 'there is nothing to repeat here'],
    ['a|+', 2, 'there is nothing to repeat here'],
    ['({2})', 1, 'there is nothing to repeat here'],
    ['a{3,1}', 1, 'the numbers of {3,1} run backwards'],
    ['a[b', 1, 'a bracket is not closed'],
    ['[]', 0, 'a bracket is not closed'],
    ['[c-a]', 1, 'a range runs backwards'],
    ['[[:foo:]]', 1, 'there is no class [:foo:]'],
    ['(?P<n>a)', 0, 'there is no group of this kind'],
    ['(?<1>a)', 0, 'there is no group of this kind'],
    ['a\\', 1, 'nothing follows the backslash'],
    ['[\\', 1, 'nothing follows the backslash'],
    [String.raw`\xg`, 0, 'the character code is missing or invalid'],
    [String.raw`\u{110000}`, 0, 'the character code is missing or invalid'],
    [String.raw`\ud800`, 0, 'the character code is missing or invalid'],
    [String.raw`\pL`, 0, String.raw`a property is written like \p{Alpha}`],
  ])('%s', (source, offset, message) => {
    expect(errorOf(source)).toEqual({ message, offset, unsupported: false })
  })
})

const syntax = fc
  .array(
    fc.constantFrom(
      ...['a', 'b', 'Z', '1', ' ', '-', '^', '$', '.', '|', '*', '+', '?', '(', ')', '[', ']', '{'],
      ...[
        '}',
        ',',
        '2',
        '\\',
        'd',
        'S',
        'p',
        'h',
        'R',
        'x',
        'u',
        '(?',
        '(?:',
        '(?>',
        '(?<=',
        '(?i)',
      ],
      ...[
        '(?x)',
        '[^',
        '&&',
        '[:alpha:]',
        '[:^punct:]',
        '{2,3}',
        '\\p{L}',
        '\\Z',
        '\u00E9',
        '\uD800',
      ],
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

test('any expression is either refused or can be tested', () => {
  fc.assert(
    fc.property(syntax, fc.string({ unit: 'binary', maxLength: 20 }), (source, text) => {
      if (errorOf(source)) return
      expect(typeof found(source, text)).toBe('boolean')
    }),
    { numRuns: 2000 },
  )
})

/** Expressions that mean the same to Node's own engine, with options m and u. */
const { expression } = fc.letrec<{ expression: string; piece: string }>((tie) => ({
  expression: fc
    .array(fc.array(tie('piece'), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
    .map((alternatives) => alternatives.map((pieces) => pieces.join('')).join('|')),
  piece: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    fc.constantFrom('a', 'b', '.', '[^a]', '[ab]', '[a-c]', String.raw`\w`, String.raw`\b`),
    tie('expression').map((inner) => `(${inner})`),
    tie('expression').map((inner) => `(?<=${inner})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('*', '+', '?', '*?', '{2}', '{1,2}'))
      .map(([inner, sign]) => `(?:${inner})${sign}`),
  ),
}))

test('expressions of both dialects match like those of Node', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '\n'), maxLength: 8 })
  fc.assert(
    fc.property(expression, texts, (source, text) => {
      expect(found(source, text)).toBe(new RegExp(source, 'mu').test(text))
    }),
    { numRuns: 1000 },
  )
})
