import { type Repository, slugOf } from '../../../domain/repository.ts'
import { type Frame, Layout } from '../parts/layout.tsx'
import { Pager, type Paging } from '../parts/pager.tsx'
import { RepositoryTags } from '../parts/repository-tags.tsx'
import { stateClass } from '../parts/state-badge.tsx'
import { buildPath, homePath, repositoryPath } from '../paths.ts'
import type { IdleDelivery } from '../../../store/listed-deliveries.ts'
import { BuildItem, type ListedBuild } from './build-item.tsx'
import { DeliveryItem } from './delivery-item.tsx'
import { type ListedRequest, RequestItem } from './request-item.tsx'

interface RepositoryPageProps {
  frame: Frame
  now: Date
  repository: Repository
  /** What is wrong with how its changes get here. */
  notices: readonly string[]
  /** One page of them, newest first. */
  builds: readonly ListedBuild[]
  /** Those without a build, newest first. */
  requests: readonly ListedRequest[]
  /** Webhooks that changed nothing, newest first. */
  deliveries: readonly IdleDelivery[]
  /** Whether some commit that was looked at had a build file. */
  hadBuildFile: boolean
  paging: Paging
}

/** A repository's builds, page by page, and recent requests and webhooks that were not built. */
export function RepositoryPage(props: RepositoryPageProps) {
  const { frame, now, repository, notices, builds, requests, deliveries, paging } = props
  const slug = slugOf(repository)
  return (
    <Layout
      {...frame}
      title={slug}
      crumbs={[{ text: 'Repositories', href: homePath(frame.prefix) }, { text: slug }]}
    >
      <h1>
        <bdi>{slug}</bdi>
        <RepositoryTags repository={repository} />
      </h1>
      {repository.description !== null && (
        <p>
          <bdi>{repository.description}</bdi>
        </p>
      )}
      {notices.map((notice) => (
        <div class={`notice ${stateClass('errored')}`} role="note">
          <bdi>{notice}</bdi>
        </div>
      ))}
      <section aria-labelledby="builds">
        <h2 id="builds">Builds</h2>
        {builds.length === 0 ? (
          paging.number === 1 ? (
            <NoBuilds {...props} />
          ) : (
            <p class="empty">There are no builds on this page.</p>
          )
        ) : (
          <ul class="items">
            {builds.map((listed) => (
              <BuildItem
                {...listed}
                href={buildPath(frame.prefix, repository, listed.build)}
                now={now}
              />
            ))}
          </ul>
        )}
        <Pager {...paging} path={repositoryPath(frame.prefix, repository)} />
      </section>
      <Requests id="open" title="Requests that are still open" now={now}>
        {requests.filter(isOpen)}
      </Requests>
      <Requests id="not-built" title="Requests that were not built" now={now}>
        {requests.filter((listed) => !isOpen(listed))}
      </Requests>
      {deliveries.length > 0 && (
        <section aria-labelledby="idle">
          <h2 id="idle">Webhooks that changed nothing</h2>
          <ul class="items">
            {deliveries.map((delivery) => (
              <DeliveryItem delivery={delivery} now={now} />
            ))}
          </ul>
        </section>
      )}
    </Layout>
  )
}

function isOpen({ request }: ListedRequest): boolean {
  return request.result === null
}

interface RequestsProps {
  id: string
  title: string
  now: Date
  children: readonly ListedRequest[]
}

function Requests({ id, title, now, children: requests }: RequestsProps) {
  if (requests.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="items">
        {requests.map((listed) => (
          <RequestItem {...listed} now={now} />
        ))}
      </ul>
    </section>
  )
}

function NoBuilds(props: Pick<RepositoryPageProps, 'repository' | 'requests' | 'hadBuildFile'>) {
  return (
    <div class="empty">
      <p>There is no build yet.</p>
      <FirstStep {...props} />
    </div>
  )
}

/** What would make the first build; nothing where the requests below say why there is none. */
function FirstStep({
  repository: { active },
  requests,
  hadBuildFile,
}: Parameters<typeof NoBuilds>[0]) {
  if (!active) return <p>The repository is not active here, so its pushes are not built.</p>
  if (requests.length > 0) return <p>Below is what has come so far, with the reasons.</p>
  if (hadBuildFile) return null
  return (
    <p>
      Add a <code>.service.yml</code> and push it: the first build starts automatically.
    </p>
  )
}
