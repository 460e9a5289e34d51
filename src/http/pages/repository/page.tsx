import type { Build } from '../../../domain/build.ts'
import type { DeliveryResult } from '../../../domain/delivery.ts'
import { channelsOf } from '../../../domain/live.ts'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import { isLeftToMaintainers } from '../../../domain/request/approval.ts'
import type { IdleDelivery } from '../../../store/deliveries/listed-deliveries.ts'
import { Form } from '../parts/form.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { Notices } from '../parts/notices.tsx'
import { Pager, type Paging } from '../parts/pager.tsx'
import { RepositoryTags } from '../parts/repository-tags.tsx'
import { PlainBadge } from '../parts/state-badge.tsx'
import { Time } from '../parts/time.tsx'
import {
  buildNowPath,
  buildPath,
  homePath,
  repositoryPath,
  requestFormPath,
  settingsPath,
  variablesPath,
} from '../paths.ts'
import { BranchBars } from './branch-bars.tsx'
import { BuildItem, type ShownBuild } from './build-item.tsx'
import { type BuildFilterForm, Filters, isFiltered, queryOf } from './filters.tsx'
import { type ListedRequest, RequestItem } from './request-item.tsx'

interface RepositoryPageProps {
  frame: Frame
  now: Date
  repository: Repository
  /** Problems with how its changes reach the service. */
  notices: readonly string[]
  /** One page of builds, newest first. */
  builds: readonly ShownBuild[]
  /** Requests without a build, newest first. */
  requests: readonly ListedRequest[]
  /** Webhooks that changed nothing, newest first. */
  deliveries: readonly IdleDelivery[]
  /** Whether any examined commit had a build file. */
  hadBuildFile: boolean
  paging: Paging
  filter: BuildFilterForm
  /** The last builds of the branch that is filtered by, or of the default branch, newest first. */
  lastBuilds?: readonly Build[]
  can?: RepositoryCan
  /** Why the form that was just sent changed nothing. */
  problem?: string | undefined
}

/** The viewer's permissions on a repository. */
export interface RepositoryCan {
  build: boolean
  approve: boolean
  change: boolean
}

const nothing: RepositoryCan = { build: false, approve: false, change: false }

/** A repository's builds, page by page, and recent requests and webhooks that were not built. */
export function RepositoryPage(props: RepositoryPageProps) {
  const { frame, now, repository, notices, builds, requests, deliveries, paging } = props
  const { filter, lastBuilds = [], can = nothing } = props
  const { prefix } = frame
  const href = repositoryPath(prefix, repository)
  const slug = slugOf(repository)
  return (
    <Layout
      {...frame}
      title={slug}
      follows={{ channels: channelsOf('repo', repository.id, false), href }}
      problem={props.problem}
      crumbs={[{ text: 'Repositories', href: homePath(frame.prefix) }, { text: slug }]}
    >
      <section class="top">
        <h1>
          <bdi>{slug}</bdi>
          <RepositoryTags repository={repository} />
        </h1>
        <div class="actions">
          {can.build && repository.active && (
            <a class="button" href={buildNowPath(prefix, repository)}>
              Build now
            </a>
          )}
          {can.change && (
            <>
              <a class="button plain" href={settingsPath(prefix, repository)}>
                Settings
              </a>
              <a class="button plain" href={variablesPath(prefix, repository)}>
                Variables
              </a>
            </>
          )}
        </div>
      </section>
      {repository.description !== null && (
        <p>
          <bdi>{repository.description}</bdi>
        </p>
      )}
      <Notices>{notices}</Notices>
      <section aria-labelledby="builds">
        <h2 id="builds">Builds</h2>
        <BranchBars
          builds={lastBuilds}
          branch={filter.branch || repository.default_branch_name}
          hrefOf={(build) => buildPath(prefix, repository, build)}
        />
        <Filters filter={filter} href={href} />
        {builds.length === 0 ? (
          paging.number === 1 && !isFiltered(filter) ? (
            <NoBuilds {...props} />
          ) : (
            <p class="empty">
              {isFiltered(filter) ? 'No build matches.' : 'There are no builds on this page.'}
            </p>
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
        <Pager {...paging} path={href} query={queryOf(filter)} />
      </section>
      <Requests {...props} id="open" title="Requests that are still open">
        {requests.filter(isOpen)}
      </Requests>
      <Requests {...props} id="not-built" title="Requests that were not built">
        {requests.filter((listed) => !isOpen(listed))}
      </Requests>
      <Deliveries now={now}>
        {deliveries.filter(({ outcome }) => !notices.some((notice) => isSaidIn(notice, outcome)))}
      </Deliveries>
    </Layout>
  )
}

/** Whether a notice already explains why a webhook changed nothing, such as an archived repository. */
function isSaidIn(notice: string, outcome: string | null): boolean {
  return outcome !== null && notice.startsWith(outcome)
}

interface DeliveriesProps {
  now: Date
  children: readonly IdleDelivery[]
}

function Deliveries({ now, children: deliveries }: DeliveriesProps) {
  if (deliveries.length === 0) return null
  return (
    <section aria-labelledby="idle">
      <h2 id="idle">Webhooks that changed nothing</h2>
      <ul class="items">
        {deliveries.map((delivery) => (
          <DeliveryItem delivery={delivery} now={now} />
        ))}
      </ul>
    </section>
  )
}

function isOpen({ request }: ListedRequest): boolean {
  return request.result === null
}

type RequestsProps = Pick<RepositoryPageProps, 'frame' | 'repository' | 'now' | 'can'> & {
  id: string
  title: string
  children: readonly ListedRequest[]
}

function Requests({ id, title, children: requests, ...props }: RequestsProps) {
  if (requests.length === 0) return null
  const { frame, repository, now, can = nothing } = props
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="items">
        {requests.map((listed) => (
          <RequestItem {...listed} now={now}>
            {can.approve &&
              listed.request.result !== null &&
              isLeftToMaintainers(listed.request) && (
                <Form
                  viewer={frame.viewer}
                  action={requestFormPath(frame.prefix, repository, listed.request)}
                >
                  <button>
                    Let {listed.request.head_commit?.slice(0, 7)} pass without a build
                  </button>
                </Form>
              )}
          </RequestItem>
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

/** Advice for a first build; nothing if the requests below explain why there is none. */
function FirstStep({
  repository: { active },
  requests,
  hadBuildFile,
}: Parameters<typeof NoBuilds>[0]) {
  if (!active) return <p>The repository is not active here, so its pushes are not built.</p>
  if (requests.length > 0) return <p>Requests received so far, with the reasons:</p>
  if (hadBuildFile) return null
  return (
    <p>
      Add a <code>.service.yml</code> and push it: the first build starts automatically.
    </p>
  )
}

/** A webhook that changed nothing, with the reason. */
function DeliveryItem({ delivery, now }: { delivery: IdleDelivery; now: Date }) {
  const { event, action, outcome, result, received_at } = delivery
  return (
    <li class="item">
      <PlainBadge
        shape={result === null ? 'open' : 'rejected'}
        label={labels[result ?? 'waiting']}
      />
      <div>
        <p>
          <bdi>{outcome ?? 'It is not processed yet; it is tried again'}</bdi>
        </p>
        <p class="faint">
          <code>{action === null ? event : `${event} ${action}`}</code>
        </p>
      </div>
      <p class="when">
        <Time at={received_at} now={now} />
      </p>
    </li>
  )
}

const labels: Record<DeliveryResult | 'waiting', string> = {
  request: 'Accepted',
  noted: 'Noted',
  ignored: 'Ignored',
  unknown: 'Unknown',
  error: 'Failed',
  waiting: 'Waiting',
}
