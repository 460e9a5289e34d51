import { type Repository, slugOf } from '../../../domain/repository.ts'
import { homePath, repositoryPath } from '../paths.ts'
import type { Crumb } from './layout.tsx'

/** The breadcrumbs of a page below that of a repository, up to the repository. */
export function repositoryCrumbs(
  prefix: string,
  repository: Pick<Repository, 'owner_name' | 'name'>,
): Crumb[] {
  return [
    { text: 'Repositories', href: homePath(prefix) },
    { text: slugOf(repository), href: repositoryPath(prefix, repository) },
  ]
}
