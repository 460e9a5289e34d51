import { isCode } from '../../../lint/describe-code.ts'
import type { Finding } from '../../../lint/finding.ts'
import { visible } from '../../../domain/visible.ts'
import { rules } from '../../../lint/rules/index.ts'
import { UsageError } from '../../explain.ts'

/** Decides whether a finding is reported. */
export type Selection = (finding: Pick<Finding, 'code'>) => boolean

const unreadable: readonly string[] = ['parse_error', 'format_error']

/** What `--rule` chose: only the codes named, if any are, and none that is `off`. */
export function readSelection(choices: readonly string[]): Selection {
  const chosen = choices.map(readChoice)
  const only = chosen.filter(({ off }) => !off).map(({ code }) => code)
  const off = chosen.filter(({ off }) => off).map(({ code }) => code)
  return ({ code }) =>
    unreadable.includes(code) || ((only.length === 0 || only.includes(code)) && !off.includes(code))
}

function readChoice(choice: string): { code: string; off: boolean } {
  const [code = '', setting] = choice.split('=')
  if (setting !== undefined && setting !== 'off') {
    throw new UsageError(`--rule ${visible(choice)} is not understood: write CODE or CODE=off`)
  }
  if (!isCode(code)) {
    throw new UsageError(
      `--rule ${visible(code)} is no code of a finding: they stand in brackets behind each one`,
    )
  }
  return { code, off: setting === 'off' }
}

/** Whether a rule found it, rather than the reader of build files. */
export function isAdvice({ code }: Pick<Finding, 'code'>): boolean {
  return rules.some((rule) => rule.code === code)
}
