import { isMap } from '../../../domain/config/config-value.ts'
import { type Config, isBlank, isEmpty, listOf, type Path } from '../values.ts'
import { matrixKeys, platformOf, supportsKey } from './support.ts'

/** A matrix key in use, with its values. */
export interface Axis {
  key: string
  values: readonly unknown[]
  /** The path of a value in the normal form, by its index. */
  paths: (index: number) => Path
}

/** A cell of the matrix: for each axis the index of a value. */
export type Cell = readonly number[]

/** The axes of the matrix, in the order of their keys (rules 17.1 and 17.2). */
export function axesOf(config: Config): Axis[] {
  const platform = platformOf(config.language, config.os)
  const positions = matrixKeys()
  const positionOf = (key: string) => positions.get(key) ?? 0
  return Object.keys(config)
    .filter((key) => positions.has(key) && isGiven(config[key]) && supportsKey(key, platform))
    .toSorted((a, b) => positionOf(a) - positionOf(b))
    .map((key) => axisOf(key, config[key]))
    .filter(({ values }) => !values.every(isEmpty))
}

const isGiven = (value: unknown) => value !== false && !isBlank(value)

function axisOf(key: string, config: unknown): Axis {
  // Without `jobs`, all of `env` is one value.
  const inJobs = key === 'env' && isMap(config) && Object.hasOwn(config, 'jobs')
  const value = inJobs ? config.jobs : config
  const path = inJobs ? [key, 'jobs'] : [key]
  const paths = (index: number) => (Array.isArray(value) ? [...path, index] : path)
  return { key, values: listOf(value), paths }
}

/** The number of cells, computed without making them. */
export function sizeOf(axes: readonly Axis[]): number {
  if (axes.length === 0) return 0
  return axes.reduce((size, { values }) => size * values.length, 1)
}

/** The cells in order: the last axis varies fastest. */
export function* cellsOf(axes: readonly Axis[]): Generator<Cell> {
  if (sizeOf(axes) === 0) return
  const cell = axes.map(() => 0)
  for (;;) {
    yield [...cell]
    let last = axes.length - 1
    while (last >= 0 && cell[last] === (axes[last]?.values.length ?? 0) - 1) {
      cell[last] = 0
      last -= 1
    }
    if (last < 0) return
    cell[last] = (cell[last] ?? 0) + 1
  }
}
