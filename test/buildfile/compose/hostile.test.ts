import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { composeText } from '../../../src/buildfile/compose/compose-text.ts'
import { readCorpus } from '../../support/corpus.ts'
import { sample } from '../sample.ts'
import { composed, refusal, valueOf } from './read.ts'

const megabyte = 2 ** 20
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

describe('in huge files', () => {
  test('a scalar of a megabyte is read', () => {
    const long = 'x'.repeat(megabyte)
    for (const written of [long, `"${long}"`, `'${long}'`, `|\n  ${long}`, `>\n  ${long}`]) {
      expect(valueOf(written) === long).toBe(true)
    }
    expect(valueOf('1'.repeat(megabyte))).toHaveLength(megabyte)
    expect(valueOf(`"\\t${' '.repeat(megabyte)}x"`)).toHaveLength(megabyte + 2)
  })

  test('a tag of any length is read', () => {
    for (const tag of ['x'.repeat(16 * megabyte), '%aa'.repeat(12 * megabyte)]) {
      expect(valueOf(`!${tag} b`)).toBe('b')
    }
  })

  test('ten thousand keys are read, and a duplicate among them is found', () => {
    const { entries } = composed(
      `${lines(10_000, (index) => `key${index}: ${index}`)}\nkey9: a`,
    ).root
    expect(entries).toHaveLength(10_000)
    expect(entries.filter(({ duplicate }) => duplicate).map(({ key }) => key)).toEqual(['key9'])
  })

  test('any number of flow collections and quotes without indentation is read', () => {
    const text = lines(20_000, (index) => `f${index}: [a,\nb]\nq${index}: "a\n\tb"`)
    const { entries } = composed(text).root
    expect(entries).toHaveLength(40_000)
    expect(entries.at(-2)).toMatchObject({
      line: 79_996,
      value: { items: [{ value: 'a' }, { value: 'b' }] },
    })
    expect(entries.at(-1)).toMatchObject({ line: 79_998, value: { value: 'a b' } })
  })

  test('any number of blank lines is read', () => {
    expect(composed('\n'.repeat(megabyte)).root.entries).toEqual([])
    expect(composed(`${' '.repeat(megabyte)}a: b`).root.entries).toHaveLength(1)
  })
})

describe('in deep files', () => {
  const nested = (levels: number) => lines(levels, (index) => `${' '.repeat(index)}a:`)
  const message = 'Maps and lists are nested in each other more than 200 levels deep.'
  const hint = 'Write the file with fewer levels.'

  test.each([
    ['keys', nested(200)],
    ['dashes', `a: \n${'- '.repeat(199)}b`],
    ['brackets', `a: ${'['.repeat(199)}${']'.repeat(199)}`],
  ])('200 levels of %s are read', (_of, text) => {
    expect(composed(text).root.entries).toHaveLength(1)
  })

  test.each([
    ['keys', nested(10_000), '201:201'],
    ['dashes', `a: \n${'- '.repeat(10_000)}b`, '2:399'],
    ['brackets', `a: ${'['.repeat(10_000)}`, '1:203'],
    ['braces', `a: ${'{a: '.repeat(10_000)}`, '1:800'],
  ])('10,000 levels of %s are refused', (_of, text, at) => {
    expect(refusal(text)).toEqual({ kind: 'parse', at, message, hint })
  })
})

describe('with aliases', () => {
  const message = 'The aliases of this file repeat more than 25000 values.'
  const hint = 'Use fewer aliases, or let them refer to smaller values.'

  test('aliases that repeat 25,000 values are read', () => {
    const text = `a: &a [b]\nc: [${'*a, '.repeat(12_500)}]`
    expect(composed(text).root.entries[1]?.value).toMatchObject({ items: { length: 12_500 } })
  })

  test.each([
    ['in sequences', `a0: &a0 [x]`, (name: string) => `[${`${name}, `.repeat(9)}${name}]`],
    ['in maps', `a0: &a0 {x: 1}`, (name: string) => `{${lines(10, (key) => `k${key}: ${name},`)}}`],
    ['by <<', `a0: &a0 {x: [1]}`, (name: string) => `{<<: [${`${name}, `.repeat(300)}]}`],
  ])('an exponential expansion is refused: %s', (_how, first, ten) => {
    const bomb = lines(20, (index) => `a${index + 1}: &a${index + 1} ${ten(`*a${index}`)}`)
    expect(refusal(`${first}\n${bomb}`)).toMatchObject({ kind: 'parse', message, hint })
  })
})

/** Pieces that mean something, and others. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[' ', '  ', '\n', '\n  ', '\t', ': ', ':', '- ', '-', '? ', '#', ' #', ',', '"', "'", '\\'],
    ...[
      '[',
      ']',
      '{',
      '}',
      '&a ',
      '*a',
      '!t ',
      '!!str ',
      '!!binary ',
      '|',
      '>',
      '|2',
      '>-',
      '%',
      '@',
    ],
    ...[
      '`',
      '<<: ',
      '---',
      '...',
      '\n---\n',
      '\n...\n',
      'a',
      'b',
      'key: v',
      '1',
      '~',
      '\r',
      '\r\n',
    ],
    ...['\0', '\u0002', '\u0018', '\u001f', '\uFEFF', '\u00a0', '\u2028', '\ud800', 'é', '{{ x }}'],
  ),
  fc.string({ maxLength: 5, unit: 'binary' }),
)
const soup = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))

const samples = [
  'language: ruby\nrvm:\n  - 2.3\n  - &x 2.4\nenv: {A: "b", C: \'d\'}\n',
  'jobs:\n  include:\n  - stage: test\n    script: |\n      make\n      make test\n  - <<: *x\n',
  ...[...sample, ...readCorpus<{ yaml: string }>('configs')].map(({ yaml }) => yaml.slice(0, 1500)),
]
const mutated = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(fc.tuple(fc.nat(1500), fc.nat(4), piece), { maxLength: 4 }),
  )
  .map(([text, changes]) =>
    changes.reduce((old, [at, gone, come]) => old.slice(0, at) + come + old.slice(at + gone), text),
  )

describe('any text', () => {
  test.each([
    ['random text', soup],
    ['a file with random changes', mutated],
  ])('is read or refused, with the same result each time: %s', (_what, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const first = composeText(text)
        const { text: prepared } = first.prepared
        const [message, at] =
          'error' in first ? [first.error.message, first.error.at] : ['Fine.', first.root.end]
        expect(message).toMatch(/^\S[^]*\.$/)
        expect(at >= 0 && at <= prepared.length).toBe(true)
        expect(JSON.stringify(composeText(text))).toBe(JSON.stringify(first))
      }),
      { numRuns: 2000 },
    )
  })
})
