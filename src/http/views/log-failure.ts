import { basisText } from '../../domain/failure/failure.ts'
import type { JobState } from '../../domain/job/job.ts'
import { withoutMarkers } from '../../domain/log/without-markers.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { notesOnRun, type RunReport } from '../../flow/failures/run-report.ts'
import { linesFrom, tailOf } from '../../terminal/log-tail.ts'
import { paintLine } from '../../terminal/paint-line.ts'
import { plainStyle } from '../../terminal/text-style.ts'

/** The lines of a job's log that explain why it failed, and the command that made it fail. */
export interface LogFailure {
  /** Null if no command ended the job, for example if a time limit did. */
  ended: { command: string; code: number } | null
  /** The likeliest cause first; if none is known, the last lines of the command's output. */
  lines: FailureLine[]
  /** Numbers of the lines to open, in the order in which a reader goes through them. */
  errors: number[]
  /** The way in which the cause was found; missing if none is known. */
  basis?: string
  /** The changes outside the commit, and whether the job is flaky, in sentences. */
  notes?: readonly string[]
}

interface FailureLine {
  /** The number in the whole log; null if only the end of the log was read. */
  number: number | null
  text: string
}

/** A failure as pages show it; undefined if the run was not examined, or its log was deleted. */
export function shownFailure(report: RunReport, most: number): LogFailure | undefined {
  if (!report.failure) return undefined
  const { basis, command, exit_code, lines, compared } = report.failure
  const shown = lines.slice(0, most)
  // The last lines of a command belong together, and end with the failure.
  const opened = basis === 'nothing_new' ? shown.slice(-1) : shown
  const runs = compared.map(({ number }) => `job ${number}`).join(', ')
  return {
    ended:
      command === null || exit_code === null
        ? null
        : { command: visible(command), code: exit_code },
    lines: shown.map(({ number, text }) => ({ number, text: visible(text) })),
    errors: opened.map(({ number }) => number),
    basis: `${basisText(basis)}.${runs === '' ? '' : ` Compared with ${runs}.`}`,
    notes: notesOnRun(report),
  }
}

/** Whether the log of a job can say why it did not pass. */
export const hasFailed = ({ state }: { state: JobState }) =>
  state === 'failed' || state === 'errored'

const limits = { lines: 2000, characters: 200_000 }
const widest = 400

// These are the lines of `script/shell/`, which end the output of a command.
const failed =
  /^The command "(?<command>.*)" (?:failed and )?exited with (?<code>[1-9]\d*)(?:\.| during .*)$/

/**
 * The first command in the end of a log that failed, with the `most` last lines of output until then.
 * `isWhole`: whether the log is whole, so that its lines have numbers.
 */
export function failureIn(log: string, most: number, isWhole: boolean): LogFailure | undefined {
  const { from, first } = tailOf(log, limits)
  const before: FailureLine[] = []
  let number = first
  for (const raw of linesFrom(log, from)) {
    const text = plain(raw)
    if (text.trim() !== '') before.push({ number: isWhole ? number : null, text })
    number += 1
    const { command, code } = failed.exec(text)?.groups ?? {}
    if (command === undefined) continue
    const lines = before.slice(-most)
    const errors = lines.slice(-1).flatMap((line) => line.number ?? [])
    return { ended: { command, code: Number(code) }, lines, errors }
  }
  return undefined
}

function plain(raw: string): string {
  const { spans } = paintLine(withoutMarkers(raw), plainStyle)
  const text = spans.map((span) => span.text).join('')
  return text.length > widest ? `${text.slice(0, widest)} …` : text
}
