import { axesOf, sizeOf } from '../../buildfile/expand/drafts/axes.ts'
import { type Config, listOf, type Path } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import type { LintContext } from './context.ts'
import { type FoundText, foundTexts } from './texts.ts'

/** A part of a build file that defines jobs: the root, or an entry of `jobs.include`. */
export interface Section {
  config: Config
  path: Path
}

/** The root, then the entries of `jobs.include`. Many rules use them: call through `once`. */
export function allSections({ config }: LintContext): readonly Section[] {
  const { jobs } = config
  const sections: Section[] = [{ config, path: [] }]
  for (const [index, entry] of listOf(isMap(jobs) ? jobs.include : undefined).entries()) {
    if (isMap(entry)) sections.push({ config: entry, path: ['jobs', 'include', index] })
  }
  return sections
}

/** The keys of all sections; call through `once`. */
export function sectionKeys({ once }: LintContext): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const { config } of once(allSections)) for (const key of Object.keys(config)) keys.add(key)
  return keys
}

/** Number of jobs before any is left out, computed without making them; call through `once`. */
export function countOfJobs({ config, once }: LintContext): number {
  return sizeOf(axesOf(config)) + once(allSections).length - 1
}

/** Whether included jobs replace the only job of the matrix; call through `once`. */
export function givesWay({ once, plan }: LintContext): boolean {
  const included = once(allSections).length - 1
  // Most files have no included jobs, or a matrix of several jobs, so their jobs need not be made.
  if (included === 0 || once(countOfJobs) !== included + 1) return false
  return plan().dropped.some(({ why }) => why.kind === 'replaced')
}

/** The phases that people write commands for, in their order. */
export const phases = [
  'before_install',
  'install',
  'before_script',
  'script',
  'before_cache',
  'after_success',
  'after_failure',
  'before_deploy',
  'after_deploy',
  'after_script',
] as const

export type PhaseSection = (typeof phases)[number]

/** The phases that decide the result of a job: later phases do not change it. */
export const decidingPhases: ReadonlySet<PhaseSection> = new Set([
  'before_install',
  'install',
  'before_script',
  'script',
])

export interface Command {
  text: string
  path: Path
  phase: PhaseSection
}

/** The commands of a phase. */
export function commandsOf({ config, path }: Section, phase: PhaseSection): Command[] {
  const commands: Command[] = []
  for (const [index, text] of listOf(config[phase]).entries()) {
    if (typeof text === 'string') commands.push({ text, path: [...path, phase, index], phase })
  }
  return commands
}

/** Every command of a build file, by section and phase; call through `once`. */
export function allCommands({ once }: LintContext): readonly Command[] {
  return once(allSections).flatMap((section) =>
    phases.flatMap((phase) => (phase in section.config ? commandsOf(section, phase) : [])),
  )
}

/** The texts of all commands, for a first look at what they contain; call through `once`. */
export function commandTexts({ once }: LintContext): string {
  return once(allCommands)
    .map(({ text }) => text)
    .join('\n')
}

/** Every text under `if`, and its path; call through `once`. */
export function allConditions({ once }: LintContext): readonly FoundText[] {
  return once(foundTexts).conditions
}
