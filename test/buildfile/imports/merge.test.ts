import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Composed, composeText } from '../../../src/buildfile/compose/compose-text.ts'
import { mergeSources } from '../../../src/buildfile/imports/merge.ts'
import { type MergeMode, mergeModes } from '../../../src/buildfile/imports/mode.ts'
import type { MapNode, Node } from '../../../src/buildfile/tree/node.ts'

function compose(text: string): Composed {
  const file = composeText(text)
  if ('error' in file) throw new Error(file.error.message)
  return file
}

const rootOf = (text: string): MapNode => compose(text).root

function plain(node: Node): unknown {
  if (node.kind === 'seq') return node.items.map(plain)
  if (node.kind === 'none') return null
  if (node.kind === 'secure') return { secure: plain(node.value) }
  if (node.kind !== 'map') return node.value
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]))
}

function merged(left: string, right: string, mode: MergeMode): unknown {
  const sources = [
    { root: rootOf(left), mode, src: null },
    { root: rootOf(right), mode, src: 'r.yml' },
  ]
  return plain(mergeSources(sources).root)
}

const left = 'a: { x: 1, l: { k: 1 } }\nb: [1, 2]\nc: left\nd: left'
const right = 'a: { x: 2, y: 2, l: { m: 2 } }\nb: [3]\nc: right\ne: right'

describe('a merge mode', () => {
  const scalars = { c: 'left', d: 'left', e: 'right' }
  const deep = { x: 1, y: 2, l: { k: 1, m: 2 } }

  test.each([
    ['deep_merge_append', { a: deep, b: [3, 1, 2], ...scalars }],
    ['deep_merge_prepend', { a: deep, b: [1, 2, 3], ...scalars }],
    ['deep_merge', { a: deep, b: [1, 2], ...scalars }],
    ['merge', { a: { x: 1, l: { k: 1 } }, b: [1, 2], ...scalars }],
    ['replace', { a: { x: 1, l: { k: 1 } }, b: [1, 2], c: 'left', d: 'left' }],
  ] as const)('%s', (mode, expected) => {
    expect(merged(left, right, mode)).toEqual(expected)
  })
})

describe('a tag of the higher part applies to its value and below', () => {
  const alone = { x: 1, l: { k: 1 }, s: [1] }
  const lower = 'a: { y: 2, l: { m: 2 }, s: [2] }'

  test.each([
    ['!map+replace', 'deep_merge_append', alone],
    ['!replace', 'deep_merge_append', alone],
    ['!map+merge', 'deep_merge_append', { ...alone, y: 2 }],
    ['!merge', 'deep_merge', { ...alone, y: 2 }],
    ['!map+merge+append', 'deep_merge', { ...alone, y: 2, s: [2, 1] }],
    ['!map+deep_merge', 'merge', { ...alone, y: 2, l: { k: 1, m: 2 } }],
    ['!deep_merge', 'merge', { ...alone, y: 2, l: { k: 1, m: 2 } }],
    ['!map+deep_merge+append', 'merge', { ...alone, y: 2, l: { k: 1, m: 2 }, s: [2, 1] }],
    ['!map+deep_merge+prepend', 'merge', { ...alone, y: 2, l: { k: 1, m: 2 }, s: [1, 2] }],
  ] as const)('%s, with the mode %s', (tag, mode, expected) => {
    expect(merged(`a: ${tag} { x: 1, l: { k: 1 }, s: [1] }`, lower, mode)).toEqual({ a: expected })
  })

  test.each([
    ['!seq+append', [2, 1]],
    ['!append', [2, 1]],
    ['!seq+prepend', [1, 2]],
    ['!prepend', [1, 2]],
    ['!replace', [1]],
  ])('%s, of a sequence', (tag, expected) => {
    const mode = tag === '!replace' ? 'deep_merge_append' : 'deep_merge'
    expect(merged(`s: ${tag} [1]`, 's: [2]', mode)).toEqual({ s: expected })
  })

  test('for the root too', () => {
    expect(merged('!map+replace\na: 1', 'b: 2', 'deep_merge')).toEqual({ a: 1 })
  })

  test('but a tag of the lower part has no effect', () => {
    expect(merged('s: [1]', 's: !seq+prepend [2]', 'deep_merge')).toEqual({ s: [1] })
  })

  test('and an unknown tag is an error at its position', () => {
    const sources = [
      { root: rootOf('a:\n  a: !seq+sort [1]'), mode: 'deep_merge', src: null },
      { root: rootOf('a: { a: [2] }'), mode: 'deep_merge_append', src: 'r.yml' },
    ] as const
    const { root, messages } = mergeSources(sources)
    expect(plain(root)).toEqual({ a: { a: [2, 1] } })
    expect(messages).toEqual([
      {
        level: 'error',
        key: ['a'],
        code: 'unknown_value',
        args: { value: '!seq+sort' },
        line: 1,
        at: expect.objectContaining({ start: expect.any(Number) }) as unknown,
      },
    ])
  })
})

test.each([
  ['a: text', 'a: [1]', 'text'],
  ['a: [1]', 'a: { b: 1 }', [1]],
  ['a: { b: 1 }', 'a: text', { b: 1 }],
  ['a: { secure: x }', 'a: { b: 1 }', { secure: 'x' }],
  ['a:', 'a: 1', null],
  ['a: false', 'a: 1', false],
])('%j replaces %j, which has another type', (higher, lower, expected) => {
  expect(merged(higher, lower, 'deep_merge_append')).toEqual({ a: expected })
})

test('each of several sources is merged below all sources before it', () => {
  const sources = [
    ['a: { x: 1 }\ns: [1]', 'replace'],
    ['a: { x: 2, y: 2 }\ns: [2]', 'deep_merge_prepend'],
    ['a: { y: 3, z: 3 }\ns: [3]', 'deep_merge_append'],
  ] as const
  const { root } = mergeSources(
    sources.map(([text, mode], index) => ({ root: rootOf(text), mode, src: `${index}.yml` })),
  )
  expect(plain(root)).toEqual({ a: { x: 1, y: 2, z: 3 }, s: [3, 1, 2] })
})

test('each entry knows its source, and only the build file keeps its imports', () => {
  const own = 'import: r.yml\nmerge_mode: merge\na: { x: 1 }'
  const imported = 'import: s.yml\nmerge_mode: merge\na: { y: [{ z: 1 }] }'
  const { root } = mergeSources([
    { root: rootOf(own), mode: 'deep_merge', src: null },
    { root: rootOf(imported), mode: 'deep_merge', src: 'r.yml' },
  ])
  expect(places(root)).toEqual([
    ['import', undefined, 0],
    ['merge_mode', undefined, 1],
    ['a', undefined, 2],
    ['x', undefined, 2],
    ['y', 'r.yml', 2],
    ['z', 'r.yml', 2],
  ])
})

function places(node: Node): unknown[] {
  if (node.kind === 'seq') return node.items.flatMap(places)
  if (node.kind !== 'map') return []
  return node.entries.flatMap(({ key, src, line, value }) => [[key, src, line], ...places(value)])
}

const trees = fc.letrec<{ map: MapNode; node: Node }>((tie) => ({
  map: fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), tie('node')), {
      selector: ([key]) => key,
      maxLength: 3,
    })
    .map((entries) => ({
      kind: 'map',
      entries: entries.map(([key, value]) => ({ key, value, at: nowhere })),
      ...nowhere,
    })),
  node: fc.oneof(
    { depthSize: 'small' },
    fc.integer().map((value): Node => ({ kind: 'num', value, ...nowhere })),
    fc
      .array(tie('node'), { maxLength: 2 })
      .map((items): Node => ({ kind: 'seq', items, ...nowhere })),
    tie('map'),
  ),
}))
const nowhere = { start: -1, end: -1 }

test('merging does not modify its parts, and the higher part keeps its keys', () => {
  fc.assert(
    fc.property(trees.map, trees.map, fc.constantFrom(...mergeModes), (one, other, mode) => {
      const before = JSON.stringify([one, other])
      const { root } = mergeSources([
        { root: one, mode, src: null },
        { root: other, mode, src: 'r.yml' },
      ])
      expect(JSON.stringify([one, other])).toBe(before)
      const keys = root.entries.map(({ key }) => key)
      expect(keys.slice(0, one.entries.length)).toEqual(one.entries.map(({ key }) => key))
    }),
  )
})
