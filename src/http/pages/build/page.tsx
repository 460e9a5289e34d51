import type { Build } from '../../../domain/build.ts'
import type { Commit, PullRequest } from '../../../domain/commit/commit.ts'
import { isFinished, type Job } from '../../../domain/job/job.ts'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import type { Request, RequestMessage } from '../../../domain/request/request.ts'
import type { Stage } from '../../../domain/stage.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { ApprovalNotice } from '../parts/approval-notice.tsx'
import { BuildNotices } from '../parts/build-notices.tsx'
import { CheckList } from '../parts/check-list.tsx'
import { subjectOf } from '../parts/commit-text.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { Notices } from '../parts/notices.tsx'
import { refreshSeconds } from '../parts/refresh-seconds.ts'
import { StateBadge, stateLabels } from '../parts/state-badge.tsx'
import { homePath, jobPath, repositoryPath } from '../paths.ts'
import { Approval } from './approval.tsx'
import { BuildHeader } from './build-header.tsx'
import { Findings } from './findings.tsx'
import { JobsTable } from './jobs-table.tsx'

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
  /** The queue positions of waiting jobs, by their ids. */
  positions: ReadonlyMap<number, number>
  /** Whether the viewer can approve its commit, if it needs approval. */
  canApprove?: boolean
  /** The sender, if blocked by now: then no one can approve the commit. */
  blockedSender?: string | null
}

/** One build: its target and cause, its stages and jobs, and the findings in the build file. */
export function BuildPage(props: BuildPageProps) {
  const { frame, repository, build, commit, request, notices, messages, stages, jobs } = props
  const slug = slugOf(repository)
  const unstaged = jobs.filter(({ stage_id }) => !stages.some(({ id }) => id === stage_id))
  return (
    <Layout
      {...frame}
      title={`${stateLabels[build.state]}: ${slug} #${build.number}, ${subjectOf(commit)}`}
      state={build.state}
      refresh={[build, ...jobs].every(isFinished) ? null : refreshSeconds}
      crumbs={[
        { text: 'Repositories', href: homePath(frame.prefix) },
        { text: slug, href: repositoryPath(frame.prefix, repository) },
        { text: `#${build.number}` },
      ]}
    >
      <BuildHeader {...props} />
      <ApprovalNotice build={build}>
        <Approval {...props} />
      </ApprovalNotice>
      <BuildNotices build={build} jobs={jobs} readable={props.readable ?? new Set()} />
      <Notices>{notices}</Notices>
      {stages.map((stage) => (
        <StageSection {...props} stage={stage} />
      ))}
      {unstaged.length > 0 && (
        <section aria-labelledby="jobs">
          <h2 id="jobs">{stages.length > 0 ? 'Other jobs' : 'Jobs'}</h2>
          <Jobs {...props} jobs={unstaged} caption="Jobs" />
        </section>
      )}
      {messages.length > 0 && (
        <section aria-labelledby="findings">
          <h2 id="findings">Findings in the build file</h2>
          <Findings prefix={frame.prefix} messages={messages} />
        </section>
      )}
      {request && request.checks.length > 0 && (
        <details class="card">
          <summary>Why this build was created</summary>
          <CheckList checks={request.checks} />
        </details>
      )}
    </Layout>
  )
}

function StageSection({ stage, ...props }: BuildPageProps & { stage: Stage }) {
  const id = `stage-${stage.number}`
  const name = visible(stage.name)
  const jobs = props.jobs.filter(({ stage_id }) => stage_id === stage.id)
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <bdi>{name}</bdi>
        <StateBadge state={stage.state} />
      </h2>
      <Jobs {...props} jobs={jobs} caption={`Jobs of stage ${name}`} />
    </section>
  )
}

function Jobs({ caption, ...props }: BuildPageProps & { caption: string }) {
  const { frame, repository, fromFork, jobs, positions, now } = props
  return (
    <JobsTable
      caption={caption}
      jobs={jobs}
      positions={positions}
      fromFork={fromFork}
      hrefOf={(job) => jobPath(frame.prefix, repository, job)}
      now={now}
    />
  )
}
