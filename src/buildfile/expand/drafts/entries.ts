import { isMap } from '../../../domain/config-value.ts'
import { type Config, isEmpty, listOf } from '../values.ts'

export type EntryList = 'include' | 'exclude' | 'allow_failures'

/** An entry of one of the lists of the section `jobs`. */
export interface Entry {
  entry: Config
  /** Its index in the list, from 0. */
  index: number
}

/** What is no map, or an empty one, makes no job and fits none. */
export function entriesOf({ jobs }: Config, list: EntryList): Entry[] {
  return listOf(isMap(jobs) ? jobs[list] : undefined).flatMap((entry, index) =>
    isMap(entry) && !isEmpty(entry) ? [{ entry, index }] : [],
  )
}
