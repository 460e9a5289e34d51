import { applyFixes, type Fixed } from '../../lint/apply-fixes.ts'
import { isAtLeast, type Finding, type Report } from '../../lint/finding.ts'
import { type Linted, lintText } from '../../lint/lint-text.ts'
import { visible } from '../../lint/quote.ts'
import { explain, UsageError } from '../explain.ts'
import { oneOf, readArguments } from './arguments.ts'
import { format, formatNames } from './formats.ts'
import { lintHelp } from './lint-help.ts'
import { type Input, readInput } from './input.ts'
import { output, print, wantsColour } from './print.ts'
import { reasonOf } from './reason.ts'
import { replaceFile } from './replace-file.ts'
import { isAdvice, readSelection, type Selection } from './selection.ts'

const options = {
  format: { type: 'string', short: 'f' },
  fix: { type: 'boolean' },
  unsafe: { type: 'boolean' },
  strict: { type: 'boolean' },
  'no-advice': { type: 'boolean' },
  rule: { type: 'string', multiple: true },
} as const

interface Asked {
  fix: boolean
  unsafe: boolean
  strict: boolean
  advice: boolean
  isSelected: Selection
}

/** What became of one file: its exit code, and what is to be told unless it could not be read. */
interface Outcome {
  code: number
  report?: Report
}

const exitCodes = { clean: 0, findings: 1, unreadable: 2 } as const

/** Checks build files, and mends them where it is asked to. */
export async function lint(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, options)
  if (values.help) {
    print(lintHelp)
    return exitCodes.clean
  }
  const { fix = false, unsafe = false, strict = false, rule = [] } = values
  if (unsafe && !fix) throw new UsageError('--unsafe says which fixes to apply: add --fix')
  const name = oneOf(formatNames, 'format', values.format)
  const advice = values['no-advice'] !== true
  const asked = { fix, unsafe, strict, advice, isSelected: readSelection(rule) }

  const outcomes: Outcome[] = []
  for (const file of new Set(positionals.length > 0 ? positionals : [undefined])) {
    outcomes.push(await lintFile(file, asked))
  }
  const reports = outcomes.flatMap(({ report }) => report ?? [])
  // What is fixed on its way from standard input takes standard output.
  const to = fix && positionals.includes('-') ? output.error : output.standard
  print(format(name, reports, { color: name === 'text' && wantsColour(to) }), to)
  return Math.max(...outcomes.map(({ code }) => code))
}

async function lintFile(file: string | undefined, asked: Asked): Promise<Outcome> {
  try {
    const input = await readInput(file)
    if (asked.fix) return fixed(input, asked)
    const { name, text } = input
    return judged(input, text, lintText(text, { advice: asked.advice, file: name }), asked)
  } catch (error) {
    const { message, code } = explain(error)
    print(`build-service: ${message}\n`, output.error)
    return { code }
  }
}

function judged({ name }: Input, text: string, linted: Linted, asked: Asked): Outcome {
  const findings = linted.findings.filter((finding) => isTold(finding, asked))
  const report = { file: name, text, findings }
  if (linted.error !== null) return { code: exitCodes.unreadable, report }
  const fails = findings.some((finding) => asked.strict || doesFail(finding))
  return { code: fails ? exitCodes.findings : exitCodes.clean, report }
}

/** What holds where the file says nothing is no fault; only the strict want to hear of it. */
function isTold(finding: Finding, { strict, isSelected }: Asked): boolean {
  return isSelected(finding) && (strict || finding.code !== 'default')
}

/** A new rule must not stop what was fine with the version before, so advice does not count. */
function doesFail(finding: Finding): boolean {
  return isAtLeast('warn', finding) && !isAdvice(finding)
}

/** Hands the mended file back to where it came from, and tells of what is left in it. */
function fixed(input: Input, asked: Asked): Outcome {
  const { name, path, text } = input
  const { advice, unsafe, isSelected } = asked
  const result = applyFixes(text, { advice, unsafe, file: name, only: isSelected })
  if (result.text !== text) writeBack(input, result)
  else if (path === null) print(text)
  for (const { title } of result.applied) {
    print(`${visible(name)}: fixed: ${visible(title)}\n`, output.error)
  }
  return judged(input, result.text, result.linted, asked)
}

function writeBack({ name, path, bytes, whole }: Input, { text, linted }: Fixed): void {
  try {
    if (!whole) throw new Error('it holds bytes that are no UTF-8; correct them first')
    if (linted.error !== null) throw new Error('it could not be read any more')
    if (path === null) print(text)
    else replaceFile(path, bytes, text)
  } catch (error) {
    const message = `${visible(name)} cannot be fixed: ${reasonOf(error)}; it was left as it is`
    throw new UsageError(message, { cause: error })
  }
}
