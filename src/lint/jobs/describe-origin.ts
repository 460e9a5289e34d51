import type { JobOrigin } from '../../domain/job/job.ts'

/** The origin of a job, in a few words. */
export function describeOrigin({ kind, line, entry }: JobOrigin): string {
  return `${origins[kind](entry)}${atLine(line)}`
}

const origins: Record<JobOrigin['kind'], (entry: number | undefined) => string> = {
  matrix: () => 'matrix',
  include: (entry) => `jobs.include ${entry}`,
  default: () => 'the file as a whole',
  error: () => 'a mistake',
}

/** A line of the file in brackets, if there is one. */
export function atLine(line: number | null): string {
  return line === null ? '' : ` (line ${line})`
}
