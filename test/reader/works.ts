import { workOf } from '../../src/reader/work.ts'

// What tests have threads do.
const here = import.meta.url

export const double = workOf(here, 'double', (number: number) => number * 2)

export const fail = workOf(here, 'fail', (message: string) => {
  throw new Error(message)
})

export const spin = workOf(here, 'spin', (_input: null): number => {
  let turns = 0
  for (;;) turns += 1
})

export const hoard = workOf(here, 'hoard', (_input: null): number => {
  const kept: unknown[] = []
  for (;;) kept.push({ index: kept.length })
})

export const end = workOf(here, 'end', (_input: null): never => process.exit(1))

export const environment = workOf(here, 'environment', (_input: null) => ({ ...process.env }))
