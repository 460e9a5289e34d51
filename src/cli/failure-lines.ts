import { basisText, type ComparedRun, exitText, type Failure } from '../domain/failure/failure.ts'
import { visible } from '../domain/text/escape-control-characters.ts'
import { notesOnRun, type RunReport } from '../flow/failures/run-report.ts'

/** Lines of each failure that a terminal shows. */
const most = 5

/** Why a job failed, for a terminal; `name` is the job's, and `runsOf` names the runs that it was compared with. */
export function failureLines(
  name: string,
  report: RunReport,
  runsOf: (compared: readonly ComparedRun[]) => string = numbersOf,
): string[] {
  const { failure } = report
  if (!failure) return []
  const { basis, lines, compared } = failure
  const runs = compared.length === 0 ? '' : runsOf(compared)
  const label = `${basisText(basis)}${runs === '' ? '' : ` (compared with ${runs})`}`
  return [
    `${name}: ${endingOf(failure)}`,
    ...(lines.length === 0 ? [] : [`  ${label}:`]),
    ...lines.slice(0, most).flatMap(({ number, text, after }) => [
      `  ${String(number).padStart(6)}  ${visible(text)}`,
      // A cause often goes on in the next line.
      ...after.slice(0, 1).map((line) => `${' '.repeat(10)}${visible(line)}`),
    ]),
    ...notesOnRun(report).map((note) => `  ${note}`),
  ]
}

const numbersOf = (compared: readonly ComparedRun[]) =>
  compared.map(({ number }) => number).join(', ')

/** The outcome of the failed command. */
function endingOf({ command, exit_code }: Failure): string {
  if (command === null) return 'no command of the build file was run to its end'
  const shown = `"${visible(command)}"`
  if (exit_code === null) return `${shown} did not end`
  return `${shown} ${exitText(exit_code)}`
}
