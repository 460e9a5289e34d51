import { permittedUser } from '../../../access/viewer.ts'
import { isStorable } from '../../../domain/text/storable-text.ts'
import { hookedRepositories } from '../../../store/repositories/listed-repositories.ts'
import { get } from '../../core/endpoint.ts'
import { filterText, flag, idList, text } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { lastBuildsOfRepositories } from '../../views/last-builds.ts'
import { answers } from '../openapi/answers.ts'
import { presentHook } from '../present/hook.ts'

export const hookListEndpoints = [
  get('/hooks', {
    login: true,
    docs: {
      summary:
        'the repositories that the caller administers, also inactive ones; with `all` those of any role',
      schema: answers.hooks,
    },
    accepts: {
      all: described('whether repositories with any role are listed', flag()),
      id: described('ids of repositories', idList()),
      owner_name: described('the login of their owner', filterText()),
      name: described('the name of a repository', filterText()),
      order: text('`none` for the order of their ids'),
    },
    async answer({ ctx: { db }, viewer }, { all, id, owner_name, name, order }) {
      const userId = permittedUser(viewer)
      const isNone = ![owner_name, name].every((each = '') => isStorable(each))
      if (userId === undefined || isNone) return { hooks: [] }
      const filter = { all, ids: id, owner_name, name, sorted: order !== 'none' }
      const repositories = await hookedRepositories(db, userId, filter)
      const builds = await lastBuildsOfRepositories(db, repositories)
      return {
        hooks: repositories.map((repository, index) =>
          presentHook(repository, builds[index] ?? null),
        ),
      }
    },
  }),
]
