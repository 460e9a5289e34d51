import { lintText } from '../../lint/lint-text.ts'
import { explain } from '../explain.ts'
import { readArguments } from './arguments.ts'
import { fixInput } from './fix-input.ts'
import { format } from './formats.ts'
import { readInput } from './input.ts'
import { lintHelp } from './lint-help.ts'
import { type LintSettings, lintOptions, readLintSettings } from './lint-options.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { output, print, wantsColour } from './print.ts'

/** Checks build files, and fixes them with `--fix`. */
export async function lint(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, lintOptions)
  if (values.help) {
    print(lintHelp)
    return 0
  }
  const settings = readLintSettings(values)
  const outcomes: Outcome[] = []
  for (const file of new Set(positionals.length > 0 ? positionals : [undefined])) {
    outcomes.push(await lintFile(file, settings))
  }
  printReports(outcomes, settings, positionals.includes('-'))
  return Math.max(...outcomes.map(({ code }) => code))
}

async function lintFile(file: string | undefined, settings: LintSettings): Promise<Outcome> {
  try {
    const input = await readInput(file)
    if (settings.fix) return fixInput(input, settings)
    const { name, text } = input
    return outcomeOf(name, text, lintText(text, { advice: settings.advice, file: name }), settings)
  } catch (error) {
    const { message, code } = explain(error)
    print(`build-service: ${message}\n`, output.error)
    return { code }
  }
}

function printReports(
  outcomes: readonly Outcome[],
  { format: name, fix }: LintSettings,
  fromInput: boolean,
) {
  const reports = outcomes.flatMap(({ report }) => report ?? [])
  if (name === 'text' && reports.length === 0) return
  // What is fixed on its way from standard input takes standard output.
  const to = fix && fromInput ? output.error : output.standard
  print(format(name, reports, { color: name === 'text' && wantsColour(to) }), to)
}
