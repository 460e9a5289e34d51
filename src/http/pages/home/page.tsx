import { isForAnyone } from '../../../access/visibility.ts'
import type { Build } from '../../../domain/build.ts'
import type { Commit } from '../../../domain/commit/commit.ts'
import { channelsOf, userChannel } from '../../../domain/live.ts'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { Sha, Subject } from '../parts/commit-text.tsx'
import { Duration, secondsOf } from '../parts/duration.tsx'
import { LastTime } from '../parts/last-time.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { RepositorySearch } from '../parts/repository-search.tsx'
import { RepositoryTags } from '../parts/repository-tags.tsx'
import { PlainBadge, StateBadge, stateClass } from '../parts/state-badge.tsx'
import { buildPath, homePath, repositoryPath, setupPath } from '../paths.ts'
import { WaitingBuilds, type WaitingBuildsProps } from './waiting-builds.tsx'

export interface ListedRepository {
  repository: Repository
  build: Build | null
  commit: Commit | null
}

/** Number of repositories up to which the page has no search field. */
const fewRepositories = 10

const noBuilds = { builds: [], hasMore: false }

interface HomePageProps {
  frame: Frame
  now: Date
  repositories: readonly ListedRepository[]
  /** Part of the names of the repositories that are shown; empty for all. */
  search?: string
  waiting?: Pick<WaitingBuildsProps, 'builds' | 'hasMore'>
  /** Whether the page offers to register the app. */
  offersSetup?: boolean
}

/** The builds that wait, and the repositories that the viewer can see, each with its last build. */
export function HomePage(props: HomePageProps) {
  const { frame, now, repositories, search = '', waiting = noBuilds, offersSetup = false } = props
  return (
    <Layout
      {...frame}
      title="Repositories"
      follows={{ channels: channelsFor(frame, repositories), href: homePath(frame.prefix) }}
    >
      <h1>Repositories</h1>
      <WaitingBuilds {...waiting} prefix={frame.prefix} now={now} />
      {(search !== '' || repositories.length > fewRepositories) && (
        <RepositorySearch prefix={frame.prefix} search={search} />
      )}
      {repositories.length > 0 && (
        <ul class="items">
          {repositories.map((listed) => (
            <Item {...listed} prefix={frame.prefix} now={now} />
          ))}
        </ul>
      )}
      {repositories.length === 0 && search === '' && (
        <Empty setup={offersSetup ? setupPath(frame.prefix) : undefined} />
      )}
      {repositories.length === 0 && search !== '' && (
        <p class="empty">
          No repository that you can see has <q>{visible(search)}</q> in its name.
        </p>
      )}
    </Layout>
  )
}

/** At most this many repositories without a role for the viewer are followed one by one. */
const mostFollowed = 30

function channelsFor({ viewer }: Frame, listed: readonly ListedRepository[]): string[] {
  const open = listed.filter(({ repository }) => isForAnyone(repository)).slice(0, mostFollowed)
  return [
    ...(viewer.user ? [userChannel(viewer.user.id)] : []),
    // The one without a signature: each signature is a call.
    ...open.flatMap(({ repository }) => channelsOf('repo', repository.id, true).slice(1)),
  ]
}

function Empty({ setup }: { setup: string | undefined }) {
  return (
    <section class="empty">
      <h2>There are no repositories yet</h2>
      <p>Add a git repository of the machine that this service runs on:</p>
      <pre class="command">build-service local add PATH</pre>
      {setup === undefined ? (
        <p>
          Or install the app on the code host and choose the repositories that it can access. They
          then appear here.
        </p>
      ) : (
        <p>
          Or <a href={setup}>set up the app</a> at the code host, and install it on the repositories
          to build. They then appear here.
        </p>
      )}
    </section>
  )
}

interface ItemProps extends ListedRepository {
  prefix: string
  now: Date
}

function Item({ repository, build, commit, prefix, now }: ItemProps) {
  return (
    <li class={build ? `item ${stateClass(build.state)}` : 'item'}>
      {build ? <StateBadge state={build.state} /> : <PlainBadge shape="none" label="No builds" />}
      <div>
        <p>
          <a class="title" href={repositoryPath(prefix, repository)}>
            <bdi>{slugOf(repository)}</bdi>
          </a>
          <RepositoryTags repository={repository} />
        </p>
        {build && (
          <p class="faint">
            <a href={buildPath(prefix, repository, build)}>#{build.number}</a>{' '}
            {commit && (
              <>
                <Sha sha={commit.sha} /> <Subject commit={commit} />
              </>
            )}
          </p>
        )}
        {!build && repository.description !== null && (
          <p class="faint">
            <bdi>{repository.description}</bdi>
          </p>
        )}
      </div>
      {build && (
        <p class="when">
          <Duration seconds={secondsOf(build, now)} />
          <LastTime build={build} now={now} />
        </p>
      )}
    </li>
  )
}
