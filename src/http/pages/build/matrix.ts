import type { Job } from '../../../domain/job/job.ts'
import { type ConfigEntry, configSummary } from '../parts/config-list.tsx'

/** The differences between the jobs of a build. */
export interface Matrix {
  /** The keys in which they differ, each of which gets a column. */
  columns: string[]
  /** The values that all jobs share. */
  same: ConfigEntry[]
  /** A job's value in a column; empty if it has none. */
  valueOf(job: Job, column: string): string
}

/** More columns do not fit; the other keys share one cell with the job's name. */
const mostColumns = 5

/** Compares the configurations of jobs, with the variables of `env` one by one if possible. */
export function matrixOf(jobs: readonly Job[], fromFork: boolean): Matrix {
  const values = new Map(jobs.map((job) => [job.id, valuesOf(job, fromFork)]))
  const names = new Set([...values.values()].flatMap((each) => [...each.keys()]))
  const ofName = (name: string) => new Set([...values.values()].map((each) => each.get(name) ?? ''))
  const differing = [...names].filter((name) => ofName(name).size > 1)
  const [first] = values.values()
  return {
    columns: differing.slice(0, mostColumns),
    same: [...names]
      .filter((name) => ofName(name).size === 1)
      .map((name) => ({ name, value: first?.get(name) ?? '' })),
    valueOf(job, column) {
      return values.get(job.id)?.get(column) ?? ''
    },
  }
}

function valuesOf(job: Job, fromFork: boolean): ReadonlyMap<string, string> {
  const entries = configSummary(job, fromFork).flatMap(({ name, value }) =>
    name === 'env' ? variablesIn(value) : [{ name, value }],
  )
  return new Map(entries.map(({ name, value }) => [name, value]))
}

const plainLine = /^[A-Za-z_]\w*=\S*(?: [A-Za-z_]\w*=\S*)*$/

/** The variables of a line `A=1 B=2`; the whole line as `env` if a value has blanks or quotes. */
function variablesIn(line: string): ConfigEntry[] {
  if (!plainLine.test(line) || /["'$\\]/.test(line)) return [{ name: 'env', value: line }]
  return line.split(' ').map((pair) => {
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at), value: pair.slice(at + 1) }
  })
}
