// What tests have threads do. These load it as it is, so it is no TypeScript.
import { workOf } from '../../dist/reader/work.js'

const here = import.meta.url

export const double = workOf(here, 'double', (number) => number * 2)

export const fail = workOf(here, 'fail', (message) => {
  throw new Error(message)
})

export const spin = workOf(here, 'spin', () => {
  let turns = 0
  for (;;) turns += 1
})

export const hoard = workOf(here, 'hoard', () => {
  const kept = []
  for (;;) kept.push({ index: kept.length })
})

export const end = workOf(here, 'end', () => process.exit(1))

export const environment = workOf(here, 'environment', () => ({ ...process.env }))
