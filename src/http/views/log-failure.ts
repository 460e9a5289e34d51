import { linesFrom, tailOf } from '../../terminal/log-tail.ts'
import { paintLine } from '../../terminal/paint-line.ts'
import { plainStyle } from '../../terminal/text-style.ts'
import { withoutMarkers } from '../../terminal/without-markers.ts'

/** The command that made a job fail, as its log says it. */
export interface LogFailure {
  command: string
  code: number
  /** The last lines before that line, and the line itself. */
  lines: FailureLine[]
}

interface FailureLine {
  /** The number in the whole log; null if only the end of the log was read. */
  number: number | null
  text: string
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
