import { listed, type Located } from './listed.ts'
import { isRecord } from './plain.ts'

export interface Env {
  /** Entries for every job. */
  global: unknown[]
  /** Each makes a job of the matrix. */
  jobs: Located[]
}

/** Reads the root's `env`: a list makes jobs, a map goes to every job. */
export function readEnv(value: unknown): Env {
  if (!isRecord(value)) return { global: [], jobs: listed(value, ['env']) }
  const { global, jobs, matrix, ...others } = value
  const name = matrix === undefined || matrix === null ? 'jobs' : 'matrix'
  return {
    global: [...listed(global), ...listed(others)].map(({ entry }) => entry),
    jobs: listed(name === 'jobs' ? jobs : matrix, ['env', name]),
  }
}
