import { isMap } from '../../../domain/config/config-value.ts'
import { type Config, isEmpty, listOf } from '../values.ts'

export type EntryList = 'include' | 'exclude' | 'allow_failures'

/** An entry of one of the lists of the section `jobs`. */
export interface MatrixEntry {
  entry: Config
  /** Its index in the list, from 0. */
  index: number
}

/** Entries that are not maps, or are empty, are skipped: they make no job and fit none. */
export function entriesOf({ jobs }: Config, list: EntryList): MatrixEntry[] {
  return listOf(isMap(jobs) ? jobs[list] : undefined).flatMap((entry, index) =>
    isMap(entry) && !isEmpty(entry) ? [{ entry, index }] : [],
  )
}
