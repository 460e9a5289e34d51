import { basisText, type Failure } from '../../domain/failure/failure.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { linesFrom, tailOf } from '../../terminal/log-tail.ts'
import { paintLine } from '../../terminal/paint-line.ts'
import { plainStyle } from '../../terminal/text-style.ts'
import { withoutMarkers } from '../../terminal/without-markers.ts'

/** The command that made a job fail, and the lines of its log that say why. */
export interface LogFailure {
  command: string
  code: number
  /** The likeliest cause first; where none is known, the last lines of the command's output. */
  lines: FailureLine[]
  /** How the cause was found; missing where none is known. */
  basis?: string
}

interface FailureLine {
  /** The number in the whole log; null if only the end of the log was read. */
  number: number | null
  text: string
}

/** A failure as pages show it; undefined without a command or lines. */
export function shownFailure(
  { basis, command, exit_code, lines, compared }: Failure,
  most: number,
): LogFailure | undefined {
  if (command === null || exit_code === null || lines.length === 0) return undefined
  const runs = compared.map(({ number }) => `job ${number}`).join(', ')
  return {
    command: visible(command),
    code: exit_code,
    lines: lines.slice(0, most).map(({ number, text }) => ({ number, text: visible(text) })),
    basis: `${basisText(basis)}.${runs === '' ? '' : ` Compared with ${runs}.`}`,
  }
}

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
    return { command, code: Number(code), lines: before.slice(-most) }
  }
  return undefined
}

function plain(raw: string): string {
  const { spans } = paintLine(withoutMarkers(raw), plainStyle)
  const text = spans.map((span) => span.text).join('')
  return text.length > widest ? `${text.slice(0, widest)} …` : text
}
