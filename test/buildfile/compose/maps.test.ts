import { describe, expect, test } from 'vitest'
import { composed, said } from './read.ts'

const keysOf = (text: string) => composed(text).root.entries.map(({ key }) => key)

test.each([
  '',
  '  \n',
  '# comment',
  '---',
  '--- # x\n',
  '~',
  'null',
  'false',
  'No',
  '--- false\n...',
])('%j is an empty map', (text) => {
  expect(composed(text).root).toMatchObject({ kind: 'map', entries: [] })
})

describe('the root of a document is read from', () => {
  test.each([
    ['--- {a: 1}'],
    ['---\na: 1'],
    ['%YAML 1.1\n---\na: 1'],
    ['# x\n---\na: 1\n---\n}'],
    ['# x\n\n%YAML 1.1\n# y\n---\na: 1'],
    ['a: 1\n...\n@ not read'],
    ['a: 1\n--- [\n'],
    ['\n\n  a: 1\n'],
    ['\uFEFFa: 1'],
    ['\u00A0 a: 1'],
    ['{a: 1}\nnot read'],
  ])('%j', (text) => {
    expect(said(text)).toEqual({ a: 1 })
  })

  test('a document whose first line is indented', () => {
    expect(said('\n  a: 1\n  b:\n    c: 2\n')).toEqual({ a: 1, b: { c: 2 } })
  })

  test.each(['\r', '\r\n', '\n'])('lines that end with %j', (end) => {
    const text = ['a:', '  b: |', '    c', '    d', '  e: "f', '    g"', ''].join(end)
    expect(said(text)).toEqual({ a: { b: 'c\nd\n', e: 'f g' } })
  })
})

describe('keys are read as text', () => {
  test.each([
    ['1.10: a', '1.10'],
    ['on: a', 'on'],
    ['true: a', 'true'],
    ['~: a', '~'],
    ['010: a', '010'],
    ['"a b": a', 'a b'],
    ["'it''s': a", "it's"],
    ['a b : a', 'a b'],
    ['a:b: a', 'a:b'],
    [':os: a', 'os'],
    ['&x os: a', 'os'],
    ['!!str os: a', 'os'],
    ['? os\n: a', 'os'],
    ['? os', 'os'],
    ['{os: a}', 'os'],
    ['{"os":a}', 'os'],
    ['{? os : a}', 'os'],
    ['{os}', 'os'],
    ['__proto__: a', '__proto__'],
  ])('%s', (text, key) => {
    expect(keysOf(text)).toEqual([key])
  })
})

describe('nesting is read from', () => {
  test.each([
    ['a:\n- 1\n- 2\nb: 3', { a: [1, 2], b: 3 }],
    ['a:\n  - 1\n  -\n  - - 2\n    - 3\n', { a: [1, null, [2, 3]] }],
    ['a:\n- b: 1\n  c: 2\n- d', { a: [{ b: 1, c: 2 }, 'd'] }],
    ['a:\n- b:\n  - 1\n  c:\n    d: 2', { a: [{ b: [1], c: { d: 2 } }] }],
    ['a:\n\n  # x\n  b: 1\n# y\n\n  c: 2', { a: { b: 1, c: 2 } }],
    ['a:\n  b:\n#x\n    c\nd: 1', { a: { b: 'c' }, d: 1 }],
    ['a:\n|\nb: 1', { a: '', b: 1 }],
    ['a:\n| # c\nb: 1', { a: '', b: 1 }],
    ['a:\n  b:\n  |-\n\n  c: 1', { a: { b: '', c: 1 } }],
    ['a:\n|1\n x\nb: 1', { a: 'x\n', b: 1 }],
    ['a: |1\n   x\n  \nb: 1', { a: '  x\n \n', b: 1 }],
    ['a:\t|\n  x\nb: 1', { a: 'x\n', b: 1 }],
    ['a: |#c\n  x\nb: 1', { a: 'x\n', b: 1 }],
    ['a: ["x", :y]', { a: ['x', 'y'] }],
    ["a: 'q'\nb: [:x]", { a: 'q', b: ['x'] }],
    ['a: {"b": :c}', { a: { b: 'c' } }],
    ['a: {b:, c: d}', { a: { b: null, c: 'd' } }],
    ['a: [b:]', { a: [{ b: null }] }],
    ['a: "x\n---y"\nb: 1', { a: 'x ---y', b: 1 }],
    ['a: "x\n--"', { a: 'x --' }],
    ['a: [b,\n---c]', { a: ['b', '---c'] }],
    ['a: 1\n---b: 2', { a: 1, '---b': 2 }],
    ['a:\nb:\n', { a: null, b: null }],
    ['a: # x\n  1', { a: 1 }],
    ['a: !t\n  b: 1', { a: { b: 1 } }],
    ['a: &x\n- 1', { a: [1] }],
    ['a: &x\nb: 1', { a: null, b: 1 }],
    ['a: &x\n  &y b: 1', { a: { b: 1 } }],
    [
      'a: [1, [2], {b: 3}, c: 4, ? d, "e": 5]',
      { a: [1, [2], { b: 3 }, { c: 4 }, { d: null }, { e: 5 }] },
    ],
    ['a: [1, 2,]', { a: [1, 2] }],
    ['a: {b, c: , d: 1,}', { a: { b: null, c: null, d: 1 } }],
    ['a: [\n  1, # x\n  2\n]', { a: [1, 2] }],
    ['a: [\n1,\n\t2\n]\nb: 3', { a: [1, 2], b: 3 }],
    [
      'a:\n  b: {\n c: [d\ne],\n"f": \'g\n  h\' }\n  i: 1',
      { a: { b: { c: ['d e'], f: 'g h' }, i: 1 } },
    ],
    ['a:\tb\nc:\n\n- d', { a: 'b', c: ['d'] }],
    ['a: b\n\t\n  \nc: d', { a: 'b', c: 'd' }],
    ['? a\n: - 1\n  - 2\n? b\nc: 3', { a: [1, 2], b: null, c: 3 }],
  ])('%j', (text, value) => {
    expect(said(text)).toEqual(value)
  })
})

describe('a duplicate key', () => {
  test('has its last value at the position of its first', () => {
    const { entries } = composed('a: 1\nb: 2\na: 3').root
    expect(entries).toEqual([
      {
        key: 'a',
        value: { kind: 'num', value: 3, start: 13, end: 14 },
        line: 0,
        at: { start: 0, end: 1 },
        duplicate: { start: 10, end: 11 },
      },
      {
        key: 'b',
        value: { kind: 'num', value: 2, start: 8, end: 9 },
        line: 1,
        at: { start: 5, end: 6 },
      },
    ])
  })

  test('is marked once, in maps of any size and in flow', () => {
    const many = Array.from({ length: 20 }, (_, index) => `k${index}: ${index}\n`).join('')
    const { entries } = composed(`${many}k19: a\nk3: b\nk3: c\nflow: {x: 1, x: 2}`).root
    expect(entries.filter(({ duplicate }) => duplicate).map(({ key }) => key)).toEqual([
      'k3',
      'k19',
    ])
    expect(said(many + 'k3: c')).toMatchObject({ k3: 'c' })
    expect(entries.at(-1)?.value).toMatchObject({
      entries: [{ key: 'x', duplicate: { start: 172 } }],
    })
  })
})

describe('a merge key', () => {
  const base = 'x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\n'
  test.each([
    ['z: {<<: *x}', { a: 1, b: 2 }],
    ['z: {b: 0, <<: *x}', { b: 2, a: 1 }],
    ['z: {<<: *x, b: 0}', { a: 1, b: 0 }],
    ['z: {<<: [*x, *y]}', { a: 1, b: 2, c: 4 }],
    ['z: {<<: [*y, {b: 5, d: 6}]}', { b: 3, c: 4, d: 6 }],
    ['z: {<<: *x, <<: *y}', { a: 1, b: 3, c: 4 }],
    ['z:\n  <<:\n    a: 1\n  b: 2', { a: 1, b: 2 }],
    ['z: {<<: 1}', { '<<': 1 }],
    ['z: {<<: *unknown}', { '<<': null }],
    ['z: {<<: [*x, 1]}', { '<<': [{ a: 1, b: 2 }, 1] }],
    ['l: &l [*x]\nz: {<<: *l}', { '<<': [{ a: 1, b: 2 }] }],
    ['s: &s {secure: q}\nz: {<<: *s, a: 1}', { secure: 'q', a: 1 }],
  ])('%s', (text, value) => {
    expect(said(base + text)).toMatchObject({ z: value })
    expect(Object.keys((said(base + text) as { z: object }).z)).toHaveLength(
      Object.keys(value).length,
    )
  })

  test('keeps the lines of merged keys, and does not mark them as duplicates', () => {
    const { entries } = composed('x: &x\n  a: 1\n  b: 2\nb: 0\n<<: *x\na: 3\n<<: *x').root
    expect(entries.map(({ key, line, duplicate }) => [key, line, duplicate])).toEqual([
      ['x', 0, undefined],
      ['b', 3, undefined],
      ['a', 1, undefined],
    ])
  })

  test('does not copy the mark of a duplicate key', () => {
    const { entries } = composed('x: &x {a: 1, a: 2}\n<<: *x').root
    expect(entries.map(({ key, duplicate }) => [key, duplicate])).toEqual([
      ['x', undefined],
      ['a', undefined],
    ])
  })

  test('leaves the merged map unchanged', () => {
    expect(said('x: &x {a: 1}\ny: {<<: *x, a: 2}\nz: *x')).toEqual({
      x: { a: 1 },
      y: { a: 2 },
      z: { a: 1 },
    })
  })
})

describe('anchors and aliases', () => {
  test.each([
    ['a: &x [1]\nb: *x', { a: [1], b: [1] }],
    ['a: &x 1\nb: &x 2\nc: *x', { a: 1, b: 2, c: 2 }],
    ['a: *later\nb: &later 1', { a: null, b: 1 }],
    ['a: &x\n  b: 1\nc: *x', { a: { b: 1 }, c: { b: 1 } }],
    ['&x a: 1\nb: *x', { a: 1, b: 'a' }],
    ['a: [&x b, *x]', { a: ['b', 'b'] }],
    ['a: &x\nb: *x', { a: null, b: null }],
    ['a: {b: &x , c: *x }', { a: { b: null, c: null } }],
  ])('%j', (text, value) => {
    expect(said(text)).toEqual(value)
  })

  test('an alias is the node of its anchor', () => {
    const [a, b] = composed('a: &x {k: 1}\nb: *x').root.entries
    expect(b?.value).toBe(a?.value)
  })

  test('an anchor is named after the last scalar before it', () => {
    const text = [
      ...['_a: &a {x: 1}', 'b: [&c d, e, &f g]', 'h:', '- &i j', '"k l": !t &m', '  n: 1'],
      ...['o: 1', '<<: &p {q: &r 1}', ':s: &s 1', 'u: v'],
    ].join('\n')
    expect([...composed(text).anchorNames]).toEqual(['_a', 'b', 'e', 'h', 'k l', '<<', 'q', ':s'])
  })

  test('an anchor without a scalar before it has no name', () => {
    expect([...composed('&a\nb: 1').anchorNames]).toEqual([])
  })
})

describe('a map with `secure` as its only key', () => {
  test.each(['a: {secure: x}', 'a:\n  secure: x', 'a: {<<: {secure: x}}'])('%j', (text) => {
    expect(composed(text).root.entries).toMatchObject([
      { key: 'a', value: { kind: 'secure', value: { kind: 'str', value: 'x' } } },
    ])
  })

  test('can be an entry, and hold any value', () => {
    const { entries } = composed('a: [secure: x, {secure: [y]}, {secure: z, b: 1}]').root
    expect(entries).toMatchObject([
      {
        value: {
          items: [{ kind: 'secure' }, { kind: 'secure', value: { kind: 'seq' } }, { kind: 'map' }],
        },
      },
    ])
  })

  test('is a plain map at the root', () => {
    expect(composed('secure: x').root).toMatchObject({ kind: 'map', entries: [{ key: 'secure' }] })
  })
})

describe('the tag of a map or sequence', () => {
  test.each([
    ['!map+replace {b: 1}', 'map+replace'],
    ['!map+deep_merge+append {b: 1}', 'map+deep_merge+append'],
    ['!replace\n  b: 1', 'replace'],
    ['!seq+prepend [b]', 'seq+prepend'],
    ['!append\n- b', 'append'],
    ['!map+unheard {b: 1}', 'map+unheard'],
    ['!map {b: 1}', undefined],
    ['!seq [b]', undefined],
    ['!!map {b: 1}', undefined],
    ['!other [b]', undefined],
  ])('%s', (written, merge) => {
    const [entry] = composed(`a: ${written}`).root.entries
    expect(entry && 'merge' in entry.value ? entry.value.merge : undefined).toBe(merge)
  })

  test('can be before the whole file', () => {
    expect(composed('!map+merge\na: 1').root.merge).toBe('map+merge')
  })
})
