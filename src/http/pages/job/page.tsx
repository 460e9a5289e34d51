import type { Build } from '../../../domain/build.ts'
import { type Commit, isFromFork, type PullRequest } from '../../../domain/commit.ts'
import { isFinished, type Job } from '../../../domain/job.ts'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import type { Stage } from '../../../domain/stage.ts'
import { BuildNotices } from '../parts/build-notices.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { refreshSeconds } from '../parts/refresh-seconds.ts'
import { stateLabels } from '../parts/state-badge.tsx'
import { buildPath, homePath, logPath, repositoryPath } from '../paths.ts'
import { JobHeader } from './job-header.tsx'
import { Log, longestLog } from './log.tsx'

/** The page of a running job reloads again and again, so it shows less of the log. */
const growingLog = { lines: 2000, characters: 200_000 }

interface JobPageProps {
  frame: Frame
  now: Date
  repository: Repository
  build: Build
  commit: Commit
  pullRequest: PullRequest | null
  job: Job
  /** Its place, if it waits in a queue. */
  position: number | undefined
  stage: Stage | null
  /** All output so far; empty if there is none. */
  log: string
}

/** One job and its log. */
export function JobPage({ frame, repository, build, job, log, ...props }: JobPageProps) {
  const { prefix } = frame
  const slug = slugOf(repository)
  const buildHref = buildPath(prefix, repository, build)
  const { pullRequest } = props
  return (
    <Layout
      {...frame}
      title={`${stateLabels[job.state]}: ${slug}, job ${job.number}`}
      state={job.state}
      refresh={isFinished(job) ? null : refreshSeconds}
      crumbs={[
        { text: 'Repositories', href: homePath(prefix) },
        { text: slug, href: repositoryPath(prefix, repository) },
        { text: `#${build.number}`, href: buildHref },
        { text: job.number },
      ]}
    >
      <JobHeader
        {...props}
        build={build}
        job={job}
        buildHref={buildHref}
        fromFork={pullRequest !== null && isFromFork(pullRequest, repository)}
      />
      <BuildNotices build={build} jobs={[job]} />
      <LogSection job={job} log={log} href={logPath(prefix, job)} />
    </Layout>
  )
}

function LogSection({ job, log, href }: { job: Job; log: string; href: string }) {
  if (log === '') return <p class="empty">{nothingYet(job)}</p>
  return (
    <section aria-labelledby="log">
      <div class="bar">
        <h2 id="log">Log</h2>
        <a href="#end">To the end</a>
        <a href={href}>Plain text</a>
      </div>
      <Log text={log} href={href} limits={isFinished(job) ? longestLog : growingLog} />
      <p id="end" class="faint">
        {isFinished(job)
          ? 'End of the log.'
          : `The job has not ended. This page reloads every ${refreshSeconds} seconds.`}
      </p>
    </section>
  )
}

function nothingYet(job: Job): string {
  return isFinished(job) ? 'This job printed nothing.' : 'This job has not printed anything yet.'
}
