import type { Build } from '../../../domain/build.ts'
import type { Commit } from '../../../domain/commit/commit.ts'
import { isFinished, type Job, type JobVersion } from '../../../domain/job/job.ts'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import type { Stage } from '../../../domain/stage.ts'
import { ApprovalNotice } from '../parts/approval-notice.tsx'
import { BuildNotices } from '../parts/build-notices.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { refreshSeconds } from '../parts/refresh-seconds.ts'
import { stateLabels } from '../parts/state-badge.tsx'
import { buildPath, homePath, jobPath, logPath, repositoryPath } from '../paths.ts'
import { Attempts } from './attempts.tsx'
import { JobHeader } from './job-header.tsx'
import { LogSection } from './log-section.tsx'

interface JobPageProps {
  frame: Frame
  now: Date
  repository: Repository
  build: Build
  commit: Commit
  /** Whether its build was requested from a fork. */
  fromFork: boolean
  job: Job
  /** Its position, if it waits in a queue. */
  position: number | undefined
  stage: Stage | null
  /** All output so far; empty if there is none. */
  log: string
  /** Token for reading the log, if it is not open to everyone. */
  logToken?: string | undefined
  /** Why the log is not shown to this viewer. */
  hidden?: string | undefined
  /** The earlier attempts, oldest first. */
  versions?: readonly JobVersion[]
  /** The earlier attempt whose log is shown. */
  shown?: JobVersion | undefined
}

/** One job and its log. */
export function JobPage({ frame, repository, build, job, ...props }: JobPageProps) {
  const { log, hidden, versions = [], shown } = props
  const { prefix } = frame
  const slug = slugOf(repository)
  const buildHref = buildPath(prefix, repository, build)
  return (
    <Layout
      {...frame}
      title={`${stateLabels[job.state]}: ${slug}, job ${job.number}`}
      state={job.state}
      refresh={isFinished(shown ?? job) ? null : refreshSeconds}
      crumbs={[
        { text: 'Repositories', href: homePath(prefix) },
        { text: slug, href: repositoryPath(prefix, repository) },
        { text: `#${build.number}`, href: buildHref },
        { text: job.number },
      ]}
    >
      <JobHeader
        now={props.now}
        commit={props.commit}
        position={props.position}
        stage={props.stage}
        build={build}
        job={job}
        buildHref={buildHref}
        fromFork={props.fromFork}
      />
      <ApprovalNotice build={build}>
        <a href={buildHref}>It is approved on the page of the build.</a>
      </ApprovalNotice>
      <BuildNotices build={build} jobs={[job]} />
      <Attempts
        now={props.now}
        job={job}
        versions={versions}
        shown={shown}
        href={jobPath(prefix, repository, job)}
      />
      <LogSection
        job={job}
        shown={shown}
        log={log}
        hidden={hidden}
        href={logPath(prefix, job, shown?.number, props.logToken)}
      />
    </Layout>
  )
}
