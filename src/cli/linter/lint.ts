import path from 'node:path'
import {
  adviceOn,
  type OtherBuildFile,
  otherBuildFile,
} from '../../domain/request/other-build-files.ts'
import { lintText } from '../../lint/lint-text.ts'
import { fileOfAnotherService } from '../../lint/rules/file-of-another-service.ts'
import { exitCodes, explain } from '../errors.ts'
import { readArguments } from './arguments.ts'
import { rulesText } from './explain-code.ts'
import { findFiles } from './files/find-files.ts'
import { type LintedProject, projectFinder } from './files/project.ts'
import { withRepositoryPath } from './files/repository-path.ts'
import { fixInput } from './fix-input.ts'
import { format } from './formats.ts'
import { buildFileName, type CheckedInput, readInput } from './input.ts'
import { lintHelp } from './lint-help.ts'
import { type LintSettings, lintOptions, readLintSettings } from './lint-options.ts'
import { lintCodes, type LintOutcome, outcomeOf, textOptions } from './outcome.ts'
import { output, print, wantsColour } from './print.ts'

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
  const outcomes: LintOutcome[] = []
  for (const file of new Set(findFiles(positionals, projectOf))) {
    const isNamed = file !== undefined && file !== '-' && positionals.includes(file)
    outcomes.push(...(await lintFile(file, settings, isNamed ? named(projectOf) : projectOf)))
  }
  printReports(outcomes, settings, positionals.includes('-'))
  return Math.max(...outcomes.map(({ code }) => code))
}

/** For files that the caller names: a file of another service is then an error. */
function named(projectOf: (folder: string) => LintedProject): (folder: string) => LintedProject {
  return (folder) => {
    const project = projectOf(folder)
    const { settings } = project
    const rules = new Map([[fileOfAnotherService.code, 'error' as const], ...settings.rules])
    return { ...project, settings: { ...settings, rules } }
  }
}

/** The outcome of a file, and of its project's settings if they have problems. */
async function lintFile(
  file: string | undefined,
  settings: LintSettings,
  projectOf: (folder: string) => LintedProject,
): Promise<LintOutcome[]> {
  try {
    const input = await readInput(file)
    const project = projectOf(path.dirname(input.path ?? '.'))
    const other = otherFile(input)
    const isRefused =
      typeof other?.service === 'string' &&
      project.settings.rules.get(fileOfAnotherService.code) === 'error'
    if (other) {
      const said = isRefused ? `error: ${input.name}` : 'note'
      const advice = adviceOn(other, buildFileName)
      print(`${said}: builds read ${buildFileName} only: ${advice}\n`, output.error)
    }
    const outcome = lintInput(input, settings, project)
    const code = isRefused ? Math.max(outcome.code, lintCodes.findings) : outcome.code
    return [{ ...outcome, code }, ...problemsOf(project)]
  } catch (error) {
    const { message, code } = explain(error)
    print(`build-service: ${message}\n`, output.error)
    return [{ code }]
  }
}

/** The build file of another service, if this is one, or is in the folder of one. */
function otherFile({ name, path: file }: CheckedInput): OtherBuildFile | null {
  const at = file === null ? name : path.resolve(file)
  const [base = '', folder = '', above = ''] = at.split(path.sep).toReversed()
  if (base === buildFileName) return null
  if (folder !== 'workflows' && folder !== '.github') return otherBuildFile([base, folder])
  return otherBuildFile(folder === 'workflows' ? [base, above] : [base])
}

function lintInput(
  input: CheckedInput,
  settings: LintSettings,
  project: LintedProject,
): LintOutcome {
  if (settings.fix) return fixInput(input, settings, project)
  const { name, text } = input
  return outcomeOf(name, text, lintText(text, textOptions(name, settings, project)), settings)
}

function problemsOf({ report }: LintedProject): LintOutcome[] {
  return report ? [{ code: exitCodes.unusable, report }] : []
}

/** Formats for readers that know the repository, not the current folder of the command. */
const isForCodeHosts = (name: LintSettings['format']) => name === 'github' || name === 'sarif'

function printReports(
  outcomes: readonly LintOutcome[],
  { format: name, fix, quiet, color, docsUrl }: LintSettings,
  fromInput: boolean,
) {
  // Several files may belong to one project with the same settings.
  const reports = [...new Set(outcomes.flatMap(({ report }) => report ?? []))]
  const isEmpty = reports.every(({ findings }) => findings.length === 0)
  if (name === 'text' && (reports.length === 0 || (quiet && isEmpty))) return
  // With --fix on standard input, standard output carries the fixed file.
  const to = fix && fromInput ? output.error : output.standard
  print(
    format(name, isForCodeHosts(name) ? reports.map(withRepositoryPath) : reports, {
      color: name === 'text' && (color ?? wantsColour(to)),
      docsUrl,
    }),
    to,
  )
}
