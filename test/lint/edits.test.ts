import { expect, test } from 'vitest'
import { applyEdits } from '../../src/lint/edits.ts'
import type { Fix } from '../../src/lint/finding.ts'

const fix = (title: string, ...edits: [number, number, string][]): Fix => ({
  title,
  edits: edits.map(([start, end, text]) => ({ start, end, text })),
  safe: true,
})

test.each([
  ['one fix', [fix('a', [0, 1, 'X'])], 'Xbcdef', ['a']],
  ['two fixes in any order', [fix('b', [3, 4, 'Y']), fix('a', [0, 1, 'X'])], 'XbcYef', ['a', 'b']],
  [
    'the first of two overlapping fixes',
    [fix('a', [0, 3, 'X']), fix('b', [2, 4, 'Y'])],
    'Xdef',
    ['a'],
  ],
  [
    'the first of two adjacent fixes',
    [fix('a', [0, 2, 'X']), fix('b', [2, 4, 'Y'])],
    'Xcdef',
    ['a'],
  ],
  ['two equal fixes', [fix('a', [0, 1, 'X']), fix('b', [0, 1, 'X'])], 'Xbcdef', ['a', 'b']],
  ['all edits of one fix', [fix('a', [0, 1, ''], [5, 6, 'Z'])], 'bcdeZ', ['a']],
  [
    'no fix between the edits of another',
    [fix('a', [0, 1, ''], [5, 6, 'Z']), fix('b', [3, 3, '!'])],
    'bcdeZ',
    ['a'],
  ],
  ['nothing', [], 'abcdef', []],
])('applies %s', (_what, fixes, text, applied) => {
  const result = applyEdits('abcdef', fixes)
  expect({ ...result, applied: result.applied.map(({ title }) => title) }).toEqual({
    text,
    applied,
  })
})
