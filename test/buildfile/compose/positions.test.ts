import { describe, expect, test } from 'vitest'
import type { Composed } from '../../../src/buildfile/compose/compose-text.ts'
import type { Node, Span } from '../../../src/buildfile/tree/node.ts'
import { corpus, readCorpus } from '../../support/corpus.ts'
import { needs } from '../../support/needs.ts'
import { composed } from './read.ts'

/** Every key and value, as the text between their offsets says it; what is shared stands there once. */
function pieces({ root, prepared }: Composed): string[] {
  const written = ({ start, end }: Span) => prepared.text.slice(start, end)
  function of(node: Node): string[] {
    switch (node.kind) {
      case 'map':
        return node.entries.flatMap(({ at, value }) => [written(at), ...of(value)])
      case 'seq':
        return [written(node), ...node.items.flatMap(of)]
      case 'secure':
        return [written(node), ...of(node.value)]
      default:
        return [written(node)]
    }
  }
  return of(root)
}

describe('offsets of keys and values are correct', () => {
  test.each([
    ['a: b', ['a', 'b']],
    ['"a" : \'b\' # c', ['"a"', "'b'"]],
    [':a: :b', [':a', ':b']],
    ['a: 0x1f\nb: ~\nc:', ['a', '0x1f', 'b', '~', 'c', '']],
    ['a: &x !t  b\nc: *x', ['a', 'b', 'c', 'b']],
    ['a: b\n  c\nd: "e\n  f"', ['a', 'b\n  c', 'd', '"e\n  f"']],
    ['a: |-\n  b\n\n  c\n\n\nd: >\n  e', ['a', '|-\n  b\n\n  c', 'd', '>\n  e']],
    ['a: |\nb: 1', ['a', '|', 'b', '1']],
    ['a: [b, {c: d}, e: f] # x', ['a', '[b, {c: d}, e: f]', 'b', 'c', 'd', 'e', 'f']],
    ['a:\n- b\n- c: d\n# x', ['a', '- b\n- c: d', 'b', 'c', 'd']],
    ['a: {secure: "b"}', ['a', '{secure: "b"}', '"b"']],
    ['a:\n  secure: b\nc: d', ['a', 'secure: b', 'b', 'c', 'd']],
    ['a: [\nb,\n"c\n\td"]\ne: "f\ng"', ['a', '[\nb,\n"c\n\td"]', 'b', '"c\n\td"', 'e', '"f\ng"']],
    ['? a\n: b', ['a', 'b']],
    ['<<: {a: b}', ['a', 'b']],
  ])('%j', (text, expected) => {
    expect(pieces(composed(text))).toEqual(expected)
  })

  test('for a map, from its first key to its last value', () => {
    const { root, prepared } = composed('# x\na:\n  b: 1\n  c: [2]\n\n# y\nd: 3 # z\n')
    const [a] = root.entries
    expect(prepared.text.slice(root.start, root.end)).toBe('a:\n  b: 1\n  c: [2]\n\n# y\nd: 3')
    expect(a && prepared.text.slice(a.value.start, a.value.end)).toBe('b: 1\n  c: [2]')
  })

  test('in the original file', () => {
    const given = '\uFEFF\r\n  a: b\r\n  c:\r\n    d: "e"\r\n \r\n'
    const { root, prepared } = composed(given)
    const places = root.entries.map(({ at, line, value }) => {
      const key = prepared.written(at.start)
      return [line, key, given.slice(key.offset, prepared.written(value.end).offset)]
    })
    expect(places).toEqual([
      [0, { offset: 5, line: 2, column: 3 }, 'a: b'],
      [1, { offset: 13, line: 3, column: 3 }, 'c:\r\n    d: "e"'],
    ])
    expect([0, 4, 6].map((offset) => prepared.lineOf(offset))).toEqual([0, 0, 1])
  })
})

/** Keys of the whole tree, those of shared parts once. */
function keysIn(node: Node, seen = new Set<Node>()): { at: Span; line?: number; key: string }[] {
  if (seen.has(node)) return []
  seen.add(node)
  if (node.kind === 'seq') return node.items.flatMap((item) => keysIn(item, seen))
  if (node.kind !== 'map') return []
  return node.entries.flatMap((entry) => [entry, ...keysIn(entry.value, seen)])
}

describe('in the corpus', needs(corpus), () => {
  const files = readCorpus<{ yaml: string }>('configs').map(({ yaml }) => composed(yaml))

  test('every key is at its offset and on its line', () => {
    const lost = files.flatMap(({ root, prepared }) =>
      keysIn(root).filter(({ at, line, key }) => {
        const written = prepared.text.slice(at.start, at.end).replaceAll(/^["':]|["']$/g, '')
        return written !== key || line !== prepared.lineOf(at.start)
      }),
    )
    expect(lost).toEqual([])
  })

  test('a value read by itself is the same value', () => {
    const plain = files.flatMap(({ root, prepared }) =>
      root.entries
        .filter(({ value }) => value.kind === 'str' || value.kind === 'num')
        .map(({ value }) => ({ value, written: prepared.text.slice(value.start, value.end) }))
        // Whether a block of text has a last line break depends on what follows it.
        .filter(({ written }) => !/^[|>]/.test(written)),
    )
    const other = plain.filter(({ value, written }) => {
      const [entry] = composed(`key: ${written}\nnext:`).root.entries
      return JSON.stringify(bare(entry?.value)) !== JSON.stringify(bare(value))
    })
    expect(plain.length).toBeGreaterThan(3000)
    expect(other).toEqual([])
  })
})

const bare = (node: Node | undefined) => node && { ...node, start: 0, end: 0 }
