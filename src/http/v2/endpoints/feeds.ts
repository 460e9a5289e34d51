import { listViewer } from '../../../access/viewer.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { isStorable } from '../../../domain/text/storable-text.ts'
import { filteredBuilds, lastFinishedOn } from '../../../store/builds/listed-builds.ts'
import { listedRepositories } from '../../../store/repositories/listed-repositories.ts'
import { type Call, get } from '../../core/endpoint.ts'
import { filterText } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { lastBuildsOfRepositories } from '../../views/last-builds.ts'
import { atom, atomType } from '../feeds/atom.ts'
import { ccXml, ccXmlType } from '../feeds/cc-xml.ts'
import { mostBuilds, withRecords } from '../listed-builds.ts'
import { oneRepository, repositoryPaths } from '../one-repository.ts'

/** Most repositories of an owner in the feed for monitors. */
const mostRepositories = 100

/** Feeds have one media type regardless of `Accept`, and also accept a feed token in the URL. */
const ofFeeds = { negotiates: false, feed: true } as const

export const feedEndpoints = [
  get([...repositoryPaths('/cc.xml'), ...repositoryPaths('/cc')], {
    ...oneRepository,
    ...ofFeeds,
    right: 'read',
    docs: { summary: 'the last build of a repository, for build monitors', types: [ccXmlType] },
    accepts: { branch: described('the last finished build of this branch', filterText()) },
    act: async ({ ctx }, repository, { branch }) => ({
      repository,
      build: await monitored(ctx.db, repository, branch),
    }),
    present: (project, { ctx }) => ccXml(ctx.config, [project]),
  }),

  get('/repos/:owner.xml', {
    ...ofFeeds,
    docs: {
      summary: 'the last builds of an owner’s repositories, for build monitors',
      types: [ccXmlType],
    },
    async answer(call) {
      const repositories = await repositoriesOf(call)
      const builds = await lastBuildsOfRepositories(call.ctx.db, repositories)
      const projects = repositories.map((repository, index) => ({
        repository,
        build: builds[index] ?? null,
      }))
      return ccXml(call.ctx.config, projects)
    },
  }),

  get(repositoryPaths('/builds.atom'), {
    ...oneRepository,
    ...ofFeeds,
    right: 'read',
    docs: { summary: 'the newest builds of a repository as a feed', types: [atomType] },
    async act(call, repository) {
      const builds = await filteredBuilds(call.ctx.db, repository, {}, mostBuilds)
      const listed = builds.map((build) => ({ ...build, repository }))
      return { repository, entries: await withRecords(call, listed) }
    },
    present: ({ repository, entries }, { ctx }) => atom(ctx.config, repository, entries),
  }),
]

/** The last build of a repository, or the last finished build of a branch. */
async function monitored(
  db: Call['ctx']['db'],
  repository: Seen<Repository>,
  branch: string | undefined,
) {
  if (branch === undefined) return (await lastBuildsOfRepositories(db, [repository]))[0] ?? null
  return (await lastFinishedOn(db, repository, branch)) ?? null
}

async function repositoriesOf({ ctx, viewer, params: { owner = '' } }: Call) {
  if (!isStorable(owner)) return []
  const filter = {
    member: undefined,
    slug: undefined,
    search: undefined,
    owner_name: owner,
    active: false,
  }
  return listedRepositories(ctx.db, filter, listViewer(viewer), mostRepositories)
}
