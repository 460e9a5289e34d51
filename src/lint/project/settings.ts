import type { MessageLevel } from '../../domain/request/request.ts'
import type { Finding } from '../finding.ts'

/** Name of the project's settings file, at the root of its repository. */
export const settingsPath = '.service-lint.yml'

/** Choice for a code: another level, or no reports. */
export type Choice = Exclude<MessageLevel, 'alert'> | 'off'

/** A project's settings for the linter. They never change builds. */
export interface ProjectSettings {
  /** Choices by code. */
  rules: ReadonlyMap<string, Choice>
  /** Patterns of the build files, relative to the folder of the settings. */
  files: readonly string[]
}

export const noSettings: ProjectSettings = { rules: new Map(), files: [] }

type Levelled = Pick<Finding, 'level' | 'code'>

/** Whether a project may change the level: a finding that breaks a build is always reported. */
export function isOptional({ level }: Pick<Finding, 'level'>): boolean {
  return level === 'warn' || level === 'info'
}

/** The project's level for a finding, or `off`. */
function chosenLevel({ rules }: ProjectSettings, finding: Levelled): MessageLevel | 'off' {
  return isOptional(finding) ? (rules.get(finding.code) ?? finding.level) : finding.level
}

/** The findings with the project's levels, without those that are off. */
export function withLevels<T extends Levelled>(findings: readonly T[], chosen: ProjectSettings) {
  if (chosen.rules.size === 0) return [...findings]
  return findings.flatMap((finding): T[] => {
    const level = chosenLevel(chosen, finding)
    return level === 'off' ? [] : [{ ...finding, level }]
  })
}
