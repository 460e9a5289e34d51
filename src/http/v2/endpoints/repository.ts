import { get } from '../../core/endpoint.ts'
import { lastBuildsOfRepositories } from '../../views/last-builds.ts'
import { oneRepository, repositoryPaths } from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { presentRepository } from '../present/repository.ts'

export const repositoryEndpoints = [
  get(repositoryPaths(), {
    ...oneRepository,
    right: 'read',
    docs: { summary: 'a repository with its last build', schema: answers.repository },
    version: ({ version }) => version,
    async act({ ctx: { db } }, repository) {
      const [last = null] = await lastBuildsOfRepositories(db, [repository])
      return { repository, last }
    },
    present: ({ repository, last }) => ({ repo: presentRepository(repository, last) }),
  }),
]
