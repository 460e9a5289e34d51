import type { Build } from '../build.ts'
import { distinctionOf } from '../job/distinction.ts'
import type { Job } from '../job/job.ts'
import { visible } from '../text/escape-control-characters.ts'
import { shortened } from '../text/shortened.ts'
import { roughSpan } from '../time/rough-span.ts'
import { secondsBetween } from '../time/seconds-between.ts'
import { exitText, type Failure } from './failure.ts'

/** A job that did not pass, and the reason if it is known. */
interface FailedJob {
  job: Pick<Job, 'number' | 'name' | 'config' | 'origin'>
  failure: Failure | undefined
}

/**
 * The parts that a text about a failed build can show: readers of a status may not be allowed to read the
 * log.
 */
export interface Shown {
  /** The names of jobs and commands, which come from the build file. */
  names: boolean
  /** Lines of the log. */
  lines: boolean
}

export interface FailedBuild {
  build: Pick<Build, 'state' | 'started_at' | 'finished_at'>
  /** The number of all jobs. */
  jobs: number
  /** The jobs that decided, in their order. */
  failed: readonly FailedJob[]
}

/**
 * The failure of a build in one line: `Failed in 2 min: "npm test" in job 2 (node 20)`. The likeliest cause
 * follows if there is room for it. Undefined if no failed job is known.
 */
export function failedBuildText(
  { build, jobs, failed }: FailedBuild,
  shown: Shown,
  longest: number,
): string | undefined {
  const [first, ...others] = failed
  if (!first) return undefined
  const { job, failure } = first
  const word = build.state === 'failed' ? 'Failed' : 'Errored'
  const where = jobs === 1 ? '' : jobText(job, shown.names)
  const command = shown.names && failure?.command ? quoted(failure.command) : undefined
  const what = command === undefined ? where : [command, where].filter(Boolean).join(' in ')
  const more =
    others.length === 0 ? '' : ` and ${others.length} more ${others.length === 1 ? 'job' : 'jobs'}`
  const head = `${word}${spentText(build)}${what === '' ? '' : `: ${what}${more}`}`
  const cause = shown.lines && failure ? causeText(failure) : ''
  const room = longest - head.length - 2
  if (cause === '' || room < shortestCause) return shortened(head, longest)
  return `${head}: ${shortened(visible(cause).replaceAll(/\s+/g, ' '), room)}`
}

/**
 * The likeliest cause in one line: a line that only names the test or the place is followed by the message
 * below it. If nothing in the log is new, the exit code says more than the last lines.
 */
function causeText({ basis, lines: [line], exit_code }: Failure): string {
  if (basis === 'nothing_new' && exit_code !== null) return exitText(exit_code)
  if (line === undefined) return ''
  const text = line.text.trim().replace(pytestMark, '')
  if (!onlyNames.test(text) && !hasOnlyCode(text)) return text
  const below = line.after.filter((each) => !isMatcher(each))
  const message = below.map((each) => each.replace(npmMark, '').trim()).find((each) => each !== '')
  return message === undefined ? text : `${text.replace(/:$/, '')}: ${message}`
}

/** What pytest prints before each line of a message. */
const pytestMark = /^E\s+/
/** What npm prints before each line of a message. */
const npmMark = /^npm (?:ERR!|error)(?: |$)/
/** Lines of tools that print the message below: Go, Jest, Mocha, PHPUnit, and those that end with a colon. */
const onlyNames = /^--- FAIL: |^● |^\d+\) |:$/
const onlyCode = /^npm (?:ERR!|error) code \w+$|^ERROR in \S+(?: \d+:\d+(?:-\d+)?)?$/

/** Whether a line has only a code or a place: npm and webpack print the message below it. */
export const hasOnlyCode = (text: string) => onlyCode.test(text)

/** Whether a line is the call of a matcher, which Jest prints above the values. */
export const isMatcher = (text: string) => /^\s*expect\(/.test(text)

const shortestCause = 20
const longestCommand = 50
const longestValue = 30

const quoted = (command: string) =>
  `"${shortened(visible(command.replaceAll(/\s+/g, ' ')), longestCommand)}"`

/** `job 2 (node 20)`: the position in its build, and the values that distinguish it from others. */
function jobText(job: FailedJob['job'], withNames: boolean): string {
  const position = `job ${job.number.split('.').at(-1)}`
  const known = withNames ? distinctionOf(job) : ''
  return known === '' ? position : `${position} (${shortened(visible(known), longestValue)})`
}

/** ` in 2 min`; empty if the build has never started. */
function spentText({ started_at, finished_at }: FailedBuild['build']): string {
  if (!started_at || !finished_at) return ''
  return ` in ${roughSpan(secondsBetween(started_at, finished_at))}`
}
