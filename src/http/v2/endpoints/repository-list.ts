import { listViewer } from '../../../access/viewer.ts'
import { notFound } from '../../../domain/errors.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { isStorable } from '../../../domain/text/storable-text.ts'
import {
  listedRepositories,
  listedRepositoriesByIds,
  type RepositoryFilter,
} from '../../../store/repositories/listed-repositories.ts'
import { type Call, get } from '../../core/endpoint.ts'
import { filterText, flag, idList, pageLimit } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { lastBuildsOfRepositories } from '../../views/last-builds.ts'
import { answers } from '../openapi/answers.ts'
import { presentRepository } from '../present/repository.ts'

const usually = 25
const most = 50

const active = described('whether only active ones are listed', flag())
const limit = described('how many are listed', pageLimit(usually, most))

/** Lists contain all repositories that the caller can see; only `member` restricts them to one user's. */
export const repositoryListEndpoints = [
  get('/repos', {
    docs: { summary: 'the repositories that the caller can see', schema: answers.repositories },
    accepts: {
      ids: described('ids of repositories', idList()),
      member: described(
        'only repositories on which the user with this login has a role',
        filterText(),
      ),
      owner_name: described('only repositories whose owner has this login', filterText()),
      slug: described('the slug of one repository', filterText()),
      search: described('only repositories whose slug contains this text', filterText()),
      active,
      limit,
    },
    async answer(call, { ids, limit, ...filter }) {
      const { db } = call.ctx
      if (ids) return shown(call, await listedRepositoriesByIds(db, ids, listViewer(call.viewer)))
      return shown(call, await listed(call, filter, limit))
    },
  }),

  // Digits alone are a repository's id; a slug with an escaped slash also names a repository. With an
  // ending, the path is that of an image or a feed.
  get('/repos/:owner', {
    docs: {
      summary: 'the repositories of a user or an organization that the caller can see',
      schema: answers.repositories,
    },
    check({ params }) {
      if (/\/|\.(?:svg|png|xml)$/.test(params.owner ?? '')) throw notFound('owner')
    },
    accepts: { active, limit },
    async answer(call, { active, limit }) {
      const names = { member: undefined, slug: undefined, search: undefined }
      const filter = { ...names, owner_name: call.params.owner, active }
      return shown(call, await listed(call, filter, limit))
    },
  }),
]

async function listed(
  { ctx, viewer }: Call,
  filter: RepositoryFilter,
  limit: number,
): Promise<Seen<Repository>[]> {
  const { member, owner_name, slug, search } = filter
  if (![member, owner_name, slug, search].every((name = '') => isStorable(name))) return []
  return listedRepositories(ctx.db, filter, listViewer(viewer), limit)
}

async function shown({ ctx }: Call, repositories: readonly Seen<Repository>[]) {
  const builds = await lastBuildsOfRepositories(ctx.db, repositories)
  return {
    repos: repositories.map((repository, index) =>
      presentRepository(repository, builds[index] ?? null),
    ),
  }
}
