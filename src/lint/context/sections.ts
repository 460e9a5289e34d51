import { axesOf, sizeOf } from '../../buildfile/expand/drafts/axes.ts'
import { isMap } from '../../domain/config-value.ts'
import { type Config, listOf, type Path } from '../../buildfile/expand/values.ts'
import type { Context } from './context.ts'
import { findTexts } from './texts.ts'

/** A part of a build file that says what a job does: the root, or an entry of `jobs.include`. */
export interface Section {
  config: Config
  path: Path
}

/** The root, then the entries of `jobs.include`. Many rules look at them, so ask for them by `once`. */
export function allSections({ config }: Context): readonly Section[] {
  const { jobs } = config
  const sections: Section[] = [{ config, path: [] }]
  for (const [index, entry] of listOf(isMap(jobs) ? jobs.include : undefined).entries()) {
    if (isMap(entry)) sections.push({ config: entry, path: ['jobs', 'include', index] })
  }
  return sections
}

/** The keys of all sections; by `once` as well. */
export function sectionKeys({ once }: Context): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const { config } of once(allSections)) for (const key of Object.keys(config)) keys.add(key)
  return keys
}

/** How many jobs a file has before any is left out, which is known without making them; by `once` as well. */
export function countOfJobs({ config, once }: Context): number {
  return sizeOf(axesOf(config)) + once(allSections).length - 1
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

export type Phase = (typeof phases)[number]

/** The phases that decide how a job ends: whatever comes later changes nothing about that. */
export const decidingPhases: ReadonlySet<Phase> = new Set([
  'before_install',
  'install',
  'before_script',
  'script',
])

export interface Command {
  text: string
  path: Path
  phase: Phase
}

export type FoundCondition = Pick<Command, 'text' | 'path'>

/** The commands of a phase. */
export function commandsOf({ config, path }: Section, phase: Phase): Command[] {
  const commands: Command[] = []
  for (const [index, text] of listOf(config[phase]).entries()) {
    if (typeof text === 'string') commands.push({ text, path: [...path, phase, index], phase })
  }
  return commands
}

/** Every command of a build file, by section and phase; by `once` as well. */
export function allCommands({ once }: Context): readonly Command[] {
  return once(allSections).flatMap((section) =>
    phases.flatMap((phase) => (phase in section.config ? commandsOf(section, phase) : [])),
  )
}

/** Every text under `if`, and its path; by `once` as well. */
export function allConditions({ config }: Context): readonly FoundCondition[] {
  const found = findTexts(config, (_value, step) => step === 'if')
  return found.map(({ value, path }) => ({ text: value, path }))
}
