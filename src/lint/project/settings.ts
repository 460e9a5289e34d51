import type { MessageLevel } from '../../domain/request/request.ts'
import type { Finding } from '../finding.ts'

/** What the settings of a project are called; they lie at the root of its repository. */
export const settingsPath = '.service-lint.yml'

/** What becomes of a code: another level, or nothing is reported. */
export type Choice = Exclude<MessageLevel, 'alert'> | 'off'

/** What a project wants of the linter. It never changes what builds do. */
export interface ProjectSettings {
  /** By code. */
  rules: ReadonlyMap<string, Choice>
  /** Patterns of the build files, from the folder of the settings. */
  files: readonly string[]
}

export const noSettings: ProjectSettings = { rules: new Map(), files: [] }

type Levelled = Pick<Finding, 'level' | 'code'>

/** Whether a project may have another opinion: what breaks a build is reported in any case. */
export function isOptional({ level }: Pick<Finding, 'level'>): boolean {
  return level === 'warn' || level === 'info'
}

/** The level that a project gives a finding, or that it is off. */
function chosenLevel({ rules }: ProjectSettings, finding: Levelled): MessageLevel | 'off' {
  return isOptional(finding) ? (rules.get(finding.code) ?? finding.level) : finding.level
}

/** The findings with the levels that a project gives them, without those that it does not want. */
export function withLevels<T extends Levelled>(findings: readonly T[], chosen: ProjectSettings) {
  if (chosen.rules.size === 0) return [...findings]
  return findings.flatMap((finding): T[] => {
    const level = chosenLevel(chosen, finding)
    return level === 'off' ? [] : [{ ...finding, level }]
  })
}
