import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { mostFailureLines } from '../../src/domain/failure/failure.ts'
import { findFailure, type FoundFailure } from '../../src/failure/find-failure.ts'
import { readLog, type ReadLog } from '../../src/failure/read-log.ts'
import { hashOfLine, type Shapes, shapesOf } from '../../src/failure/shapes.ts'
import { recordedLog, type RecordedRun } from '../support/recorded-log.ts'
import { type Situation, situations } from './situations.ts'

const recorded = situations.map((situation) => {
  const read = (run: RecordedRun) => readLog(recordedLog(situation.name, run))
  const green = [read('green-1'), read('green-2')]
  return { situation, green, red: read('red'), shapes: green.map(({ lines }) => shapesOf(lines)) }
})

/** The rank of the cause among the shown lines, from 0; -1 if it is not among them. */
function rankIn({ lines, exit_code }: FoundFailure, { cause, exit }: Situation): number {
  if (exit !== undefined) return exit_code === exit ? 0 : -1
  return lines.findIndex(({ text }) => cause?.some((each) => text.includes(each)))
}

function shares(found: (red: ReadLog, shapes: Shapes[]) => FoundFailure) {
  const ranks = recorded.map(({ situation, red, shapes }) => ({
    name: situation.name,
    rank: rankIn(found(red, shapes), situation),
  }))
  const share = (count: number) => count / ranks.length
  return {
    first: share(ranks.filter(({ rank }) => rank === 0).length),
    missed: ranks.filter(({ rank }) => rank < 0 || rank > 2).map(({ name }) => name),
  }
}

describe('failures of real tools', () => {
  test('cover at least forty cases of at least twenty tools', () => {
    expect(situations.length).toBeGreaterThanOrEqual(40)
    const tools = new Set(situations.map(({ name }) => name.split('-')[0]))
    expect(tools.size).toBeGreaterThanOrEqual(20)
  })

  test('have their cause among the first three lines', () => {
    const { first, missed } = shares(findFailure)
    expect(first).toBeGreaterThanOrEqual(0.9)
    expect(missed).toEqual([])
  })

  test('have their cause among the shown lines even without a passed run', () => {
    const { missed } = shares((red) => findFailure(red, []))
    expect(missed).toEqual([])
  })

  test('need only two thirds of the lines of a passed run', () => {
    const withGaps = (shapes: Shapes): Shapes =>
      new Map([...shapes].filter(([hash]) => hash % 10 >= 3))
    const { missed } = shares((red, shapes) => findFailure(red, shapes.map(withGaps)))
    expect(missed).toEqual([])
  })

  test('are both shown if there are two independent ones', () => {
    const two = recorded.filter(({ situation }) => situation.second !== undefined)
    expect(two.length).toBeGreaterThan(0)
    for (const { situation, red, shapes } of two) {
      const shown = findFailure(red, shapes).lines.slice(0, 3)
      const has = (part = '') => shown.some(({ text }) => text.includes(part))
      expect(situation.cause?.some(has)).toBe(true)
      expect(has(situation.second)).toBe(true)
    }
  })
})

test.each(recorded)(
  '$situation.name: two passed runs have the same shapes',
  ({ green, shapes }) => {
    const [first] = shapes
    const others = green[1]?.lines.filter(({ text }) => !first?.has(hashOfLine(text))) ?? []
    expect(others.slice(1)).toEqual([])
  },
)

test.each(recorded)('$situation.name: shown lines have their line numbers in the log', (each) => {
  const { situation, red, shapes } = each
  const text = recordedLog(situation.name, 'red').split('\n')
  for (const green of [shapes, []]) {
    const { lines } = findFailure(red, green)
    expect(lines.length).toBeLessThanOrEqual(mostFailureLines)
    for (const line of lines) {
      // Control characters are left out of what is shown.
      const raw = stripVTControlCharacters(text[line.number - 1] ?? '').replaceAll('\t', '')
      expect(raw).toContain(line.text.replace(/…$/, '').replaceAll('\t', ''))
    }
  }
})
