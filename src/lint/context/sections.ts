import { type Config, isMap, listOf, type Path } from '../../buildfile/expand/values.ts'
import type { Context } from './context.ts'
import { findTexts } from './texts.ts'

/** A part of a build file that says what a job does: the root, or an entry of `jobs.include`. */
export interface Section {
  config: Config
  path: Path
}

export function sectionsOf(config: Config): Section[] {
  const { jobs } = config
  const entries = listOf(isMap(jobs) ? jobs.include : undefined)
  return [
    { config, path: [] },
    ...entries.flatMap((entry, index): Section[] =>
      isMap(entry) ? [{ config: entry, path: ['jobs', 'include', index] }] : [],
    ),
  ]
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

export interface Command {
  text: string
  path: Path
}

/** The commands of a phase. */
export function commandsOf({ config, path }: Section, phase: Phase): Command[] {
  return listOf(config[phase]).flatMap((text, index) =>
    typeof text === 'string' ? [{ text, path: [...path, phase, index] }] : [],
  )
}

/** Every command of a build file. Several rules look at them, so ask for them by `once`. */
export function allCommands({ config }: Context): readonly Command[] {
  return sectionsOf(config).flatMap((section) =>
    phases.flatMap((phase) => commandsOf(section, phase)),
  )
}

/** Every text under `if`, and its path; by `once` as well. */
export function allConditions({ config }: Context): readonly Command[] {
  const found = findTexts(config, (_value, step) => step === 'if')
  return found.map(({ value, path }) => ({ text: value, path }))
}
