import { visible } from '../../domain/text/escape-control-characters.ts'
import { applyFixes, type Fixed } from '../../lint/apply-fixes.ts'
import { plainName } from '../../lint/plain-name.ts'
import { UsageError } from '../errors.ts'
import type { LintedProject } from './files/project.ts'
import { replaceFile } from './files/replace-file.ts'
import type { CheckedInput } from './input.ts'
import type { LintSettings } from './lint-options.ts'
import { type LintOutcome, outcomeOf, textOptions } from './outcome.ts'
import { output, print } from './print.ts'
import { reasonOf } from './reason.ts'

/** Writes the fixed file back to its source, and returns the remaining findings. */
export function fixInput(
  input: CheckedInput,
  settings: LintSettings,
  project: LintedProject,
): LintOutcome {
  const { name, path, text } = input
  const { unsafe, isSelected } = settings
  const fixed = applyFixes(text, {
    ...textOptions(name, settings, project),
    unsafe,
    only: isSelected,
  })
  if (fixed.text !== text) writeBack(input, fixed)
  else if (path === null) print(text)
  const outcome = outcomeOf(name, fixed.text, fixed.linted, settings)
  for (const line of [...fixLines(fixed), ...hints(outcome, settings)]) {
    print(`${plainName(name)}: ${line}\n`, output.error)
  }
  return outcome
}

function writeBack({ name, path, bytes, whole }: CheckedInput, { text, linted }: Fixed): void {
  try {
    if (!whole) throw new Error('it contains bytes that are not UTF-8; correct them first')
    if (linted.error !== null) throw new Error('it can no longer be read')
    if (path === null) print(text)
    else replaceFile(path, bytes, text)
  } catch (error) {
    const message = `${plainName(name)} cannot be fixed: ${reasonOf(error)}; it was left as it is`
    throw new UsageError(message, { cause: error })
  }
}

function fixLines({ applied }: Fixed): string[] {
  return applied.map(({ title }) => `fixed: ${visible(title)}`)
}

function hints({ report }: LintOutcome, { unsafe }: LintSettings): string[] {
  const left = report?.findings.filter(({ fix }) => fix?.safe === false).length ?? 0
  if (unsafe || left === 0) return []
  const fixes = left === 1 ? '1 fix' : `${left} fixes`
  return [`${fixes} would change the jobs: look at them with expand, and add --unsafe`]
}
