import path from 'node:path'
import { adviceOn, otherBuildFile } from '../../domain/request/other-build-files.ts'
import { lintText } from '../../lint/lint-text.ts'
import { exitCodes, explain } from '../explain.ts'
import { readArguments } from './arguments.ts'
import { fixInput } from './fix-input.ts'
import { rulesText } from './explain-code.ts'
import { findFiles } from './files/find-files.ts'
import { format } from './formats.ts'
import { buildFileName, type Input, readInput } from './input.ts'
import { lintHelp } from './lint-help.ts'
import { type LintSettings, lintOptions, readLintSettings } from './lint-options.ts'
import { type Outcome, outcomeOf, textOptions } from './outcome.ts'
import { output, print, wantsColour } from './print.ts'
import { type Project, projectFinder } from './files/project.ts'
import { withRepositoryPath } from './files/repository-path.ts'

/** Checks build files, and fixes them with `--fix`. */
export async function lint(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, lintOptions)
  if (values.help) {
    print(lintHelp)
    return 0
  }
  if (values['list-rules']) {
    print(rulesText())
    return 0
  }
  const settings = readLintSettings(values)
  const projectOf = projectFinder()
  const outcomes: Outcome[] = []
  for (const file of new Set(findFiles(positionals, projectOf))) {
    outcomes.push(...(await lintFile(file, settings, projectOf)))
  }
  printReports(outcomes, settings, positionals.includes('-'))
  return Math.max(...outcomes.map(({ code }) => code))
}

/** The outcome of a file, and of the settings of its project if something is wrong with them. */
async function lintFile(
  file: string | undefined,
  settings: LintSettings,
  projectOf: (folder: string) => Project,
): Promise<Outcome[]> {
  try {
    const input = await readInput(file)
    const other = otherBuildFile([path.basename(input.name)])
    if (other)
      print(
        `note: builds read ${buildFileName} only: ${adviceOn(other, buildFileName)}\n`,
        output.error,
      )
    const project = projectOf(path.dirname(input.path ?? '.'))
    return [lintInput(input, settings, project), ...problemsOf(project)]
  } catch (error) {
    const { message, code } = explain(error)
    print(`build-service: ${message}\n`, output.error)
    return [{ code }]
  }
}

function lintInput(input: Input, settings: LintSettings, project: Project): Outcome {
  if (settings.fix) return fixInput(input, settings, project)
  const { name, text } = input
  return outcomeOf(name, text, lintText(text, textOptions(name, settings, project)), settings)
}

function problemsOf({ report }: Project): Outcome[] {
  return report ? [{ code: exitCodes.unusable, report }] : []
}

/** Formats whose readers know the repository, not the folder that the command was started in. */
const isForCodeHosts = (name: LintSettings['format']) => name === 'github' || name === 'sarif'

function printReports(
  outcomes: readonly Outcome[],
  { format: name, fix, quiet, color, docsUrl }: LintSettings,
  fromInput: boolean,
) {
  // Several files may belong to one project with the same settings.
  const reports = [...new Set(outcomes.flatMap(({ report }) => report ?? []))]
  const isEmpty = reports.every(({ findings }) => findings.length === 0)
  if (name === 'text' && (reports.length === 0 || (quiet && isEmpty))) return
  // What is fixed on its way from standard input takes standard output.
  const to = fix && fromInput ? output.error : output.standard
  print(
    format(name, isForCodeHosts(name) ? reports.map(withRepositoryPath) : reports, {
      color: name === 'text' && (color ?? wantsColour(to)),
      docsUrl,
    }),
    to,
  )
}
