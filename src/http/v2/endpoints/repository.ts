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
      // What is hidden from this viewer does not exist in the answer either (D24).
      const visible = last !== null && (!last.private || repository.role !== null)
      return { repository, last: visible ? last : null }
    },
    present: ({ repository, last }) => ({ repo: presentRepository(repository, last) }),
  }),
]
