import { readFileSync } from 'node:fs'
import path from 'node:path'

/** The recorded runs of a failure; two of them passed. */
export type RecordedRun = 'green-1' | 'green-2' | 'red'

/** The log of one run of a recorded failure (`test/fixtures/failures`). */
export function recordedLog(name: string, run: RecordedRun): string {
  const folder = path.resolve(import.meta.dirname, '../fixtures/failures')
  return readFileSync(path.join(folder, name, `${run}.log`), 'utf8')
}
