/**
 * How the lines of a failure were found. `new`: no green run has them. `more_often`: green runs have them, but
 * much more seldom. `nothing_new`: the last lines of the failing command, for want of better ones. `guess`: there
 * is no green run, so they are lines that look like an error. `limit`: the service itself
 * says why the job ended, or did not begin.
 */
export const failureBases = ['new', 'more_often', 'nothing_new', 'guess', 'limit'] as const
export type FailureBasis = (typeof failureBases)[number]

/** Kinds of failure; each is named only if a line proves it. */
export const failureKinds = [
  'tests',
  'compile',
  'lint',
  'dependency',
  'missing',
  'settings',
  'memory',
  'time',
  'disk',
  'killed',
  'infrastructure',
] as const
export type FailureKind = (typeof failureKinds)[number]

/** A line of a log that may be the cause. Its texts are masked like the log, and have no control characters. */
export interface FailureLine {
  /** Number of the line in the log, counted from 1. */
  number: number
  text: string
  /** At most two lines above and below. */
  before: string[]
  after: string[]
}

/** A green run that the log was compared with. */
export interface ComparedRun {
  job_id: number
  /** `7.1` */
  number: string
}

/** Why a job failed, as far as its log shows. */
export interface Failure {
  basis: FailureBasis
  kind: FailureKind | null
  /** The first command that did not end with 0, as the log shows it. */
  command: string | null
  phase: string | null
  exit_code: number | null
  /** At most ten, the likeliest cause first. */
  lines: FailureLine[]
  compared: ComparedRun[]
}

/** Lines that a failure shows at most, and lines around each. */
export const mostFailureLines = 10
export const linesAround = 2

const exitMeanings: Readonly<Record<number, string>> = {
  124: 'a time limit that the command itself set',
  126: 'not executable',
  127: 'command not found',
  130: 'interrupted',
  134: 'aborted',
  137: 'killed, often for want of memory',
  139: 'crashed: invalid memory access',
  141: 'no program read its output',
  143: 'terminated',
}

/** The usual meaning of an exit code; undefined for codes without a common meaning. */
export function exitMeaning(code: number): string | undefined {
  return exitMeanings[code]
}

/** `exited with 127 (command not found)` */
export function exitText(code: number): string {
  const meaning = exitMeaning(code)
  return `exited with ${code}${meaning === undefined ? '' : ` (${meaning})`}`
}

const basisTexts: Readonly<Record<FailureBasis, string>> = {
  new: 'Lines that no compared green run has',
  more_often: 'A line that green runs have as well, but much less often',
  nothing_new: 'Nothing here is new: the last lines of the command that failed',
  guess:
    'A guess, because no green run of this job is known: lines that look like an error, or the last ones',
  limit: 'The service names the reason why the job ended; new lines follow',
}

export function basisText(basis: FailureBasis): string {
  return basisTexts[basis]
}
