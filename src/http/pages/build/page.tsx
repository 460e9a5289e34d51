import type { Build } from '../../../domain/build.ts'
import type { Commit, PullRequest } from '../../../domain/commit/commit.ts'
import { isFinished, type Job, type JobVersion } from '../../../domain/job/job.ts'
import { channelsOf } from '../../../domain/live.ts'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import type { Request, RequestMessage } from '../../../domain/request/request.ts'
import type { Stage } from '../../../domain/stage.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import type { LogFailure } from '../../views/log-failure.ts'
import { ApprovalNotice } from '../parts/approval-notice.tsx'
import { AsOf } from '../parts/as-of.tsx'
import { BuildNotices } from '../parts/build-notices.tsx'
import { CheckList } from '../parts/check-list.tsx'
import { subjectOf, TargetName, targetKind } from '../parts/commit-text.tsx'
import { ConfigEntries } from '../parts/config-list.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { Notices } from '../parts/notices.tsx'
import { repositoryCrumbs } from '../parts/repository-crumbs.ts'
import { StateBadge, stateClass, stateLabels } from '../parts/state-badge.tsx'
import { buildPath } from '../paths.ts'
import { Actions, type BuildCan, BuildCalls } from './actions.tsx'
import { Approval } from './approval.tsx'
import { EarlierAttempts } from './attempts.tsx'
import { BuildFacts, BuildLine } from './build-header.tsx'
import { Failures } from './failures.tsx'
import { Findings } from './findings.tsx'
import { JobsTable } from './jobs-table.tsx'
import { type Matrix, matrixOf } from './matrix.ts'
import { Sentence } from './sentence.tsx'
import { Standing } from './standing.tsx'

interface BuildPageProps {
  frame: Frame
  now: Date
  repository: Repository
  build: Build
  commit: Commit
  pullRequest: PullRequest | null
  request: Request | null
  /** Whether it was requested from a fork. */
  fromFork: boolean
  /** Notices about its statuses and checks that do not reach the code host. */
  notices: readonly string[]
  /** Findings about the build file. */
  messages: readonly RequestMessage[]
  /** In the order of their numbers; empty for a build without stages. */
  stages: readonly Stage[]
  jobs: readonly Job[]
  /** The jobs whose logs the viewer can read, by their ids. */
  readable?: ReadonlySet<number>
  /** Earlier attempts of its jobs, the newest first. */
  versions?: readonly JobVersion[]
  /** The newest build of its pull request, if that is a different build. */
  newer?: Pick<Build, 'id' | 'number'> | undefined
  /** The queue positions of waiting jobs, by their ids. */
  positions: ReadonlyMap<number, number>
  /** Why jobs failed, by their ids, as far as their logs were read. */
  failures?: ReadonlyMap<number, LogFailure>
  can?: BuildCan
  /** Why the form that was just sent changed nothing. */
  problem?: string | undefined
  /** Whether the viewer can approve its commit, if it needs approval. */
  canApprove?: boolean
  /** The sender, if blocked: then no one can approve the commit. */
  blockedSender?: string | null
}

const nothing: BuildCan = { restart: false, cancel: false }

/** One build: first its state and the reason, then its jobs, and its origin. */
export function BuildPage(props: BuildPageProps) {
  const { frame, repository, build, commit, request, notices, messages, stages, jobs } = props
  const { failures = new Map(), can = nothing, now } = props
  const slug = slugOf(repository)
  const unstaged = jobs.filter(({ stage_id }) => !stages.some(({ id }) => id === stage_id))
  const matrix = matrixOf(jobs, props.fromFork)
  const kind = targetKind(props)
  return (
    <Layout
      {...frame}
      title={`${stateLabels[build.state]}: ${slug} #${build.number}, ${subjectOf(commit)}`}
      state={build.state}
      follows={
        [build, ...jobs].every(isFinished)
          ? undefined
          : {
              channels: channelsOf('repo', repository.id, false),
              of: { build: build.id },
              href: buildPath(frame.prefix, repository, build),
            }
      }
      problem={props.problem}
      crumbs={[...repositoryCrumbs(frame.prefix, repository), { text: `#${build.number}` }]}
    >
      <section class={`top ${stateClass(build.state)}`}>
        <h1>
          <StateBadge state={build.state} /> Build #{build.number}{' '}
          <span class="target">
            {kind === 'Branch' ? 'on' : `of ${kind.toLowerCase()}`} <TargetName {...props} />
          </span>
        </h1>
        <BuildLine {...props} />
        <Standing
          prefix={frame.prefix}
          repository={repository}
          request={request}
          pullRequest={props.pullRequest}
          newer={props.newer}
        />
        <Sentence build={build} jobs={jobs} positions={props.positions} failures={failures} />
        <Actions frame={frame} repository={repository} build={build} jobs={jobs} can={can} />
        {[build, ...jobs].every(isFinished) ? null : (
          <AsOf now={now} href={buildPath(frame.prefix, repository, build)} />
        )}
      </section>
      <ApprovalNotice build={build}>
        <Approval {...props} />
      </ApprovalNotice>
      <Failures frame={frame} now={now} repository={repository} jobs={jobs} failures={failures} />
      <BuildNotices build={build} jobs={jobs} readable={props.readable ?? new Set()} />
      <Notices>{notices}</Notices>
      {stages.map((stage) => (
        <StageSection {...props} matrix={matrix} stage={stage} />
      ))}
      {unstaged.length > 0 && (
        <section aria-labelledby="jobs">
          <h2 id="jobs">{stages.length > 0 ? 'Other jobs' : 'Jobs'}</h2>
          <Jobs {...props} matrix={matrix} shown={unstaged} caption="Jobs" />
        </section>
      )}
      {matrix.same.length > 0 && (
        <ConfigEntries
          label={jobs.length > 1 ? 'The same in all jobs' : 'Its job runs with'}
          entries={matrix.same}
        />
      )}
      {messages.length > 0 && (
        <section aria-labelledby="findings">
          <h2 id="findings">Findings in the build file</h2>
          <Findings prefix={frame.prefix} messages={messages} />
        </section>
      )}
      <EarlierAttempts
        frame={frame}
        now={now}
        repository={repository}
        jobs={jobs}
        versions={props.versions ?? []}
      />
      <BuildFacts {...props} />
      {request && request.checks.length > 0 && (
        <details class="card">
          <summary>Why this build was created</summary>
          <CheckList checks={request.checks} />
        </details>
      )}
      <BuildCalls prefix={frame.prefix} build={build} />
    </Layout>
  )
}

type WithMatrix = BuildPageProps & { matrix: Matrix }

function StageSection({ stage, ...props }: WithMatrix & { stage: Stage }) {
  const id = `stage-${stage.number}`
  const name = visible(stage.name)
  const jobs = props.jobs.filter(({ stage_id }) => stage_id === stage.id)
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <bdi>{name}</bdi>
        <StateBadge state={stage.state} />
      </h2>
      <Jobs {...props} shown={jobs} caption={`Jobs of stage ${name}`} />
    </section>
  )
}

function Jobs({
  caption,
  shown,
  ...props
}: WithMatrix & { caption: string; shown: readonly Job[] }) {
  const { frame, repository, jobs, matrix, positions, now, can = nothing } = props
  return (
    <JobsTable
      frame={frame}
      repository={repository}
      now={now}
      caption={caption}
      matrix={matrix}
      positions={positions}
      jobs={shown}
      all={jobs}
      canRestart={can.restart && props.build.config_error === null}
    />
  )
}
