import { describe, expect, test } from 'vitest'
import { type LogNode, readFolds } from '../../src/terminal/fold.ts'

const clear = '\r\u001B[0K'

function start(name: string): string {
  return `service_fold:start:${name}${clear}`
}

function end(name: string): string {
  return `service_fold:end:${name}${clear}`
}

function begin(id: string): string {
  return `service_time:start:${id}${clear}`
}

function took(id: string, seconds: number): string {
  return `service_time:end:${id}:start=1,finish=2,duration=${seconds * 1e9},event=x${clear}`
}

/** Lines as `number text (seconds)`, folds as `[name, head, …inside]` with `…` while open. */
function outline(node: LogNode): unknown {
  if (node.kind === 'line') {
    const text = node.spans.map((span) => span.text).join('')
    const number = node.number === null ? '-' : `${node.number}`
    return `${number} ${text}${node.seconds === null ? '' : ` (${node.seconds})`}`
  }
  const name = `${node.name}${node.closed ? '' : '…'}`
  return [name, node.head && outline(node.head), ...node.inside.map(outline)]
}

function read(text: string): unknown[] {
  return readFolds(text.split('\n'), 1).map(outline)
}

test('lines without markers are numbered', () => {
  expect(read('a\r\n\r\nb\r')).toEqual(['1 a', '2 ', '3 b'])
})

test('the first line of a fold is its title', () => {
  const text = `before\n${start('install')}$ npm ci\nadded 1\n${end('install')}after`
  expect(read(text)).toEqual(['1 before', ['install', '2 $ npm ci', '3 added 1'], '4 after'])
})

test('a duration is shown on the line where its timer began', () => {
  const text = `${start('install')}${begin('0a')}$ npm ci\nadded\n${took('0a', 9.5)}${end('install')}`
  expect(read(text)).toEqual([['install', '1 $ npm ci (9.5)', '2 added']])
})

test('a command outside of folds has a duration as well', () => {
  expect(read(`${begin('0b')}$ make\nmade\n${took('0b', 2)}done`)).toEqual([
    '1 $ make (2)',
    '2 made',
    '3 done',
  ])
})

test('text before a marker on the same line stays in its fold', () => {
  expect(read(`${start('a')}$ printf x\nx${end('a')}$ next`)).toEqual([
    ['a', '1 $ printf x', '2 x'],
    '- $ next',
  ])
})

test('a line that consists only of markers is not shown', () => {
  expect(read(`${start('a')}x\n${end('a')}\ny`)).toEqual([['a', '1 x'], '3 y'])
})

describe('nested and malformed folds', () => {
  test.each([
    [
      'inside each other',
      `${start('a')}1\n${start('b')}2\n3\n${end('b')}4\n${end('a')}5`,
      [['a', '1 1', ['b', '2 2', '3 3'], '4 4'], '5 5'],
    ],
    ['never ended', `${start('a')}1\n2\n3`, [['a…', '1 1', '2 2', '3 3']]],
    [
      'ended by the end of an outer fold',
      `${start('a')}1\n${start('b')}2\n${end('a')}3`,
      [['a', '1 1', ['b', '2 2']], '3 3'],
    ],
    [
      'crossing',
      `${start('a')}1\n${start('b')}2\n${end('a')}3\n${end('b')}4`,
      [['a', '1 1', ['b', '2 2']], '3 3', '4 4'],
    ],
    ['ended without a start', `1\n${end('a')}2`, ['1 1', '2 2']],
    [
      'with the same name',
      `${start('a')}1\n${end('a')}${start('a')}2\n${end('a')}3`,
      [['a', '1 1'], ['a', '2 2'], '3 3'],
    ],
    ['empty', `${start('a')}${end('a')}1`, [['a', null], '1 1']],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  test('do not nest deeper than a page can render', () => {
    let [node] = readFolds([`${start('a').repeat(10_000)}x`], 1)
    let depth = 0
    while (node?.kind === 'fold') {
      depth += 1
      node = node.inside[0]
    }
    expect(depth).toBe(8)
  })
})

test('a timer that ends twice, never ends, or never starts is harmless', () => {
  const text = `${took('0a', 1)}a\n${begin('0a')}b\n${took('0a', 2)}${took('0a', 3)}c\n${begin('0c')}`
  expect(read(text)).toEqual(['1 a', '2 b (2)', '3 c'])
})

test('a log full of markers has no more lines than the text', () => {
  const text = Array.from({ length: 20_000 }, () => `${begin('0a')}x`).join('')
  expect(readFolds([text], 1).length).toBeLessThanOrEqual(5001)
})

test('a log with too many colours loses the colours, but not its text', () => {
  const line = '\u001B[31ma\u001B[32mb'.repeat(1000)
  const nodes = readFolds(
    Array.from({ length: 100 }, () => line),
    1,
  )
  expect(
    outline(nodes.at(-1) ?? { kind: 'fold', name: '', head: null, inside: [], closed: true }),
  ).toBe(`100 ${'ab'.repeat(1000)}`)
  const spans = nodes.map((node) => (node.kind === 'line' ? node.spans.length : 0))
  expect([spans[0], spans.at(-1)]).toEqual([2000, 1])
})
