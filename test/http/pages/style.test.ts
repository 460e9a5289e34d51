import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const style = readFileSync(new URL('../../../src/http/pages/style.css', import.meta.url), 'utf8')
const variables = new Map(
  [...style.matchAll(/--(?<name>[a-z-]+): (?<value>[^;]+);/g)].map(({ groups }) => [
    groups?.name ?? '',
    groups?.value ?? '',
  ]),
)

/** The colour that a variable has in one of the two schemes. */
function colour(name: string, scheme: 'light' | 'dark'): string {
  const all = variables.get(name)?.match(/#[0-9a-f]{6}/g) ?? []
  const found = scheme === 'light' ? all[0] : all.at(-1)
  if (found === undefined) throw new Error(`--${name} is no colour`)
  return found
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const states = ['waiting', 'started', 'passed', 'failed', 'errored', 'canceled']

// WCAG 2.2 asks for 4.5 between text and what it stands on.
describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  test.each(['text', 'soft', 'link', ...states])('%s can be read on page and surface', (name) => {
    for (const ground of ['page', 'surface', 'sunken']) {
      if (ground === 'sunken' && states.includes(name)) continue
      expect(contrast(colour(name, scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(4.5)
    }
  })

  // And 3 around what one types into or presses.
  test('the border of a field has enough contrast', () => {
    for (const ground of ['page', 'surface', 'sunken']) {
      expect(contrast(colour('edge', scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(3)
    }
  })

  test('every colour in a log has enough contrast', () => {
    const inks = [...style.matchAll(/^:is\(\.ink-[^)]+\) \{\s+color: (#[0-9a-f]{6})/gm)]
    const colours = [
      ...inks.map(([, hex = '']) => hex),
      ...['log-text', 'log-soft', 'log-link'].map((name) => colour(name, scheme)),
    ]
    expect(inks).toHaveLength(6)
    for (const ground of ['log', 'log-high', 'log-mark']) {
      for (const hex of colours) {
        expect(contrast(hex, colour(ground, scheme))).toBeGreaterThanOrEqual(4.5)
      }
    }
  })
})

test('black and white have enough contrast with every background that a log can set', () => {
  const grounds = [...style.matchAll(/^\.on(?::is[^{]+)? \{\s+background: (#[0-9a-f]{6})/gm)]
  expect(grounds).toHaveLength(7)
  for (const [, ground = ''] of grounds) {
    expect(contrast(ground, '#ffffff')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(ground, '#000000')).toBeGreaterThanOrEqual(4.5)
  }
})

test('the style sheet loads nothing from elsewhere', () => {
  expect(style).not.toMatch(/@import|url\(|https?:/)
})
