import { sql } from 'kysely'
import { permittedUser } from '../../../../src/access/viewer.ts'
import { actionsOf, get } from '../../../../src/http/v3/action.ts'
import type { Collection } from '../../../../src/http/v3/collection.ts'
import { flagIn } from '../../../../src/http/v3/list-query.ts'
import { openPageSteps } from '../../../../src/http/v3/page-steps.ts'
import type { Models } from '../../../../src/http/v3/resource.ts'
import { repository } from '../../../../src/http/v3/resources/repository.ts'
import { readPage } from '../../../../src/store/page.ts'
import { rolesOn } from '../../../../src/store/permissions.ts'

/** The repositories of the caller, whose entries show more than a single one. */
export const repositories: Collection<Models['repository']> = {
  type: 'repositories',
  of: repository,
  besides: ['current_build', 'last_started_build', 'next_build_number', 'user_settings'],
  limit: 100,
  sort: { keys: ['id', 'name'], default: '' },
  filters: ['repository.active'],
  hidden: { keys: ['current_build'], filters: ['repository.name_filter'] },
}

const orders = {
  id: sql.ref('repositories.id'),
  name: sql.ref('repositories.name'),
  current_build: sql.ref('repositories.last_build_id'),
}

export const repositoriesActions = actionsOf(repositories, {
  for_current_user: get(
    '/repos',
    openPageSteps(repositories, { login: true }, async ({ ctx, viewer }, query) => {
      const active = flagIn(query.filters.get('repository.active'))
      const [name] = query.filters.get('repository.name_filter') ?? []
      const userId = permittedUser(viewer)
      const found = ctx.db
        .selectFrom('repositories')
        .selectAll('repositories')
        .innerJoin('permissions', 'permissions.repository_id', 'repositories.id')
        .where('permissions.user_id', '=', userId ?? 0)
        .$if(active !== undefined, (query) => query.where('active', '=', active ?? true))
        .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
      const { records, count } = await readPage(found, query as never, orders, orders.id)
      const roles = await rolesOn(
        ctx.db,
        records.map(({ id }) => id),
        userId,
      )
      return {
        records: records.map((record) => ({ ...record, role: roles.get(record.id) ?? null })),
        count,
      }
    }),
  ),
})
