import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMasker } from '../../src/runner/masking/masker.ts'
import { textSearch } from '../../src/runner/masking/text-search.ts'

/** Masks pieces one after the other. */
function mask(secrets: readonly string[], ...pieces: (string | Uint8Array)[]): string {
  const masker = createMasker(secrets, { searches: [textSearch([])] })
  const out = pieces.map((piece) => masker.push(Buffer.from(piece)))
  return Buffer.concat([...out, masker.end()]).toString()
}

describe('the whole text', () => {
  test.each([
    [['secret'], 'a secret here', 'a [secure] here'],
    [['secret'], 'secretsecret', '[secure][secure]'],
    [['secret'], 'secre', 'secre'],
    [[], 'secret', 'secret'],
    [[''], 'secret', 'secret'],
    // A secret that begins another one.
    [['hun', 'hunter2'], 'hunter2', '[secure]'],
    [['hun', 'hunter2'], 'hunter', '[secure]ter'],
    [['ter', 'hunter2'], 'hunter2', '[secure]'],
    // Overlapping secrets share a cover.
    [['abc123', 'c123xyz'], 'abc123xyz!', '[secure]!'],
    [['aab'], 'aaab', 'a[secure]'],
    [['aaaa', 'aaab'], 'aaaaaab', '[secure]'],
    [['aba'], 'ababa', '[secure]'],
    [['grüße'], 'viele grüße', 'viele [secure]'],
    [['a.c', '$^'], 'abc a.c $^', 'abc [secure] [secure]'],
  ])('%j in "%s" is masked as "%s"', (secrets, text, masked) => {
    expect(mask(secrets, text)).toBe(masked)
  })
})

describe('a text in pieces', () => {
  test.each([
    [['hunter2'], ['hun', 'ter', '2!'], '[secure]!'],
    [['hun', 'hunter2'], ['hun', 'ter2'], '[secure]'],
    [['abc123', 'c123xyz'], ['abc', '123x', 'y', 'z'], '[secure]'],
    [
      ['grüße'],
      [Buffer.from([0x67, 0x72, 0xc3]), Buffer.from([0xbc, 0xc3, 0x9f, 0x65])],
      '[secure]',
    ],
  ])('%j in %j is masked as "%s"', (secrets, pieces, masked) => {
    expect(mask(secrets, ...pieces)).toBe(masked)
  })

  test('is not held back where no secret can begin', () => {
    const masker = createMasker(['hunter2'])
    expect(masker.push(Buffer.from('open hunt')).toString()).toBe('open ')
    expect(masker.push(Buffer.from('ing')).toString()).toBe('hunting')
    expect(masker.push(Buffer.from('hunter2')).toString()).toBe('[secure]')
  })

  test('becomes a single [secure], however long the overlap of its secrets', () => {
    const masker = createMasker(['aaaa', 'aaab'])
    expect(masker.push(Buffer.from('aaaaaa')).toString()).toBe('[secure]')
    for (let count = 0; count < 100; count++) {
      expect(masker.push(Buffer.alloc(100_000, 'a')).toString()).toBe('')
    }
    expect(masker.end().toString()).toBe('')
  })

  test('keeps bytes that are not text unchanged', () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    const masker = createMasker(['hunter2'])
    expect(Buffer.concat([masker.push(bytes), masker.end()])).toEqual(bytes)
  })

  test('can be dropped, and masked from the start again', () => {
    const masker = createMasker(['hunter2'])
    masker.push(Buffer.from('hunt'))
    masker.drop()
    expect(masker.push(Buffer.from('er2 hunter2')).toString()).toBe('er2 [secure]')
  })
})

describe('any text', () => {
  // Few letters, so that secrets overlap, and begin or contain each other.
  const letters = fc.constantFrom('a', 'b', 'ß')
  const word = (minLength: number, maxLength: number) =>
    fc.string({ unit: letters, minLength, maxLength })
  const secrets = fc.array(word(1, 6), { maxLength: 5 })
  const cuts = fc.array(fc.nat(12), { maxLength: 30 })

  test('is masked the same however it is cut', () => {
    fc.assert(
      fc.property(secrets, word(0, 80), cuts, (secrets, text, cuts) => {
        expect(mask(secrets, ...cutUp(Buffer.from(text), cuts))).toBe(maskWhole(secrets, text))
      }),
      { numRuns: 3000 },
    )
  })

  test('shows no secret', () => {
    fc.assert(
      fc.property(secrets, word(0, 80), cuts, (secrets, text, cuts) => {
        const shown = mask(secrets, ...cutUp(Buffer.from(text), cuts)).split('[secure]')
        for (const secret of secrets) {
          expect(shown.some((piece) => piece.includes(secret))).toBe(false)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('is held back for less than the length of the longest secret', () => {
    fc.assert(
      fc.property(secrets, word(0, 40), (secrets, text) => {
        const longest = Math.max(1, ...secrets.map((secret) => Buffer.byteLength(secret)))
        const masker = createMasker(secrets, { cover: '#', searches: [textSearch([])] })
        masker.push(Buffer.from(text))
        const kept = masker.end().filter((byte) => byte !== '#'.charCodeAt(0))
        expect(kept.length).toBeLessThan(longest)
      }),
      { numRuns: 2000 },
    )
  })
})

function cutUp(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  let at = 0
  for (const length of cuts) {
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return [...pieces, bytes.subarray(at)]
}

/** The simple way: mark each position of a secret, then cover the marks. */
function maskWhole(secrets: readonly string[], text: string, cover = '[secure]'): string {
  const bytes = Buffer.from(text)
  const places = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => placesOf(bytes, Buffer.from(secret)))
    .toSorted((a, b) => a.from - b.from)
  const out: Buffer[] = []
  let shown = 0
  for (const { from, to } of places) {
    if (from >= shown) out.push(bytes.subarray(shown, from), Buffer.from(cover))
    shown = Math.max(shown, to)
  }
  return Buffer.concat([...out, bytes.subarray(shown)]).toString()
}

function placesOf(bytes: Buffer, secret: Buffer): { from: number; to: number }[] {
  const places = []
  for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, at + 1)) {
    places.push({ from: at, to: at + secret.length })
  }
  return places
}
