import { isVisible } from '../../../access/visibility.ts'
import { findBuild } from '../../../store/builds.ts'
import { get } from '../../endpoint.ts'
import { oneRepository, repositoryPaths } from '../one-repository.ts'
import { presentRepository } from '../present/repository.ts'

export const repositoryEndpoints = [
  get(repositoryPaths(), {
    ...oneRepository,
    right: 'read',
    async act({ ctx: { db } }, repository) {
      const { last_build_id } = repository
      const last = last_build_id === null ? null : ((await findBuild(db, last_build_id)) ?? null)
      return { repository, last: last && isVisible(repository, last) ? last : null }
    },
    present: ({ repository, last }) => ({ repo: presentRepository(repository, last) }),
  }),
]
