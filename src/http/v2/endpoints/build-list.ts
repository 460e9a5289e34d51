import { repositoryRights } from '../../../access/repository-rights.ts'
import { permittedUser, type Viewer } from '../../../access/viewer.ts'
import { wrongParams } from '../../../domain/errors.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { type ListedBuild, runningBuilds } from '../../../store/listed-builds.ts'
import { type Call, get } from '../../endpoint.ts'
import { flag, idList } from '../../parameters/kinds.ts'
import { described, type Values } from '../../parameters/parameter.ts'
import { emptyLists } from '../empty-lists.ts'
import {
  branchBuildsOf,
  buildFilters,
  buildsByIds,
  buildsOf,
  type BuildWithRecords,
  mostBuilds,
  withRecords,
} from '../listed-builds.ts'
import {
  oneRepository,
  repositoryInQuery,
  repositoryNames,
  repositoryPaths,
} from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { presentBuilds, presentJobsOf } from '../present/builds.ts'
import { presentCommitsOf } from '../present/commit.ts'
import { mostHeld, streamLists } from '../stream-lists.ts'

const accepts = {
  ids: described('ids of builds', idList()),
  ...repositoryNames,
  ...buildFilters,
  running: described('without a repository, the builds that run now', flag()),
  branches: described('the last build of each branch, as `/branches` has it', flag()),
}

/** What a list is of: of ids, of a repository, or of what runs now. */
type Selection =
  | { of: 'ids' }
  | { of: 'running' }
  | { of: 'repository'; repository: Seen<Repository> }

const missing = emptyLists('builds', 'jobs', 'commits')

export const buildListEndpoints = [
  get('/builds', {
    type: 'repository',
    accepts,
    docs: {
      summary: 'builds by their ids or of a repository, or with `running` those that run now',
      schema: answers.builds,
    },
    check({ given }) {
      const { ids, repository_id, slug, running } = given
      const named = [ids, repository_id, slug].some((selector) => selector !== undefined)
      if (!named && !accepts.running.read(running, 'running')) {
        throw wrongParams('one of ids, repository_id, slug is required')
      }
    },
    async find(call): Promise<Selection | undefined> {
      const { ids, repository_id, slug } = call.given
      if (ids !== undefined) return { of: 'ids' }
      if (repository_id === undefined && slug === undefined) return { of: 'running' }
      const repository = await repositoryInQuery.find(call)
      return repository && { of: 'repository', repository }
    },
    rights: selectionRights,
    right: 'read',
    async act(call, selection, values) {
      const { ids = [] } = values
      const lists = listsOf(values)
      if (selection.of !== 'ids') {
        const builds = await selected(call, selection, values)
        return presented(await withRecords(call, builds), lists)
      }
      if (ids.length <= mostHeld) return presented(await buildsByIds(call, ids), lists)
      return streamLists(ids, (batch) => buildsByIds(call, batch), lists)
    },
    present: (list) => list,
    missing,
  }),

  get(repositoryPaths('/builds'), {
    ...oneRepository,
    right: 'read',
    accepts: buildFilters,
    docs: { summary: 'the builds of a repository, the newest first', schema: answers.builds },
    async act(call, repository, values) {
      const builds = await withRecords(call, await buildsOf(call, repository, values))
      return presented(builds, listsOf(values))
    },
    present: (list) => list,
    missing,
  }),
]

/** Lists that are of no repository leave out what the viewer cannot see. */
function selectionRights(viewer: Viewer, selection: Selection): { read: boolean } {
  if (selection.of !== 'repository') return { read: true }
  const { read } = repositoryRights(viewer, selection.repository)
  return { read }
}

function selected(
  call: Call,
  selection: Exclude<Selection, { of: 'ids' }>,
  values: Values<typeof accepts>,
): Promise<ListedBuild[]> {
  const { ctx, viewer } = call
  if (selection.of === 'running') return runningBuilds(ctx.db, permittedUser(viewer), mostBuilds)
  const { repository } = selection
  return values.branches ? branchBuildsOf(call, repository) : buildsOf(call, repository, values)
}

type Listed = readonly BuildWithRecords[]

/** What the response has of builds. */
function listsOf({ exclude_config }: { exclude_config: boolean }) {
  const shown = <T extends { config: object }>(records: T[]) =>
    exclude_config ? records.map((record) => ({ ...record, config: {} })) : records
  return {
    builds: (listed: Listed) => shown(presentBuilds(listed)),
    jobs: (listed: Listed) => shown(presentJobsOf(listed)),
    commits: presentCommitsOf,
  }
}

function presented(listed: Listed, { builds, jobs, commits }: ReturnType<typeof listsOf>) {
  return { builds: builds(listed), jobs: jobs(listed), commits: commits(listed) }
}
