import { UsageError } from '../errors.ts'
import { oneOf } from './arguments.ts'
import { readSelection, type Selection } from './files/selection.ts'
import { type FormatName, formatNames } from './formats.ts'

export const lintOptions = {
  format: { type: 'string', short: 'f' },
  fix: { type: 'boolean' },
  unsafe: { type: 'boolean' },
  strict: { type: 'boolean' },
  'no-advice': { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  color: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  'list-rules': { type: 'boolean' },
  rule: { type: 'string', multiple: true },
  'docs-url': { type: 'string' },
} as const

/** The options of one run of the linter. */
export interface LintSettings {
  format: FormatName
  fix: boolean
  unsafe: boolean
  strict: boolean
  advice: boolean
  /** Report only findings that make the command fail. */
  quiet: boolean
  /** Whether to use colours; undefined if the terminal decides. */
  color: boolean | undefined
  isSelected: Selection
  /** Where `docs/` is served, for links. */
  docsUrl: string | undefined
}

interface Values {
  format?: string | undefined
  fix?: boolean | undefined
  unsafe?: boolean | undefined
  strict?: boolean | undefined
  'no-advice'?: boolean | undefined
  quiet?: boolean | undefined
  color?: boolean | undefined
  'no-color'?: boolean | undefined
  rule?: string[] | undefined
  'docs-url'?: string | undefined
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
    quiet: values.quiet === true,
    color: values['no-color'] === true ? false : values.color,
    isSelected: readSelection(rule),
    docsUrl: readDocsUrl(values['docs-url']),
  }
}

function readDocsUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  if (/^https?:/.test(value) && URL.canParse(value)) return new URL(value).href.replace(/\/+$/, '')
  throw new UsageError('--docs-url is not a URL: it must begin with https:// or http://')
}
