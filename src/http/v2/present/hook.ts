import type { Build } from '../../../domain/build.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { presentRepository } from './repository.ts'

/** The hook that switches a repository on and off: it has the repository's id. */
export function presentHook(repository: Seen<Repository>, last: Build | null) {
  return {
    ...presentRepository(repository, last),
    name: repository.name,
    owner_name: repository.owner_name,
    private: repository.private,
    admin: repository.role?.admin === true,
  }
}
