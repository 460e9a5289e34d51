import { describe, expect, test } from 'vitest'
import { valueOf } from './read.ts'

describe('a plain scalar is', () => {
  const texts = [
    ...['3.10', '.5', '1.', '-1.5', '1.2.3', '1,000.5', '.', '.nan', '2.7.x'],
    ...['yes', 'no', 'on', 'off', 'y', 'n', 'Y', 'trues', 'null null', 'nulls'],
    ...['2019-01-01', '2019-01-01 00:00:00', '2001-12-14t21:59:43.10-05:00'],
    ...['1e3', '0o10', '08', '09', '1__0', '1,', '1,,2', '0x', '0b', '0xg', '0b2'],
    ...['12:60', '1:2:3:4', '1:2a', '+', '--', '+-1', '1a', 'a1', '1-2', '1 2'],
    ...['foo', 'foo bar', 'a:b', 'a#b', '-x', '?x', 'http://a.b/c', '$X', '$(a)', '~x', '~/x'],
  ]
  test.each(texts)('the text %j', (text) => {
    expect(valueOf(text)).toBe(text)
  })

  test.each(['', '~', 'null', 'Null', 'NULL', 'nUll'])('null when it is %j', (text) => {
    expect(valueOf(text)).toBeNull()
  })

  test.each(['true', 'True', 'TRUE', 'Yes', 'YES', 'yEs', 'On', 'ON', 'oN'])('true: %s', (text) => {
    expect(valueOf(text)).toBe(true)
  })

  test.each(['false', 'False', 'FALSE', 'No', 'NO', 'nO', 'Off', 'OFF'])('false: %s', (text) => {
    expect(valueOf(text)).toBe(false)
  })

  test.each([
    ['0', 0],
    ['-0', 0],
    ['3', 3],
    ['+5', 5],
    ['-5', -5],
    ['123456', 123456],
    ['1_000', 1000],
    ['1,000', 1000],
    ['1,000_000', 1000000],
    ['010', 8],
    ['-010', -8],
    ['0_7', 7],
    ['00', 0],
    ['0b101', 5],
    ['0b1_0', 2],
    ['0x1f', 31],
    ['-0xFF', -255],
    ['12:30', 45000],
    ['12:30:45', 45045],
    ['-1:30', -1800],
    ['1_0:00', 36000],
    ['.inf', Infinity],
    ['-.inf', -Infinity],
    ['+.Inf', Infinity],
  ])('a number: %s', (text, number) => {
    expect(valueOf(text)).toBe(number)
  })

  test.each([
    ['12345678901234567890', '12345678901234567890'],
    ['-12345678901234567890', '-12345678901234567890'],
    ['0xffffffffffffffff', '18446744073709551615'],
    ['9'.repeat(100), '9'.repeat(100)],
  ])('a string of the digits of an integer that is too large: %s', (text, digits) => {
    expect(valueOf(text)).toBe(digits)
  })

  test.each([
    [':foo', 'foo'],
    [':foo bar', 'foo bar'],
    ['::a', ':a'],
  ])('a string without its leading colon: %s', (text, word) => {
    expect(valueOf(text)).toBe(word)
  })

  test.each([
    ['a\n  b', 'a b'],
    ['a   \n  \t b', 'a b'],
    ['a\n\n  b', 'a\nb'],
    ['a\n\n\n  b\n  c', 'a\n\nb c'],
    ['a\r\n  b', 'a b'],
    ['1\n  2', '1 2'],
    ['a # comment', 'a'],
    ['a #comment\n# b', 'a'],
  ])('the folded text of its lines: %j', (text, folded) => {
    expect(valueOf(text)).toBe(folded)
  })
})

describe('a quoted scalar is a string', () => {
  test.each([
    ["''", ''],
    ["'~'", '~'],
    ["'1'", '1'],
    ["'it''s'", "it's"],
    ["''''", "'"],
    ["'a\n  b'", 'a b'],
    ["'a  \n\n \t b '", 'a\nb '],
    ["' a'", ' a'],
    [String.raw`'a\n'`, String.raw`a\n`],
    ['""', ''],
    ['"true"', 'true'],
    ['"a: b # c"', 'a: b # c'],
    ['"a\n  b"', 'a b'],
    ['"a \\\n  b"', 'a b'],
    ['"a\\\n\n  b"', 'a\nb'],
    ['"a\\\n  \\ b"', 'a b'],
    ['"a\\t \n b"', 'a\t b'],
    [String.raw`"\"\\\/\n\t\0\x41\u00e9\U0001F600\e"`, '"\\/\n\t\0Aé😀\u001b'],
    [String.raw`"\N\_\L\P\ \a\b\v\f\r"`, '\u0085\u00a0\u2028\u2029 \u0007\b\v\f\r'],
  ])('%j', (written, text) => {
    expect(valueOf(written)).toBe(text)
  })

  test.each([
    ['"a\n\tb"', 'a b'],
    ['"a\nb"', 'a b'],
    ["'a\n\n\tb'", 'a\nb'],
    ['"a \\"\n\tb"', 'a " b'],
    ["'a ''\nb'", "a ' b"],
  ])('with any indentation of its later lines: %j', (written, text) => {
    expect(valueOf(`${written}\nnext: 1`)).toBe(text)
  })
})

describe('a block scalar', () => {
  test.each([
    ['|\n  a\n  b\nnext: 1', 'a\nb\n'],
    ['|\n  a\n   b\n\n  c\n\n\nnext: 1', 'a\n b\n\nc\n'],
    ['|-\n  a\n\nnext: 1', 'a'],
    ['|+\n  a\n\nnext: 1', 'a\n\n'],
    ['|\n\n  a\nnext: 1', '\na\n'],
    ['|2\n    a\n  b\nnext: 1', '  a\nb\n'],
    ['|1-\n  a\nnext: 1', ' a'],
    ['|-1\n  a\nnext: 1', ' a'],
    ['| # comment\n  a\nnext: 1', 'a\n'],
    ['|\n  # text\nnext: 1', '# text\n'],
    ['|\r\n  a\r\n  b\r\nnext: 1', 'a\nb\n'],
    ['|\nnext: 1', ''],
    ['|+\n\n\nnext: 1', '\n\n'],
    ['>\n  a\n  b\n\n  c\nnext: 1', 'a b\nc\n'],
    ['>\n  a\n    b\n  c\nnext: 1', 'a\n  b\nc\n'],
    ['>\n\n  a\n\n\n  b\nnext: 1', '\na\n\nb\n'],
    ['>\n  a\n  \tb\nnext: 1', 'a\n\tb\n'],
    ['>-\n  a\n\n    b\n\n  c\nnext: 1', 'a\n\n  b\n\nc'],
  ])('%j', (written, text) => {
    expect(valueOf(written)).toBe(text)
  })

  test.each([
    ['|\n  a\n', 'a'],
    ['>\n  a\n  b\n', 'a b'],
    ['|-\n  a\n', 'a'],
    ['|+\n  a\n', 'a\n'],
    ['|', ''],
    ['|+', ''],
  ])(
    'at the end of the file has no final line break, unless it is kept with "+": %j',
    (written, text) => {
      expect(valueOf(written)).toBe(text)
    },
  )

  test('can start in the column of its key', () => {
    expect(valueOf('\n|\n  a\nnext: 1')).toBe('a\n')
  })
})

describe('a tag', () => {
  test.each([
    ['!!str 5', '5'],
    ['!str 5', '5'],
    ['!!str', ''],
    ['! 5', '5'],
    ['!<tag:yaml.org,2002:str> 5', '5'],
    ['!!binary aGVsbG8=', 'hello'],
    ['!!binary |\n  aGVs\n  bG8=\n', 'hello'],
    ['!foo bar', 'bar'],
    ['!foo 5', 5],
    ['!!int "5"', '5'],
    ['!!float 5', 5],
    ['!foo', null],
  ])('%s', (written, value) => {
    expect(valueOf(written)).toBe(value)
  })
})
