import type { ComponentChildren } from 'preact'
import { type Build, isUnapproved } from '../../../domain/build.ts'
import { grouped } from '../../../domain/grouped.ts'
import { isFinished, type Job } from '../../../domain/job/job.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { waitingReasons } from '../../../texts/waiting-reasons.ts'
import type { LogFailure } from '../../views/log-failure.ts'

interface SentenceProps {
  build: Build
  jobs: readonly Job[]
  positions: ReadonlyMap<number, number>
  /** Why jobs failed, by their ids, as far as their logs were read. */
  failures: ReadonlyMap<number, LogFailure>
}

/** The state of a build and the reason, in one sentence. */
export function Sentence(props: SentenceProps) {
  return <p class="why">{sentenceOf(props)}</p>
}

function sentenceOf({ build, jobs, positions, failures }: SentenceProps): ComponentChildren {
  const count = jobs.length
  if (isUnapproved(build)) return 'It waits for a maintainer to approve its commit.'
  if (count === 0) return 'It has no jobs.'
  if (build.config_error !== null) return 'No job could run, because of the build file.'
  if (build.state === 'passed') return <Passed jobs={jobs} />
  if (build.state === 'canceled') return <Canceled jobs={jobs} />
  if (!isFinished(build)) return <Open jobs={jobs} positions={positions} failures={failures} />
  return (
    <>
      <Unsuccessful jobs={jobs} failures={failures} />.
      {build.previous_state === 'passed' && ' The build before it had passed.'}
    </>
  )
}

function Passed({ jobs }: { jobs: readonly Job[] }) {
  const failed = jobs.filter(({ state }) => state !== 'passed').length
  if (failed > 0) {
    return (
      <>
        {jobs.length - failed} of {jobs.length} jobs passed; the others did not have to.
      </>
    )
  }
  return <>{jobs.length === 1 ? 'Its job passed.' : `All ${jobs.length} jobs passed.`}</>
}

function Canceled({ jobs }: { jobs: readonly Job[] }) {
  const reason = jobs.find(({ cancel_reason }) => cancel_reason !== null)?.cancel_reason
  const done = jobs.filter(({ state }) => state !== 'canceled').length
  return (
    <>
      <bdi>It was {visible(reason ?? 'canceled')}.</bdi>
      {done > 0 && ` ${done} of ${jobs.length} jobs had ended before.`}
    </>
  )
}

function Open({ jobs, positions, failures }: Omit<SentenceProps, 'build'>) {
  const ended = jobs.filter(isFinished)
  const runs = jobs.some(({ state }) => state === 'started')
  if (ended.length === 0 && !runs) {
    const [first] = jobs
    return <>{first && waitingReasons(first, positions.get(first.id)).join(' ')}</>
  }
  return (
    <>
      {ended.length} of {jobs.length} {jobs.length === 1 ? 'job' : 'jobs'} done
      {ended.some(({ state }) => state === 'failed' || state === 'errored') && (
        <>
          : <Unsuccessful jobs={jobs} failures={failures} />
        </>
      )}
      .
    </>
  )
}

/** The number of failed jobs and their commands, and the number of jobs that ended with an error. */
function Unsuccessful({ jobs, failures }: Pick<SentenceProps, 'jobs' | 'failures'>) {
  const failed = jobs.filter(({ state }) => state === 'failed')
  const errored = jobs.filter(({ state }) => state === 'errored')
  const found = failed.flatMap(({ id }) => failures.get(id) ?? [])
  const ended = found.flatMap((failure) => failure.ended ?? [])
  const commands = [...grouped(ended, ({ command }) => command).keys()]
  const of = jobs.length === 1 ? 'Its job' : `${failed.length} of ${jobs.length} jobs`
  return (
    <>
      {failed.length > 0 && `${of} failed`}
      {commands.slice(0, 2).map((command, index) => (
        <>
          {index === 0 ? ' at ' : ' and at '}
          <code>{shortCommand(command)}</code>
        </>
      ))}
      {commands.length > 2 && ` and ${commands.length - 2} more commands`}
      {errored.length > 0 && (failed.length > 0 ? '; ' : '')}
      {errored.length > 0 && failed.length > 0 && `${errored.length} ended with an error`}
      {errored.length > 0 && failed.length === 0 && <Errored jobs={errored} of={jobs.length} />}
    </>
  )
}

function Errored({ jobs, of }: { jobs: readonly Job[]; of: number }) {
  const [reason] = jobs.flatMap(({ reason: each }) => each ?? [])
  return (
    <>
      {of === 1 ? 'Its job' : `${jobs.length} of ${of} jobs`} ended with an error
      {reason !== undefined && (
        <>
          : <bdi>{visible(reason).replace(/\.$/, '')}</bdi>
        </>
      )}
    </>
  )
}

const longestCommand = 80

function shortCommand(command: string): string {
  const [line = ''] = command.split('\n', 1)
  return line.length > longestCommand ? `${line.slice(0, longestCommand)} …` : line
}
