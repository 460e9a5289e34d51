import type { LogPart } from '../domain/log/log.ts'
import { insertParts } from '../store/logs.ts'
import type { Run } from './claim-job.ts'
import type { Context } from './context.ts'

/** Stores parts of a run's output. False when the run is no longer the job's current one. */
export function appendLog({ db }: Context, run: Run, parts: readonly LogPart[]): Promise<boolean> {
  return insertParts(db, run, parts)
}
