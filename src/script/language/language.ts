import type { JobConfig } from '../../domain/job/job.ts'
import { quote } from '../shell/bash.ts'
import type { ScriptStep } from '../steps.ts'

/** The defaults of a language for keys that the user did not write. */
export interface Language {
  /** Environment variables that it sets. */
  variables?: Readonly<Record<string, string>>
  /** Lines before the first phase, run and shown: they set up the language and print its versions. */
  announce: readonly string[]
  install: readonly ScriptStep[]
  script: readonly ScriptStep[]
}

export type LanguageOf = (config: JobConfig) => Language

type Steps = string | readonly ScriptStep[]

const stepsOf = (steps: Steps): readonly ScriptStep[] =>
  typeof steps === 'string' ? [{ run: steps }] : steps

/** One of two sequences of steps, each of which can be a single line. */
export function when(condition: string, yes: Steps, no: Steps = []): ScriptStep {
  return { when: condition, yes: stepsOf(yes), no: stepsOf(no) }
}

/** A condition: the file is in the repository. */
export const has = (...files: readonly string[]) =>
  `[[ ${files.map((file) => `-f ${file}`).join(' || ')} ]]`

/** A condition: jobs find the program. */
export const finds = (program: string) => `__service_has ${program}`

/** A condition: jobs find the program, and its version is known and older than this one. */
export function older(program: string, version: string, tells = '--version'): string {
  const found = `__service_version ${program} ${tells} && [[ $__service_found ]]`
  return `{ ${found} && __service_newer ${version} "$__service_found"; }`
}

/** One word of bash, in quotes only if it needs them. */
export function word(text: string): string {
  return /^[\w./@:+=-]+$/.test(text) ? text : quote(text)
}

export function line(...words: readonly (string | undefined)[]): string {
  return words.filter(Boolean).join(' ')
}

/** What a language without a default script prints; the job fails then. */
export function noScript(language: string, example: string): ScriptStep {
  return {
    fail: `${language} has no script by default. Say how to test, for example "script: ${example}" in .service.yml.`,
  }
}

/** The texts of a key that takes one or several. */
export function textsOf(value: unknown): string[] {
  return [value].flat().filter((each) => typeof each === 'string')
}
