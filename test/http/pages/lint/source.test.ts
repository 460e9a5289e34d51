import { describe, expect, test } from 'vitest'
import { type SourceLimits, sourceOf } from '../../../../src/http/pages/lint/source.ts'
import type { Finding } from '../../../../src/lint/finding.ts'

const limits: SourceLimits = { unfolded: 10, around: 1, lines: 30, characters: 20 }

/** A finding at a place: line, first column, and the column behind it or where it ends elsewhere. */
function at(
  line: number | null,
  column: number | null,
  end: number | null = null,
  changes: Partial<Finding> = {},
): Finding {
  return {
    level: 'warn',
    code: 'find_key',
    key: [],
    message: 'text',
    file: 'x',
    docs: 'lint/x',
    line,
    column,
    end_line: line,
    end_column: end,
    ...changes,
  }
}

/** The pieces of a line, those that are marked in brackets with the first letter of their level. */
function marked(text: string, ...findings: Finding[]): string {
  const { blocks } = sourceOf(text, findings, limits)
  const pieces = blocks[0]?.lines[0]?.pieces ?? []
  return pieces
    .map(({ text, level }) => (level === null ? text : `${level.charAt(0)}[${text}]`))
    .join('')
}

describe('a line is cut at the start and end of findings:', () => {
  test.each<[string, Finding[]]>([
    ['git: depht', []],
    ['w[git]: depht', [at(1, 1, 4)]],
    ['git: w[depht]', [at(1, 6, 11)]],
    ['w[git]: e[depht]', [at(1, 6, 11, { level: 'error' }), at(1, 1, 4)]],
    // To the end of the line, where it goes on below or says no end.
    ['git: w[depht]', [at(1, 6, 2, { end_line: 2 })]],
    ['git: w[depht]', [at(1, 6)]],
    ['w[git: depht]', [at(1, null)]],
    // Nothing between beginning and end is still something to look at.
    ['git: w[d]epht', [at(1, 6, 6)]],
    ['git: depht', [at(1, 11, 11)]],
    ['git: depht', [at(1, 50, 60)]],
    // One begins where another has not ended.
    ['e[git: ]w[depht]', [at(1, 1, 6, { level: 'error' }), at(1, 3, 11)]],
    ['w[git: depht]', [at(1, 1, 11), at(1, 3, 5)]],
    ['w[git]: depht', [at(1, 1, 4), at(1, 1, 4)]],
  ])('%s', (expected, findings) => {
    expect(marked('git: depht', ...findings)).toBe(expected)
  })

  test('and at the maximum length', () => {
    const { blocks } = sourceOf('x'.repeat(25), [at(1, 1, 26), at(1, 23, 24)], limits)
    expect(blocks[0]?.lines[0]).toMatchObject({
      pieces: [{ text: 'x'.repeat(20), level: 'warn' }],
      cut: 5,
    })
  })
})

/** The blocks as `1-3 (4-9) 10-12`, those that are folded in brackets. */
function shape(count: number, ...lines: number[]): string {
  const text = Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')
  const { blocks } = sourceOf(
    text,
    lines.map((line) => at(line, 1, 3)),
    limits,
  )
  return blocks
    .map(({ folded, lines }) => {
      const span = `${lines[0]?.number}-${lines.at(-1)?.number}`
      return folded ? `(${span})` : span
    })
    .join(' ')
}

test.each([
  [1, [], '1-1'],
  [10, [], '1-10'],
  [10, [3], '1-10'],
  [11, [], '(1-11)'],
  [11, [1], '1-2 (3-11)'],
  [11, [5, 6], '(1-3) 4-7 (8-11)'],
  [11, [11], '(1-9) 10-11'],
  [20, [2, 18], '1-3 (4-16) 17-19 (20-20)'],
])('of %d lines with findings in %j, the page shows: %s', (count, lines, expected) => {
  expect(shape(count, ...lines)).toBe(expected)
})

test('findings are shown with their lines, and findings without a line separately', () => {
  const [first, second, nowhere, behind] = [at(1, 1, 2), at(1, 4, 5), at(null, null), at(4, 1, 2)]
  const { blocks, elsewhere, hidden } = sourceOf(
    'one\ntwo\n\n',
    [behind, second, first, nowhere],
    limits,
  )
  expect(blocks[0]?.lines.map(({ number, findings }) => [number, findings])).toEqual([
    [1, [second, first]],
    [2, []],
    [3, []],
  ])
  expect(elsewhere).toEqual([behind, nowhere])
  expect(hidden).toBe(0)
})

test('the last of too many lines are only counted, and their findings are shown separately', () => {
  const far = at(31, 1, 2)
  const { blocks, elsewhere, hidden } = sourceOf('x\n'.repeat(35), [far], limits)
  expect(blocks).toMatchObject([{ folded: true, lines: { length: 30 } }])
  expect([elsewhere, hidden]).toEqual([[far], 5])
})

test('an empty file is shown as one empty line', () => {
  expect(sourceOf('', [])).toEqual({
    blocks: [{ folded: false, lines: [{ number: 1, pieces: [], cut: 0, findings: [] }] }],
    elsewhere: [],
    hidden: 0,
  })
})
