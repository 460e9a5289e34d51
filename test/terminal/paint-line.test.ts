import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maximumColumns, paintLine } from '../../src/terminal/paint-line.ts'
import { plainStyle } from '../../src/terminal/text-style.ts'
import { shown } from './notation.ts'

const escape = '\u001B'
const control = new RegExp(String.raw`[\0-\x08\x0a-\x1f\x7f-\x9f]`)

// `^` stands for the escape character.
test.each([
  ['plain', 'plain'],
  ['', ''],
  ['^[32mgreen^[0m plain', '{ink-2:green} plain'],
  ['^[1m^[31mboth^[m', '{ink-1 bold:both}'],
  ['a^[31mb^[32mc', 'a{ink-1:b}{ink-2:c}'],
  ['^[31ma^[31mb', '{ink-1:ab}'],
  ['line\r', 'line'],
  ['10%\r20%\r100%', '100%'],
  ['long text\rshort', 'shorttext'],
  ['^[31mred^[0m\rg', 'g{ink-1:ed}'],
  ['gone\r^[0Knew', 'new'],
  ['gone\r^[Knew', 'new'],
  ['abcdef\rab^[Kx', 'abx'],
  ['gone^[2Knew', 'new'],
  ['gone\r^[2Knew', 'new'],
  ['abc^[1Kd', '   d'],
  ['abc\rx^[1Ky', ' yc'],
  ['abc^[3Kd', 'abcd'],
  ['abc\b\bX', 'aXc'],
  ['\b\ba', 'a'],
  ['tab\tstays', 'tab\tstays'],
  ['bell\u0007, nul\0, delete\u007F and c1\u0085', 'bell, nul, delete and c1'],
  ['^]0;title\u0007text', 'text'],
  ['^]8;;https://example.com^\\link^]8;;^\\ text', 'link text'],
  ['^]8;;javascript:alert(1)\u0007link^]8;;\u0007', 'link'],
  ['^Pdevice^\\text', 'text'],
  ['^]open without an end', 'open without an end'],
  ['^[2J^[H^[10;3f^[?25l^[?25hx', 'x'],
  ['^[>4;2m^[?1mx', 'x'],
  ['^[1Aup', 'up'],
  ['^(Bx^=y', 'xy'],
  ['^[31', '31'],
  ['^[', ''],
  ['^', ''],
  ['^^[31mx', '{ink-1:x}'],
  ['漢字\r語', '語字'],
  ['👍👍\r👎', '👎👍'],
])('%j is shown as %j', (line, expected) => {
  expect(shown(paintLine(line.replaceAll('^', escape), plainStyle).spans)).toBe(expected)
})

test('a style lasts until it changes, even beyond the end of a line', () => {
  const first = paintLine(`${escape}[31mred`, plainStyle)
  const second = paintLine('still red', first.style)
  expect([shown(first.spans), shown(second.spans)]).toEqual(['{ink-1:red}', '{ink-1:still red}'])
})

describe('a line that is too long', () => {
  const long = 'x'.repeat(maximumColumns + 5)

  test.each([
    ['plain', long],
    ['with escapes', `${escape}[0m${long}`],
  ])('is cut, and reports the number of characters cut (%s)', (_, line) => {
    const { spans, cut } = paintLine(line, plainStyle)
    expect([spans.map(({ text }) => text.length), cut]).toEqual([[maximumColumns], 5])
  })

  test('is not reported as cut if the long text was erased', () => {
    const { spans, cut } = paintLine(`${long}\r${escape}[Kdone`, plainStyle)
    expect([shown(spans), cut]).toEqual(['done', 0])
  })
})

test('no input leaves control characters other than tabs, or throws', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      escape,
      `${escape}[`,
      '\r',
      '\b',
      'K',
      '1K',
      '31m',
      ';',
      '38;5;',
      ']0;',
      '\u0007',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const { spans } = paintLine(pieces.join('').replaceAll('\n', ''), plainStyle)
      const text = spans.map((span) => span.text).join('')
      expect(text).not.toMatch(control)
    }),
  )
})
