import { visible } from '../../../domain/text/escape-control-characters.ts'
import { isCode } from '../../../lint/describe-code.ts'
import type { Finding } from '../../../lint/finding.ts'
import { rules } from '../../../lint/rules/index.ts'
import { UsageError } from '../../errors.ts'

/** Decides whether a finding is reported. */
export type Selection = (finding: Pick<Finding, 'code'>) => boolean

const unreadable: readonly string[] = ['parse_error', 'format_error']

/** The choice of `--rule`: only the named codes, if any are named, and no code that is `off`. */
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
      `--rule ${visible(code)} is not a finding code: codes are in brackets after each finding`,
    )
  }
  return { code, off: setting === 'off' }
}

/** Whether a finding comes from a rule, not from the reader of build files. */
export function isAdvice({ code }: Pick<Finding, 'code'>): boolean {
  return rules.some((rule) => rule.code === code)
}
