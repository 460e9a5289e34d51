import { expect, test } from 'vitest'
import { shortened } from '../../src/domain/text/shortened.ts'

test.each([
  ['x'.repeat(140), 'x'.repeat(140)],
  ['x'.repeat(141), `${'x'.repeat(139)}…`],
  ['🙂'.repeat(70), '🙂'.repeat(70)],
  ['🙂'.repeat(71), `${'🙂'.repeat(69)}…`],
  [`x${'🙂'.repeat(70)}`, `x${'🙂'.repeat(69)}…`],
])('a text is cut to 140 code units, between characters: %s', (text, cut) => {
  expect(shortened(text, 140)).toBe(cut)
  expect(cut.length).toBeLessThanOrEqual(140)
})
