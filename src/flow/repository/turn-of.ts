import type { Repository } from '../../domain/repository.ts'
import type { Turn } from '../../reader/turns.ts'

/** The turn in which files of a repository are read, so that others do not wait for all of them. */
export function turnOf({ id }: Pick<Repository, 'id'>): Turn {
  return { of: 'pushes', key: String(id) }
}
