import type { Build } from '../../../domain/build.ts'
import type { Commit } from '../../../domain/commit/commit.ts'
import { isFinished, type Job, type JobVersion } from '../../../domain/job/job.ts'
import { channelsOf } from '../../../domain/live.ts'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import type { Stage } from '../../../domain/stage.ts'
import type { LogFailure } from '../../views/log-failure.ts'
import { jobScript } from '../assets.ts'
import { ApprovalNotice } from '../parts/approval-notice.tsx'
import { AsOf } from '../parts/as-of.tsx'
import { BuildNotices } from '../parts/build-notices.tsx'
import { FailureExcerpt } from '../parts/failure-excerpt.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { repositoryCrumbs } from '../parts/repository-crumbs.ts'
import { stateClass, stateLabels } from '../parts/state-badge.tsx'
import { buildPath, jobPath, logPath, logTimesPath, scriptPath } from '../paths.ts'
import { Attempts } from './attempts.tsx'
import { type JobCan, JobCalls, JobFacts, JobTop, type NearJob } from './job-header.tsx'
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
  /** All output so far; empty if there is none, and undefined if it is left out. */
  log: string | undefined
  /** Token for reading the log, if it is not open to everyone. */
  logToken?: string | undefined
  /** Why the log is not shown to this viewer. */
  hidden?: string | undefined
  /** The earlier attempts, oldest first. */
  versions?: readonly JobVersion[]
  /** The earlier attempt whose log is shown. */
  shown?: JobVersion | undefined
  /** The reason why the shown attempt failed, as far as its log shows it. */
  failure?: LogFailure | undefined
  /** Further facts about a run that passed, such as that its job is flaky. */
  notes?: readonly string[]
  can?: JobCan
  previous?: NearJob | undefined
  next?: NearJob | undefined
  /** Why the form that was just sent changed nothing. */
  problem?: string | undefined
}

/** Query of a page whose log is left out, because the log is read separately. */
const leftOut = 'log=no'

const nothing: JobCan = { restart: false, cancel: false }

/** One job: first its state and the reason, then its log, then its configuration. */
export function JobPage({ frame, repository, build, job, ...props }: JobPageProps) {
  const { now, log, hidden, versions = [], shown, failure, notes = [], position } = props
  const { prefix } = frame
  const slug = slugOf(repository)
  const buildHref = buildPath(prefix, repository, build)
  const href = jobPath(prefix, repository, job)
  const textHref = logPath(prefix, job, shown?.number, props.logToken)
  const isOver = isFinished(shown ?? job)
  // A page that is read for its states alone may come after the end of what it shows.
  const isLive = frame.stream !== undefined && !shown && (!isOver || log === undefined)
  return (
    <Layout
      {...frame}
      title={`${stateLabels[job.state]}: ${slug}, job ${job.number}`}
      state={job.state}
      problem={props.problem}
      script={scriptPath(prefix, jobScript)}
      follows={
        isOver
          ? undefined
          : {
              channels:
                hidden === undefined
                  ? channelsOf('job', job.id, false)
                  : channelsOf('repo', repository.id, false),
              of: { job: job.id },
              href: `${href}?${leftOut}`,
            }
      }
      crumbs={[
        ...repositoryCrumbs(prefix, repository),
        { text: `#${build.number}`, href: buildHref },
        { text: job.number },
      ]}
    >
      <JobTop
        frame={frame}
        now={now}
        repository={repository}
        build={build}
        job={job}
        position={position}
        shown={shown}
        failure={failure}
        can={props.can ?? nothing}
        previous={props.previous}
        next={props.next}
      />
      {failure && (
        <section id="failure" class={stateClass('failed')} aria-label="Why it failed">
          <FailureExcerpt
            failure={failure}
            label="Lines that say why it failed"
            href={href}
            stops
          />
        </section>
      )}
      {notes.length > 0 && (
        <section aria-label="About this run">
          {notes.map((note) => (
            <p>
              <bdi>{note}</bdi>
            </p>
          ))}
        </section>
      )}
      <ApprovalNotice build={build}>
        <a href={buildHref}>It is approved on the page of the build.</a>
      </ApprovalNotice>
      {!isOver && <AsOf now={now} href={href} />}
      <LogSection
        job={job}
        shown={shown}
        log={log}
        hidden={hidden}
        href={textHref}
        parts={isLive ? logPath(prefix, job, job.attempt, props.logToken) : undefined}
        times={logTimesPath(prefix, job, shown?.number ?? job.attempt, props.logToken)}
        failure={failure}
      />
      <BuildNotices build={build} jobs={[job]} />
      <Attempts now={now} job={job} versions={versions} shown={shown} href={href} />
      <JobFacts
        now={now}
        build={build}
        job={job}
        buildHref={buildHref}
        commit={props.commit}
        stage={props.stage}
        fromFork={props.fromFork}
      />
      <JobCalls prefix={prefix} job={job} />
    </Layout>
  )
}
