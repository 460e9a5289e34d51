import { type Config, isMap, listOf, type Path } from '../../buildfile/expand/values.ts'

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

/** Every command of a build file. */
export function allCommands(config: Config): Command[] {
  return sectionsOf(config).flatMap((section) =>
    phases.flatMap((phase) => commandsOf(section, phase)),
  )
}

/** Every text under `if`, and its path. */
export function* conditionsOf(value: unknown, path: Path = []): Generator<Command> {
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) yield* conditionsOf(entry, [...path, index])
    return
  }
  if (!isMap(value)) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'if' && typeof inner === 'string') yield { text: inner, path: [...path, key] }
    else yield* conditionsOf(inner, [...path, key])
  }
}
