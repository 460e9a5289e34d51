import { UsageError } from '../explain.ts'
import { oneOf } from './arguments.ts'
import { type FormatName, formatNames } from './formats.ts'
import { readSelection, type Selection } from './selection.ts'

export const lintOptions = {
  format: { type: 'string', short: 'f' },
  fix: { type: 'boolean' },
  unsafe: { type: 'boolean' },
  strict: { type: 'boolean' },
  'no-advice': { type: 'boolean' },
  rule: { type: 'string', multiple: true },
} as const

/** The options of one run of the linter. */
export interface LintSettings {
  format: FormatName
  fix: boolean
  unsafe: boolean
  strict: boolean
  advice: boolean
  isSelected: Selection
}

interface Values {
  format?: string | undefined
  fix?: boolean | undefined
  unsafe?: boolean | undefined
  strict?: boolean | undefined
  'no-advice'?: boolean | undefined
  rule?: string[] | undefined
}

export function readLintSettings(values: Values): LintSettings {
  const { fix = false, unsafe = false, strict = false, rule = [] } = values
  if (unsafe && !fix) throw new UsageError('--unsafe says which fixes to apply: add --fix')
  return {
    format: oneOf(formatNames, 'format', values.format),
    fix,
    unsafe,
    strict,
    advice: values['no-advice'] !== true,
    isSelected: readSelection(rule),
  }
}
